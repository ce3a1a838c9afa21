import Glibc
import SyncEngine
import TestSupport
import Testing

/// One item of a scan, as text that a test can compare: `file a/b`, `excluded x/`.
struct SeenItem: Hashable, CustomStringConvertible {
  let path: [UInt8]
  let item: ScanItem

  var kind: String {
    switch item {
    case .file: "file"
    case .hidden(let reason, _): "\(reason)"
    case .unreadable(let code, _): "unreadable \(code)"
    }
  }

  var description: String { "\(kind) \(String(decoding: path, as: UTF8.self))" }
}

/// A source directory that a test fills.
struct ScanFixture {
  let directory: TemporaryDirectory
  var path: String { directory.path + "/source" }

  init(_ files: [String: String] = [:]) throws {
    directory = try TemporaryDirectory()
    try directory.write("", to: "source/x")
    unlink(path + "/x")
    for (name, text) in files { try write(text, to: name) }
  }

  func write(_ text: String, to name: String) throws {
    try directory.write(text, to: "source/" + name)
  }

  /// A link with this text at `name`.
  func link(_ name: String, to target: String) {
    #expect(symlink(target, path + "/" + name) == 0)
  }

  func source() throws -> SourceDirectory { try SourceDirectory(path: path) }

  func scan(_ options: ScanOptions = ScanOptions()) throws -> (items: [SeenItem], summary: ScanSummary) {
    var items: [SeenItem] = []
    let summary = try Scanner(source(), options).scan { items.append(SeenItem(path: Array($0), item: $1)) }
    return (items, summary)
  }

  /// The scan's items as text, in its order.
  func seen(_ options: ScanOptions = ScanOptions()) throws -> [String] {
    try scan(options).items.map(\.description)
  }

  /// The files that the scan would mirror, in its order.
  func files(exclude: [String] = [], include: [String] = []) throws -> [String] {
    let filter = try PathFilter(exclude: exclude, include: include)
    return try scan(ScanOptions(filter: filter)).items.compactMap { item in
      if case .file = item.item { String(decoding: item.path, as: UTF8.self) } else { nil }
    }
  }
}
