import ConfigTree
import SyncConfig
import Testing

@Suite("Mistakes in a configuration")
struct IssueTests {
  @Test("all of them are reported at once, in the order of the file")
  func allAtOnce() {
    let text = """
      version: 2
      state_dri: /var/lib/sync
      plugins_path: /usr/lib/sync
      remotes:
        aws:
          backend: s33
          bucket: b
        disk:
          backend: local
          paht: /mnt
          prefix: /x
          transfer: {part_size: 8M, concurrency: 0, limit_rate: 1MB/s}
        "a b":
          backend: local
          path: /mnt
      defaults:
        delete: no
        extends: photos
        exclude: {a: b}
      profiles:
        photos:
          remote: awz
          directories:
            - path: ~/Pictures
              prefix: photos
            - prefx: a/
          max_delete: 110%
          symlinks: folow
          require: {sentinel: ../up, same_filesystem: true}
          busy_files: defer
          budget: {upload: 1GB}
          notify: {url: https://x}
          transfer: {limit_rate: fast}
        nightly:
          extends: photo
          delete: maybe

      """
    let s3s = "one of s3, local"
    let names = "a name of letters, digits, \".\", \"_\" and \"-\""
    let prefix = "must be empty, or end in / and have no empty, . or .. segment"
    #expect(
      issues(text) == [
        "1:10: version must be 1, the only version that this program reads, found \"2\"",
        "2:1: unknown key state_dri; did you mean state_dir?",
        "3:15: plugins_path is not supported by this version",
        "6:14: remotes.aws.backend must be \(s3s), found \"s33\"; did you mean s3?",
        "8:3: remotes.disk.path is missing: the directory that is the bucket",
        "10:5: unknown key remotes.disk.paht; did you mean path?",
        "11:13: remotes.disk.prefix \(prefix), found \"/x\"",
        "12:27: remotes.disk.transfer.part_size must be a size such as 8MiB, 512KB or 1GB, or auto, found \"8M\"",
        "12:44: remotes.disk.transfer.concurrency must be a whole number from 1 to 1024, or auto, found \"0\"",
        "12:59: remotes.disk.transfer.limit_rate is not supported by this version",
        "13:3: \"a b\" cannot name a remote: it must be \(names)",
        "17:11: defaults.delete must be true or false, found \"no\"",
        "18:3: unknown key defaults.extends",
        "19:12: defaults.exclude must be a list, found a mapping",
        "22:13: profiles.photos.remote must be one of aws, disk, a b, found \"awz\"; did you mean aws?",
        "25:17: profiles.photos.directories[0].prefix \(prefix), found \"photos\"",
        "26:9: profiles.photos.directories[1].path is missing: the source directory",
        "26:9: unknown key profiles.photos.directories[1].prefx; did you mean prefix?",
        "27:17: profiles.photos.max_delete must be a number of files or a percentage up to 100%, found \"110%\"",
        "28:15: profiles.photos.symlinks must be one of skip, follow, follow-inside, found \"folow\"; "
          + "did you mean follow?",
        "29:25: profiles.photos.require.sentinel must be a path below the source directory, without empty, . or .. "
          + "segments, found \"../up\"",
        "29:49: profiles.photos.require.same_filesystem is not supported by this version",
        "30:17: profiles.photos.busy_files: defer is not supported by this version, only retry",
        "31:13: profiles.photos.budget is not supported by this version",
        "32:13: profiles.photos.notify is not supported by this version",
        "33:28: profiles.photos.transfer.limit_rate must be a rate such as 10MB/s, found \"fast\"",
        "34:3: profiles.nightly.directories is missing: the source directories",
        "34:3: profiles.nightly.remote is missing: the name of a remote under remotes",
        "35:14: profiles.nightly.extends must be one of photos, nightly, found \"photo\"; did you mean photos?",
        "36:13: profiles.nightly.delete must be true or false, found \"maybe\"",
      ])
  }

  @Test("a file with nothing in it misses everything that it must have")
  func missing() {
    #expect(
      issues("state_dir: /s\n") == [
        "1:1: profiles is missing: what to mirror, by names of your choosing",
        "1:1: remotes is missing: the places to mirror to, by names of your choosing",
        "1:1: version is missing: the version of the configuration's language, which is 1",
      ])
    #expect(
      issues("version: 1\nremotes: {}\nprofiles:\n") == [
        "2:10: remotes is missing: the places to mirror to, by names of your choosing",
        "3:1: profiles is missing: what to mirror, by names of your choosing",
      ])
  }

  @Test("a backend of the contract that this version lacks is told apart from a typing error")
  func laterBackends() {
    func found(_ word: String) -> [String] {
      issues(
        "version: 1\nremotes: {a: {backend: \(word), bucket: b}}\n"
          + "profiles: {p: {remote: a, directories: [{path: /x}]}}\n")
    }
    let place = "2:24: remotes.a.backend"
    #expect(found("oss") == ["\(place): oss is not supported by this version, only s3, local"])
    #expect(
      found("chunked-post") == ["\(place): chunked-post is not supported by this version, only s3, local"])
    #expect(found("os") == ["\(place) must be one of s3, local, found \"os\""])
  }

  @Test("a remote's missing and empty parts are named")
  func remote() {
    #expect(
      issues(
        "version: 1\nremotes:\n  a:\n  b: text\n  c: {backend: local, path: /x, transfer: 5}\nprofiles: {p: 1}\n"
      ) == [
        "3:3: remotes.a.backend is missing: the kind of store it is",
        "4:6: remotes.b must be a mapping, found text",
        "5:43: remotes.c.transfer must be a mapping, found text",
        "6:15: profiles.p must be a mapping, found text",
      ])
  }

  @Test(
    "a prefix is empty, or segments that each end in a slash",
    arguments: ["photos", "/photos/", "a//b/", "./", "../", "a/../b/", "/", "//"])
  func wrongPrefixes(prefix: String) {
    let text = Sample.minimal.replacing("data/", with: "\"\(prefix)\"")
    #expect(
      issues(text) == [
        "11:17: profiles.p.directories[0].prefix must be empty, or end in / and have no empty, . or .. segment, "
          + "found \"\(prefix)\""
      ])
  }

  @Test(
    "prefixes may hold blanks, dots and accents", arguments: ["", "a b/", ".../", ".a/b./", "é/", "a/b/c/"])
  func prefixes(prefix: String) throws {
    let text = Sample.minimal.replacing("data/", with: "\"\(prefix)\"")
    #expect(try load(text).profile(named: "p").directories.map(\.prefix) == [prefix])
  }

  @Test(
    "delete limits are files or percent",
    arguments: [
      ("0", DeleteLimit.count(0)), ("1000", .count(1000)), ("10%", .percent(10)), ("0%", .percent(0)),
      ("2.5%", .percent(2.5)), ("100%", .percent(100)),
    ])
  func deleteLimits(text: String, limit: DeleteLimit) throws {
    #expect(try load(Sample.profile("max_delete: \(text)")).profile(named: "p").maxDelete == limit)
  }

  @Test(
    "what is no delete limit is none",
    arguments: ["-1", "+1", "1.5", "101%", "%", "10 %", ".5%", "5.%.", "1e1%", "all"])
  func noDeleteLimits(text: String) {
    #expect(
      issues(Sample.profile("max_delete: \"\(text)\"")) == [
        "12:17: profiles.p.max_delete must be a number of files or a percentage up to 100%, found \"\(text)\""
      ])
  }

  @Test("a file that cannot be read is an issue about the file as a whole")
  func unreadable() {
    #expect(
      failure { () throws(ConfigurationError) in _ = try reader().load(path: "/nonexistent/config.yaml") }
        == ["/nonexistent/config.yaml: cannot read the configuration: No such file or directory"])
    #expect(
      failure { () throws(ConfigurationError) in _ = try reader().load(path: "/") }
        == ["/: cannot read the configuration: Is a directory"])
  }

  @Test("every issue stands inside the file, whatever is cut out of it")
  func placesAreInside() throws {
    let bytes = Array(try ExampleTests.example().utf8)
    let environment = ["HOME": "/home/u"]
    for cut in stride(from: 0, to: bytes.count, by: 53) {
      let mangled = Array(bytes[..<cut]) + bytes[min(bytes.count, cut + 5)...]
      for text in [Array(bytes[..<cut]), mangled] {
        expectInside(text, environment)
      }
    }
  }

  private func expectInside(_ bytes: [UInt8], _ environment: [String: String]) {
    let text = String(decoding: bytes, as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    do {
      _ = try reader(environment).read(bytes, path: "config.yaml")
    } catch {
      #expect(!error.issues.isEmpty)
      for issue in error.issues {
        let place = issue.location
        #expect((1...lines.count).contains(place.line), "\(issue)")
        guard (1...lines.count).contains(place.line) else { continue }
        #expect((1...(lines[place.line - 1].count + 1)).contains(place.column), "\(issue)")
      }
    }
  }
}
