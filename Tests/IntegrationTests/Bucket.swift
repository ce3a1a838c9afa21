import Foundation
import TestSupport
import Testing

/// A fresh bucket, seen through clients that share no code with the program: boto3, or diff for a directory.
final class Bucket: Sendable {
  struct Contents: Decodable {
    struct Upload: Decodable {
      var key: String
      var id: String
      /// Numbers.
      var parts: [Int]
    }

    /// Keys.
    var objects: [String]
    var uploads: [Upload]
  }

  let name: String
  private let store: Store
  private let directory: TemporaryDirectory

  init(_ store: Store, in directory: TemporaryDirectory) async throws {
    self.store = store
    self.directory = directory
    name = "sync-test-\(UInt64.random(in: 0...(.max)))"
    switch store {
    case .local: try directory.makeFolder(name)
    case .server: try await succeed(.bucket, ["make", name])
    }
  }

  /// Of a local one.
  var path: String { directory.path + "/" + name }

  func contents() async throws -> Contents {
    switch store {
    case .server:
      let outcome = try await succeed(.bucket, ["show", name])
      return try JSONDecoder().decode(Contents.self, from: Data(outcome.output.utf8))
    case .local:
      let names = directory.names(in: name)
      let uploads = directory.names(in: name + "/.sync-uploads").filter { !$0.contains("/") }
      return Contents(
        objects: names.filter { !$0.hasPrefix(".sync-uploads") && !directory.isFolder(name + "/" + $0) }
          .sorted(),
        uploads: uploads.map { Contents.Upload(key: "", id: $0, parts: parts(ofUpload: $0)) })
    }
  }

  /// What differs between a folder of the workspace and the bucket below `mirror/`, orphaned uploads included.
  func differences(from folder: String, excluding excluded: [String] = []) async throws -> String {
    let folder = directory.path + "/" + folder
    let outcome: Outcome
    switch store {
    case .server:
      outcome = try await run(
        .compareBucket, [folder, name, "--prefix", "mirror/"] + excluded.flatMap { ["--exclude", $0] })
    case .local:
      outcome = try await run(
        .diff, ["-r", "--no-dereference"] + excluded.flatMap { ["-x", $0] } + [folder, path + "/mirror"])
    }
    let uploads = try await contents().uploads.map { "upload \($0.id) of \($0.key) left open\n" }
    return outcome.status == 0 && uploads.isEmpty ? "" : "\(uploads.joined())\(outcome.testDescription)"
  }

  @discardableResult
  private func succeed(_ tool: Tool, _ arguments: [String]) async throws -> Outcome {
    let outcome = try await run(tool, arguments)
    try #require(outcome.status == 0, "\(tool): \(outcome.testDescription)")
    return outcome
  }

  private func run(_ tool: Tool, _ arguments: [String]) async throws -> Outcome {
    var access: [String: String] = [:]
    if case .server(let server) = store, let own = server.access {
      access = [
        "S3_ENDPOINT": own.endpoint, "AWS_ACCESS_KEY_ID": own.accessKey,
        "AWS_SECRET_ACCESS_KEY": own.secretKey,
      ]
    }
    return try await tool.run(arguments, in: directory, environment: access)
  }

  /// A local bucket notes each part that is whole in a file named after its number.
  private func parts(ofUpload id: String) -> [Int] {
    directory.names(in: "\(name)/.sync-uploads/\(id)/parts").compactMap { Int($0) }.sorted()
  }
}
