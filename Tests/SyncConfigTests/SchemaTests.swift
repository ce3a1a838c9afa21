import Foundation
import SyncConfig
import TestSupport
import Testing

/// The schema is judged by another implementation than ours: Python's jsonschema, where it is installed.
@Suite("config schema")
struct SchemaTests {
  @Test("it is JSON that names every key and refuses others")
  func json() throws {
    let object = try JSONSerialization.jsonObject(with: Data(reader().schema().utf8))
    let schema = try #require(object as? [String: Any])
    #expect(schema["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
    #expect(schema["additionalProperties"] as? Bool == false)
    #expect(schema["required"] as? [String] == ["version", "remotes", "profiles"])
    let properties = try #require(schema["properties"] as? [String: [String: Any]])
    #expect(
      Set(properties.keys) == ["version", "state_dir", "remotes", "defaults", "profiles", "plugins_path"])
    let remote = try #require(properties["remotes"]?["additionalProperties"] as? [String: Any])
    let kinds = try #require(remote["oneOf"] as? [[String: Any]])
    let words = kinds.map { kind in
      ((kind["properties"] as? [String: [String: Any]])?["backend"]?["const"] as? String) ?? ""
    }
    #expect(words == ["s3", "local"])
    #expect(kinds.map { $0["required"] as? [String] } == [["backend", "bucket"], ["backend", "path"]])
    #expect(kinds.allSatisfy { $0["additionalProperties"] as? Bool == false })
  }

  @Test("it takes what loads, read as YAML types it and as text", .enabled(if: Validator.isInstalled))
  func takes() throws {
    let numbers = Sample.profile(
      "max_delete: 100\nexclude: one\ntransfer: {part_size: 1048576, concurrency: \"${N:-4}\"}")
    let texts = [try ExampleTests.example(), starterConfiguration, Sample.minimal, numbers]
    #expect(texts.map { issues($0) } == texts.map { _ in [] })
    #expect(try Validator.problems(with: texts, schema: reader().schema()) == texts.map { _ in [] })
  }

  @Test("it refuses what does not load", .enabled(if: Validator.isInstalled))
  func refuses() throws {
    let settings = [
      "delete: maybe", "max_delete: 10 percent", "symlinks: folow", "budget: {upload: 1GB}", "unknown: 1",
      "transfer: {part_size: 8M}", "transfer: {limit_rate: 1MB/s}", "require: {same_filesystem: true}",
      "busy_files: defer", "extends: -x", "transfer: {concurrency: 0x1}", "directory: /x", "transfer: 5",
    ]
    let remotes = [
      ("local", "s3"), ("path: /mnt", "paht: /mnt"), ("/mnt/disk", "/mnt/disk\n    prefix: /x/"),
    ]
    let texts =
      settings.map(Sample.profile) + remotes.map { Sample.minimal.replacing($0.0, with: $0.1) }
    for (text, problems) in zip(texts, try Validator.problems(with: texts, schema: reader().schema())) {
      #expect(!issues(text).isEmpty, "\(text)")
      #expect(!problems.isEmpty, "\(text)")
    }
  }
}

/// One Python process that holds YAML texts to a schema.
private enum Validator {
  static let isInstalled = (try? python(["-c", "import jsonschema, yaml"]))?.status == 0

  /// - Returns: for each text what is wrong with it, whether its scalars are read as text or typed by YAML.
  static func problems(with texts: [String], schema: String) throws -> [[String]] {
    let folder = try TemporaryDirectory()
    let paths = try texts.enumerated().map { try folder.write($1, to: "\($0).yaml") }
    let (status, output) = try python(["-c", script, try folder.write(schema, to: "schema.json")] + paths)
    #expect(status == 0, "\(output)")
    let lines = output.split(separator: "\n")
    return paths.map { path in lines.filter { $0.hasPrefix("\(path) ") }.map(String.init) }
  }

  private static let script = """
    import json, sys, yaml, jsonschema
    schema = json.load(open(sys.argv[1]))
    jsonschema.Draft202012Validator.check_schema(schema)
    for path in sys.argv[2:]:
      for loader in yaml.BaseLoader, yaml.SafeLoader:
        for error in jsonschema.Draft202012Validator(schema).iter_errors(yaml.load(open(path), loader)):
          print(path, loader.__name__, list(error.absolute_path))
    """

  private static func python(_ arguments: [String]) throws -> (status: Int32, output: String) {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3"] + arguments
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }
}
