/// A live connection to one remote: the contract that a plugin is written against.
///
/// - Every call is **one attempt** and says what happened through `BackendError`; whoever called decides whether
///   to try again. A backend never sleeps and never repeats.
/// - Before it throws, a backend mends itself: it drops refused credentials (the next attempt fetches new ones),
///   learns the clock's offset or the region, and says `retry: .now`.
/// - Calls may run at the same time, as many as the engine likes, in any order that `capabilities` allows.
/// - A cancelled call throws `.cancelled`, after it has let go of its payload.
/// - There are no default implementations: a forgotten verb must not compile. A verb that the remote lacks throws
///   `.unsupported` and is missing from `capabilities.operations`.
public protocol Backend: Sendable {
  var capabilities: Capabilities { get }

  /// Stores a whole object, replacing what was there. Nothing is visible under the key until all of it is.
  func put(
    _ payload: Payload, to key: ObjectKey, options: ObjectOptions
  ) async throws(BackendError) -> ObjectInfo

  func beginUpload(_ plan: UploadPlan) async throws(BackendError) -> Upload

  /// Sends part `number`; a part sent again under its number replaces the earlier one.
  func uploadPart(
    _ number: Int, payload: Payload, of upload: Upload
  ) async throws(BackendError) -> Part

  /// The parts that the remote has, ascending. Throws `.uploadGone` for an upload that it does not know.
  func listParts(of upload: Upload, after: PageToken?) async throws(BackendError) -> Page<Part>

  /// Makes the object of `parts`, which are all of them, ascending. After an answer that was lost the call may
  /// throw `.uploadGone` though the object is there: the caller proves it by `stat`.
  func completeUpload(
    _ upload: Upload, parts: [Part], content: ContentSummary
  ) async throws(BackendError) -> ObjectInfo

  /// Forgets an upload and its parts. One that is unknown already is success.
  func abortUpload(_ upload: Upload) async throws(BackendError)

  /// Uploads under way whose key begins with `prefix`.
  func listUploads(prefix: ObjectKey, after: PageToken?) async throws(BackendError) -> Page<Upload>

  /// - Returns: nil where there is no such object.
  func stat(_ object: ObjectReference) async throws(BackendError) -> ObjectInfo?

  /// Reads bytes `offset ..< offset + length` (nil: to the end) into `sink`. Throws `.notFound`.
  func read(
    _ object: ObjectReference, range: ReadRange?, into sink: any ByteSink
  ) async throws(BackendError)

  /// Objects whose key begins with `prefix`, in `capabilities.listOrder`.
  func list(prefix: ObjectKey, after: PageToken?) async throws(BackendError) -> Page<ObjectInfo>

  /// Deletes at most `capabilities.deleteBatch.maximumCount` objects; an object that is missing is success.
  ///
  /// - Returns: the failures only. Throws where the whole request failed.
  func delete(_ objects: [ObjectReference]) async throws(BackendError) -> [ObjectReference: BackendError]
}

/// Bytes of an object to read; `length` nil means to the end.
public struct ReadRange: Sendable, Hashable {
  public var offset: Int64
  public var length: Int64?

  public init(offset: Int64, length: Int64? = nil) {
    self.offset = offset
    self.length = length
  }
}
