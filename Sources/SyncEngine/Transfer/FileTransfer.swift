import SyncBackend
import SyncManifest

/// Sends one changed file: opens it, chooses put or parts, tries again where it changes while it is read, and
/// records what the remote has confirmed.
struct FileTransfer: Sendable {
  /// A file that is being written to gets this many chances within a run.
  static let chancesToSettle = 4

  let context: TransferContext
  let change: SpooledChange

  /// Reports the file's failure as an event. Throws only what ends the run.
  func run() async throws {
    context.meter.begin(change.id, path: change.path, size: change.size)
    defer { context.meter.end(change.id) }
    do {
      try await sendUntilSettled()
    } catch let problem as TransferProblem {
      try await context.report(problem, path: change.path, key: change.key)
    }
  }

  private func sendUntilSettled() async throws {
    var chance = 1
    while true {
      do {
        return try await send()
      } catch TransferProblem.changedWhileRead where chance < FileTransfer.chancesToSettle {
        chance += 1
        try await context.timing.sleep(.milliseconds(250 * chance))
      }
    }
  }

  private func send() async throws {
    let source = try await open()
    let begun = context.timing.uptime()
    let sizing = PartSizing(context.capabilities, context.job.transfer)
    switch sizing.choice(forSize: source.stamp.size) {
    case .put:
      try await SinglePut(context: context, change: change, source: source, begun: begun).run()
    case .parts(let partSize):
      try await MultipartTransfer(
        context: context, change: change, source: source, partSize: partSize, begun: begun
      ).run()
    case .tooLarge(let limit):
      throw TransferProblem.unreadable("it has \(source.stamp.size) bytes and the remote takes \(limit)")
    }
  }

  private func open() async throws -> SourceFile {
    let (directory, path, symlinks) = (context.sources[change.directory], change.path, context.job.symlinks)
    do {
      return try await context.blocking.run {
        let (file, stamp) = try directory.open(path, symlinks: symlinks)
        return SourceFile(file: file, stamp: stamp)
      }
    } catch let error as SourceError {
      throw error.isMissing ? TransferProblem.vanished : TransferProblem.unreadable("\(error)")
    }
  }
}

extension TransferContext {
  /// Tells of a file's failure, or ends the run where going on makes no sense.
  func report(_ problem: TransferProblem, path: [UInt8], key: [UInt8]) async throws {
    if case .backend(let error) = problem {
      if error.kind == .cancelled { throw CancellationError() }
      if let end = end(of: error) { throw end }
      if error.isRefusal {
        tally.add {
          $0.refusals += 1
          $0.lastRefusal = error
        }
      }
    }
    tally.add { $0.failed += 1 }
    await events.send(
      .failed(
        Failure(
          path: path, key: key, code: problem.code, message: problem.message,
          isRetryable: problem.isRetryable)))
  }

  /// What refuses one refuses all: wrong credentials, no bucket, a full disk, a remote that is down.
  private func end(of error: BackendError) -> MirrorError? {
    switch error.kind {
    case .credentials: .credentialsRefused(error)
    case .targetMissing, .full: .remoteUnavailable(error)
    case .unavailable, .throttled, .outcomeUnknown: calls.isExhausted ? .remoteUnavailable(error) : nil
    default: nil
    }
  }

  func upload(
    finished key: [UInt8], path: [UInt8], row: ManifestRow, info: ObjectInfo, begun: Double, resumed: Int
  )
    async
  {
    tally.add {
      $0.uploaded += 1
      $0.uploadedBytes += row.stamp.size
      $0.resumedParts += Int64(resumed)
    }
    await events.send(
      .uploadFinished(
        UploadFinished(
          path: path, key: key, size: row.stamp.size, digest: row.digest, etag: info.reference.etag,
          version: info.reference.version, url: info.url, seconds: timing.uptime() - begun,
          resumedParts: resumed)))
  }
}

extension BackendError {
  /// It may have nothing to do with the file that it came with.
  fileprivate var isRefusal: Bool {
    switch kind {
    case .denied, .unavailable, .throttled, .outcomeUnknown, .clock: true
    default: false
    }
  }
}
