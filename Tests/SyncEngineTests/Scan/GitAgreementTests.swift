import Foundation
import Glibc
import SyncEngine
import TestSupport
import Testing

@Suite("Patterns agree with git")
struct GitAgreementTests {
  @Test("random ignore files over random trees leave in exactly what git does", arguments: 1...3)
  func randomTrees(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let fixture = try ScanFixture()
    for number in 0..<40 {
      let top = "tree-\(number)/"
      for _ in 0..<24 { write("", to: top + randomPath(&random), in: fixture) }
      for folder in ["", "a/", "ab/", "a/b/"] where folder.isEmpty || Bool.random(using: &random) {
        let lines = (0..<Int.random(in: 1...6, using: &random)).map { _ in randomPattern(&random) }
        let end = Int.random(in: 0..<8, using: &random) == 0 ? "\r\n" : "\n"
        writeRules(lines.joined(separator: end), to: top + folder, in: fixture)
      }
    }
    try expectAgreement(in: fixture)
  }

  @Test("patterns from git's manual and odd ones")
  func known() throws {
    let paths = [
      "a", "b/a", "ab/b", "d/b/a", "b/a/b", "d/a", "[a", "a]b", "a b ", "a ", "#a", "!a", "a*b", "d/b/ab/x",
      "x-y/b",
      "abc/d/x", "d/x/y/b", "a\\",
    ]
    let patterns = [
      "a", "/a", "a/", "d/*", "d/**", "**/a", "d/**/b", "a**b", "*", "/*", "**", "**/", "!a", "\\!a", "\\#a",
      "#a",
      "[a-b]", "[!a]", "[^a]*", "[]a]", "[a", "a\\", "a ", "a\\ ", "a b\\ ", "a\\*b", "*/a", "d/*/", "/**/b",
      "d/b",
      "ab**/x", "x[-]y", "[[:alpha:]]", "[[:foo:]]", "?", "a?b", "[a-b-z]*", "[\\a]", "\\a", "\u{feff}a",
      "*\n!a",
      "/*\n!/a\n", "d\n!d/b", "*\n!*/\n!a", "***", "d/***", "//", "/", "!", "d//b", "[/]", "d[/]b", "**a",
      "d/**b",
      "a\\\\", "[[:]", "[[:a]", "[b-a]", "d/**/**/b", "**/**", "d/*/*/b", "\t", "a\t",
    ]
    let fixture = try ScanFixture()
    for (number, pattern) in patterns.enumerated() {
      for path in paths { write("", to: "tree-\(number)/" + path, in: fixture) }
      writeRules(pattern, to: "tree-\(number)/", in: fixture)
    }
    try expectAgreement(in: fixture)
  }

  /// What can't be written, because a file is where a folder would be, is left out.
  private func write(_ text: String, to name: String, in fixture: ScanFixture) {
    try? fixture.write(text, to: name)
  }

  private func writeRules(_ rules: String, to folder: String, in fixture: ScanFixture) {
    write(rules, to: folder + ".gitignore", in: fixture)
    write(rules, to: folder + ".syncignore", in: fixture)
  }

  private func expectAgreement(in fixture: ScanFixture) throws {
    let all = try fixture.scan(ScanOptions(readsIgnoreFiles: false)).items.map(\.path)
    let ours = Set(
      try fixture.scan().items.compactMap { item in
        if case .file = item.item { item.path } else { nil }
      })
    let ignored = try self.ignored(all, in: fixture)
    // Neither side may win by leaving everything in, or nothing.
    #expect(ignored.count > all.count / 10 && ignored.count < all.count * 9 / 10)
    for path in ours.symmetricDifference(Set(all).subtracting(ignored)) {
      let text = String(decoding: path, as: UTF8.self)
      let top = String(text.prefix { $0 != "/" })
      let rules = (try? fixture.directory.read("source/\(top)/.gitignore")).map {
        String(decoding: $0, as: UTF8.self)
      }
      Issue.record("git and we differ on \(text), below \(rules ?? "no rules")")
    }
  }

  private func pick(_ choices: [String], _ random: inout SeededRandom) -> String {
    choices[Int.random(in: 0..<choices.count, using: &random)]
  }

  private func randomPath(_ random: inout SeededRandom) -> String {
    let names = [
      "a", "b", "ab", "ba", "a.b", "aab", "[a]", "*", "a\\", " ", "a ", "\u{e9}", "#a", "!b", "x-y", "aXb",
    ]
    return (0..<Int.random(in: 1...4, using: &random)).map { _ in pick(names, &random) }.joined(
      separator: "/")
  }

  private func randomPattern(_ random: inout SeededRandom) -> String {
    let pieces = [
      "a", "b", "ab", "*", "**", "/", "/", "?", "[a-b]", "[!a]", "\\a", "\\", "[", "]", "**/", "/**", ".",
      " ", "\u{e9}",
      "[^b]", "[[:alpha:]]", "x-y", "***", "\\*", "[]-]", "[\\]a]",
    ]
    var pattern = (0..<Int.random(in: 1...5, using: &random)).map { _ in pick(pieces, &random) }.joined()
    if Int.random(in: 0..<4, using: &random) == 0 { pattern = "!" + pattern }
    if Int.random(in: 0..<4, using: &random) == 0 { pattern = "/" + pattern }
    if Int.random(in: 0..<4, using: &random) == 0 { pattern += "/" }
    if Int.random(in: 0..<6, using: &random) == 0 { pattern += pick([" ", "\\ ", "  ", "\t"], &random) }
    return pattern
  }

  /// Those of the paths that git ignores. The repository stands beside the tree and knows no other ignore file.
  private func ignored(_ paths: [[UInt8]], in fixture: ScanFixture) throws -> [[UInt8]] {
    let repository = fixture.directory.path + "/repository"
    _ = try git(["init", "-q", "--bare", repository], [])
    let answer = try git(
      [
        "-c", "core.excludesFile=/dev/null", "-c", "core.bare=false", "--git-dir=\(repository)",
        "--work-tree=\(fixture.path)", "check-ignore", "--no-index", "-z", "--stdin",
      ], paths.flatMap { $0 + [0] }, in: fixture.path)
    return answer.split(separator: 0).map { Array($0) }
  }

  private func git(_ arguments: [String], _ input: [UInt8], in directory: String = "/") throws -> [UInt8] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["git"] + arguments
    process.currentDirectoryURL = URL(fileURLWithPath: directory)
    process.environment = [
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin", "HOME": directory,
    ]
    let standardInput = Pipe(), standardOutput = Pipe()
    process.standardInput = standardInput
    process.standardOutput = standardOutput
    try process.run()
    try standardInput.fileHandleForWriting.write(contentsOf: Data(input))
    try standardInput.fileHandleForWriting.close()
    let output = try standardOutput.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    // 1: nothing is ignored.
    #expect(process.terminationStatus <= 1)
    return Array(output)
  }
}
