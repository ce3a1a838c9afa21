import Foundation
import TestSupport
import Testing

/// A home, a source folder, a bucket and a configuration that belong to one test alone.
final class Workspace: Sendable {
  let directory: TemporaryDirectory
  let bucket: Bucket
  private let remote: [String]

  var path: String { directory.path }
  var source: String { path + "/source" }
  var state: String { path + "/state" }
  var configuration: String { path + "/config.yaml" }

  /// - Parameters:
  ///   - profile: lines of the profile `main` besides its remote and directory.
  ///   - endpoint: instead of the server's own: a proxy before it, or a server that only answers.
  init(_ store: Store = .local, profile: [String] = [], endpoint: String? = nil) async throws {
    directory = try TemporaryDirectory()
    for folder in ["home", "source", "tmp"] { try directory.makeFolder(folder) }
    bucket = try await Bucket(store, in: directory)
    remote = Workspace.remote(store, bucket, endpoint: endpoint)
    try configure(profile: profile)
  }

  /// Writes the configuration anew.
  /// - Parameter more: whole lines behind the profiles.
  func configure(profile: [String] = [], more: String = "") throws {
    try directory.write(
      """
      version: 1
      state_dir: \(state)
      remotes:
        there:
      \(remote.map { "    " + $0 }.joined(separator: "\n"))
      profiles:
        main:
          remote: there
          directories: [{path: \(source), prefix: mirror/}]
      \(profile.map { "    " + $0 }.joined(separator: "\n"))
      \(more)
      """, to: "config.yaml")
    chmod(configuration, 0o600)
  }

  private static func remote(_ store: Store, _ bucket: Bucket, endpoint: String?) -> [String] {
    var access = RealServer.Access(endpoint: "", accessKey: "AKIDEXAMPLE", secretKey: secret)
    if case .server(let server) = store, let own = server.access { access = own }
    access.endpoint = endpoint ?? access.endpoint
    if access.endpoint.isEmpty { return ["backend: local", "path: \(bucket.path)"] }
    return [
      "backend: s3", "endpoint: \(access.endpoint)", "region: us-east-1", "addressing: path",
      "bucket: \(bucket.name)",
      "credentials: {access_key_id: \(access.accessKey), secret_access_key: \(access.secretKey)}",
    ]
  }

  /// What stands in the configuration where a server only answers.
  static let secret = "wJalrXUtnFEMI-K7MDENG-bPxRfiCYEXAMPLEKEY"

  /// An empty file whose name ends in a byte that no UTF-8 has.
  func notUTF8(_ name: String) throws {
    let path = Array("\(path)/\(name)".utf8CString.dropLast()) + [-1, 0]
    let descriptor = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0o644)
    try #require(descriptor >= 0)
    close(descriptor)
  }

  /// Nothing of the machine's own user reaches the program.
  var environment: [String: String] {
    [
      "HOME": path + "/home", "XDG_CONFIG_HOME": path + "/home/.config",
      "XDG_STATE_HOME": path + "/home/.state",
      "TMPDIR": path + "/tmp", "PATH": Program.variable("PATH") ?? "/usr/bin:/bin", "LANG": "C.UTF-8",
    ]
  }

  /// Starts `sync` with the configuration of this workspace.
  func start(
    _ arguments: [String], environment more: [String: String] = [:], through prefix: [String] = [],
    program: String? = nil
  ) throws -> ChildProcess {
    let folder = "output/\(UUID().uuidString)"
    try directory.makeFolder(folder)
    return try ChildProcess(
      prefix + [try program ?? Program.path()] + arguments,
      environment: environment.merging(["SYNC_CONFIG": configuration]) { $1 }.merging(more) { $1 },
      in: path, output: path + "/" + folder)
  }

  func sync(
    _ arguments: String..., environment: [String: String] = [:], through prefix: [String] = []
  ) async throws -> Outcome {
    try await start(arguments, environment: environment, through: prefix).outcome()
  }

  /// Runs the profile with `--json`, expects it to end so, and gives its last event.
  @discardableResult
  func mirror(_ arguments: String..., endingWith status: Int32 = 0) async throws -> RunEvent {
    let outcome = try await start(["run", "main", "--json"] + arguments).outcome()
    #expect(outcome.status == status, "\(outcome.testDescription)")
    return try outcome.summary
  }
}

/// The bucket is the folder, no upload is left open, and the next run has nothing to do.
func expectMirrored(_ room: Workspace) async throws {
  let differences = try await room.bucket.differences(from: "source")
  #expect(differences == "")
  let again = try await room.sync("run", "main")
  #expect(again.output + again.errors == "")
  #expect(try await room.mirror().requests == 0)
}

extension TemporaryDirectory {
  func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(atPath: path + "/" + name, withIntermediateDirectories: true)
  }

  /// A file whose every mebibyte is another, so that a part in a wrong place shows.
  func writeLarge(_ size: Int, to name: String, seed: UInt64 = 1) throws {
    var random = SeededRandom(seed: seed)
    let words = (0..<(1 << 17)).map { _ in random.next() }
    var block = words.withUnsafeBytes { Data($0) }
    try write("", to: name)
    let file = try #require(FileHandle(forWritingAtPath: path + "/" + name))
    var written = 0
    while written < size {
      withUnsafeBytes(of: written) { block.replaceSubrange(0..<8, with: $0) }
      try file.write(contentsOf: block.prefix(size - written))
      written += block.count
    }
    try file.close()
  }

  func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: path + "/" + name)
  }

  /// Everything below a folder, by paths relative to it; empty where there is no folder.
  func names(in folder: String) -> [String] {
    FileManager.default.enumerator(atPath: path + "/" + folder)?.compactMap { $0 as? String } ?? []
  }

  /// Every name below a folder, with the bytes of files; small ones only.
  func snapshot(_ folder: String) -> [String: Data?] {
    let names = names(in: folder)
    return Dictionary(
      uniqueKeysWithValues: names.map { name in
        (name, FileManager.default.contents(atPath: "\(path)/\(folder)/\(name)"))
      })
  }

  func isFolder(_ name: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path + "/" + name, isDirectory: &isFolder)
      && isFolder.boolValue
  }
}
