import Digests
import Foundation
import SyncBackend
import SyncConformance
import TestSupport

@testable import Local

func backend(
  _ path: String, folding: NameFolding = NameFolding(), pageSize: Int = 1000
) -> LocalBackend {
  LocalBackend(
    path: path, now: { 1_700_000_000_000_000_000 }, random: { .random(in: 0..<1) }, folding: folding,
    pageSize: pageSize)
}

func suite(on backend: any Backend) -> ConformanceSuite {
  ConformanceSuite(on: backend, prefix: ObjectKey("conformance/"), random: { .random(in: 0..<1) }) {
    switch $0 {
    case .md5: MD5.hash($1)
    case .sha256: SHA256.hash($1)
    }
  }
}

extension Backend {
  @discardableResult
  func put(_ text: String, to key: String) async throws(BackendError) -> ObjectInfo {
    try await put(Payload(.bytes(Array(text.utf8))), to: ObjectKey(key), options: ObjectOptions())
  }

  func stat(_ key: String) async throws(BackendError) -> ObjectInfo? {
    try await stat(ObjectReference(ObjectKey(key)))
  }

  func delete(_ key: String) async throws(BackendError) -> BackendError? {
    try await delete([ObjectReference(ObjectKey(key))]).values.first
  }

  func keys(_ prefix: String = "") async throws(BackendError) -> [String] {
    var keys: [String] = []
    var token: PageToken?
    repeat {
      let page = try await list(prefix: ObjectKey(prefix), after: token)
      keys += page.items.map(\.reference.key.text)
      token = page.next
    } while token != nil
    return keys
  }

  func begin(_ key: String, size: Int64, partSize: Int64) async throws(BackendError) -> Upload {
    try await beginUpload(
      UploadPlan(key: ObjectKey(key), size: size, partSize: partSize, options: ObjectOptions()))
  }

  func send(_ number: Int, _ text: String, of upload: Upload) async throws(BackendError) -> Part {
    try await uploadPart(number, payload: Payload(.bytes(Array(text.utf8))), of: upload)
  }
}

extension TemporaryDirectory {
  /// Everything below it, folders with a `/` behind them.
  var tree: [String] {
    let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
    return names.map { isFolder($0) ? $0 + "/" : $0 }.sorted()
  }

  private func isFolder(_ name: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path + "/" + name, isDirectory: &isFolder)
      && isFolder.boolValue
  }

  func link(_ name: String, to destination: String) throws {
    try FileManager.default.createSymbolicLink(atPath: path + "/" + name, withDestinationPath: destination)
  }
}
