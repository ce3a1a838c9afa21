import Foundation
import SyncManifest
import TestSupport

let target = ManifestIdentity(
  kind: "s3", endpoint: "http://127.0.0.1:9000", bucket: "Mirror", prefix: "laptop/")

func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

func sampleStamp(_ seed: Int64 = 1) -> FileStamp {
  FileStamp(
    size: 100 + seed, modified: 1_700_000_000_000_000_000 + seed, changed: 42 + seed,
    inode: .max - UInt64(seed))
}

func sampleRow(_ key: [UInt8], seed: Int64 = 1) -> ManifestRow {
  ManifestRow(
    key: key, stamp: sampleStamp(seed), readAt: 99 + seed,
    digest: .md5([UInt8](repeating: UInt8(seed & 255), count: 16)),
    optionsFingerprint: [1, 2, 3])
}

func sampleRow(_ key: String, seed: Int64 = 1) -> ManifestRow { sampleRow(bytes(key), seed: seed) }

func sampleUpload(_ key: String, at time: Int64 = 7) -> UploadRecord {
  UploadRecord(
    key: bytes(key), stamp: sampleStamp(), partSize: 8 << 20, optionsFingerprint: [9], intendedAt: time)
}

/// A manifest in a directory of its own, with one mapping of `/src` to `p/`.
struct Desk {
  let directory: TemporaryDirectory
  let manifest: Manifest
  let mapping: MappingID

  init() async throws {
    directory = try TemporaryDirectory()
    manifest = try Manifest.open(stateDirectory: directory.path, identity: target)
    mapping = try await manifest.mapping(source: bytes("/src"), keyPrefix: bytes("p/"))
  }

  func keys() throws -> [[UInt8]] { try rows().map(\.key) }

  func rows() throws -> [ManifestRow] { try manifest.allRows(of: mapping) }
}

extension Manifest {
  func allRows(of mapping: MappingID) throws -> [ManifestRow] {
    try withRows(of: mapping) { cursor in
      var rows: [ManifestRow] = []
      while try cursor.next() { rows.append(try cursor.row()) }
      return rows
    }
  }
}

/// What `ls` and `md5sum` would say of a directory: the names, sizes, times and contents of its files.
struct Listing: Equatable {
  struct Entry: Equatable {
    let size: Int
    let modified: Date
    let content: Data
  }

  let entries: [String: Entry]

  init(_ directory: String) throws {
    var entries: [String: Entry] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: directory) {
      let path = directory + "/" + name
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      entries[name] = Entry(
        size: attributes[.size] as? Int ?? -1,
        modified: attributes[.modificationDate] as? Date ?? .distantPast,
        content: try Data(contentsOf: URL(fileURLWithPath: path)))
    }
    self.entries = entries
  }
}

func mode(_ path: String) throws -> Int {
  try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int ?? -1
}
