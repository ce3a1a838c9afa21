import ConfigTree
import SyncConfig
import Testing

@Suite("Profiles")
struct ProfileTests {
  @Test("what a profile does not say has defaults that harm nobody")
  func defaults() throws {
    let configuration = try load(Sample.minimal)
    let profile = try configuration.profile(named: "p")
    #expect(profile.remote == "disk")
    #expect(profile.directories.map(\.path) == ["/data"])
    #expect(profile.directories.map(\.prefix) == ["data/"])
    #expect(profile.directories.map(\.location.line) == [10])
    #expect(profile.location.line == 7)
    #expect(profile.exclude == [])
    #expect(profile.include == [])
    #expect(!profile.delete)
    #expect(profile.maxDelete == .percent(10))
    #expect(profile.symlinks == .skip)
    #expect(profile.require == Requirements(sentinel: nil, notEmpty: true))
    let remote = try configuration.remote(named: "disk")
    #expect(remote.kind == "local")
    #expect(remote.prefix == "")
    #expect(remote.backend == TestBackend(values: ["path": "/mnt/disk"]))
    #expect(configuration.transfer(for: profile, remote: remote) == TransferSettings())
  }

  @Test("what it says is what it gets")
  func everything() throws {
    let profile = try load(
      Sample.profile(
        """
        exclude: ["*.tmp", "!keep.tmp"]
        include: only
        delete: true
        max_delete: 5
        symlinks: follow-inside
        busy_files: retry
        require: {sentinel: a/b, not_empty: false}
        """)
    ).profile(named: "p")
    #expect(profile.exclude == ["*.tmp", "!keep.tmp"])
    #expect(profile.include == ["only"])
    #expect(profile.delete)
    #expect(profile.maxDelete == .count(5))
    #expect(profile.symlinks == .followInside)
    #expect(profile.require == Requirements(sentinel: "a/b", notEmpty: false))
  }

  @Test("paths begin at home or in the file's folder, and are tidied")
  func paths() throws {
    func path(_ written: String, file: String) throws -> String? {
      let text = Sample.minimal.replacing("/data", with: written)
      return try reader().read(Array(text.utf8), path: file).profile(named: "p").directories.first?.path
    }
    #expect(try path("~/Pictures/", file: "c.yaml") == "/home/u/Pictures")
    #expect(try path("Pictures", file: "c.yaml") == "/etc/sync/Pictures")
    #expect(try path("./a/../b", file: "../c.yaml") == "/etc/b")
    #expect(try path("Pictures", file: "/srv/conf/c.yaml") == "/srv/conf/Pictures")
    #expect(try path("Pictures", file: "/c.yaml") == "/Pictures")
  }

  @Test("the state directory is the one named, else XDG's, else below home")
  func stateDirectory() throws {
    #expect(try load("state_dir: ~/s\n" + Sample.minimal).stateDirectory == "/home/u/s")
    #expect(try load(Sample.minimal).stateDirectory == "/home/u/.local/state/sync")
    #expect(try load(Sample.minimal, ["XDG_STATE_HOME": "/x/"]).stateDirectory == "/x/sync")
    #expect(
      try load(Sample.minimal, ["XDG_STATE_HOME": "relative", "HOME": "/h"]).stateDirectory
        == "/h/.local/state/sync")
    #expect(
      issues(Sample.minimal, [:]) == [
        "1:1: state_dir is missing, and neither XDG_STATE_HOME nor HOME says where it would be"
      ])
  }

  @Test("a name that is not there finds the nearest one")
  func unknownNames() throws {
    let configuration = try load(Sample.minimal)
    #expect(
      failure { () throws(ConfigurationError) in _ = try configuration.remote(named: "dsik") }
        == ["config.yaml: there is no remote \"dsik\"; did you mean disk?"])
    #expect(
      failure { () throws(ConfigurationError) in _ = try configuration.profile(named: "photos") }
        == ["config.yaml: there is no profile \"photos\"; there are p"])
  }
}

@Suite("What profiles inherit")
struct InheritanceTests {
  private let family = """
    version: 1
    remotes:
      one: {backend: local, path: /mnt/one}
      two: {backend: local, path: /mnt/two}
    defaults:
      exclude: [d]
      include: di
      max_delete: 5%
      require: {sentinel: .here}
    profiles:
      child:
        extends: parent
        remote: two
        exclude: [c1, c2]
        require: {not_empty: false}
      parent:
        remote: one
        directories: [{path: /a, prefix: a/}, {path: /b, prefix: b/}]
        exclude: p
        delete: true
        max_delete: 7
      grandchild:
        extends: child
        directories: [{path: /g, prefix: g/}]
        delete: false

    """

  @Test(
    "defaults lie lowest, then what is extended, then the profile; lists of patterns append, the rest replaces"
  )
  func layers() throws {
    let configuration = try load(family)
    let child = try configuration.profile(named: "child")
    #expect(child.remote == "two")
    #expect(child.directories.map(\.path) == ["/a", "/b"])
    #expect(child.exclude == ["d", "p", "c1", "c2"])
    #expect(child.include == ["di"])
    #expect(child.delete)
    #expect(child.maxDelete == .count(7))
    #expect(child.require == Requirements(sentinel: ".here", notEmpty: false))
    let grandchild = try configuration.profile(named: "grandchild")
    #expect(grandchild.remote == "two")
    #expect(grandchild.directories.map(\.path) == ["/g"])
    #expect(grandchild.exclude == ["d", "p", "c1", "c2"])
    #expect(!grandchild.delete)
    let parent = try configuration.profile(named: "parent")
    #expect(parent.exclude == ["d", "p"])
    #expect(parent.require == Requirements(sentinel: ".here", notEmpty: true))
  }

  @Test("circles are reported once each, where they begin in the file")
  func circles() {
    let text = """
      version: 1
      remotes: {r: {backend: local, path: /r}}
      defaults: {remote: r, directories: [{path: /a}]}
      profiles:
        a: {extends: c}
        b: {extends: a}
        c: {extends: b}
        self: {extends: self}
        outside: {extends: a}

      """
    #expect(
      issues(text) == [
        "5:16: profiles.a.extends goes round in a circle: a → c → b → a",
        "8:19: profiles.self.extends goes round in a circle: self → self",
      ])
  }

  @Test("a mistake that is inherited is reported once, under the name that it has in the file")
  func once() {
    let text = family.replacing("max_delete: 5%", with: "max_delete: 5x").replacing(
      "delete: true", with: "delete: yes")
    #expect(
      issues(text) == [
        "8:15: defaults.max_delete must be a number of files or a percentage up to 100%, found \"5x\"",
        "20:13: profiles.parent.delete must be true or false, found \"yes\"",
      ])
  }
}

@Suite("Transfer settings")
struct TransferTests {
  private let text = """
    version: 1
    remotes:
      r: {backend: local, path: /r, transfer: {part_size: 16MiB, concurrency: 2, retries: 9}}
      plain: {backend: local, path: /plain}
    defaults: {transfer: {part_size: 8MiB, multipart_threshold: 1GB, whole_md5: true, concurrency: 1}}
    profiles:
      p: {remote: r, directories: [{path: /p, prefix: p/}], transfer: {concurrency: auto}}
      child: {extends: p, transfer: {retries: 0, whole_md5: false}}

    """

  @Test("options go over the profile's, those over the remote's, those over the defaults'")
  func layers() throws {
    let configuration = try load(text)
    let profile = try configuration.profile(named: "p")
    let child = try configuration.profile(named: "child")
    let remote = try configuration.remote(named: "r")
    #expect(
      configuration.transfer(for: profile, remote: remote)
        == TransferSettings(
          partSize: 16 << 20, multipartThreshold: 1_000_000_000, concurrency: nil, retries: 9, wholeMD5: true)
    )
    #expect(
      configuration.transfer(for: child, remote: remote)
        == TransferSettings(
          partSize: 16 << 20, multipartThreshold: 1_000_000_000, concurrency: nil, retries: 0, wholeMD5: false
        ))
    var options = TransferOverrides()
    options.concurrency = .value(7)
    options.partSize = .auto
    #expect(
      configuration.transfer(for: profile, remote: try configuration.remote(named: "plain"), options: options)
        == TransferSettings(
          partSize: nil, multipartThreshold: 1_000_000_000, concurrency: 7, retries: nil, wholeMD5: true))
  }

  @Test("sizes and numbers that cannot be are refused; auto is always right")
  func values() throws {
    #expect(
      issues(
        Sample.profile(
          "transfer: {part_size: 0, concurrency: 1025, retries: -1, whole_md5: auto, parts_size: 1}"))
        == [
          "12:27: profiles.p.transfer.part_size must be a size such as 8MiB, 512KB or 1GB, or auto, found \"0\"",
          "12:43: profiles.p.transfer.concurrency must be a whole number from 1 to 1024, or auto, found \"1025\"",
          "12:58: profiles.p.transfer.retries must be a whole number from 0 to 100, or auto, found \"-1\"",
          "12:73: profiles.p.transfer.whole_md5 must be true or false, found \"auto\"",
          "12:79: unknown key profiles.p.transfer.parts_size; did you mean part_size?",
        ])
    let all = "transfer: {part_size: auto, multipart_threshold: auto, concurrency: auto, retries: auto}"
    #expect(issues(Sample.profile(all)) == [])
  }

  @Test("limit_rate is refused, be it a rate or a timetable")
  func limitRate() {
    let refused = ["12:28: profiles.p.transfer.limit_rate is not supported by this version"]
    #expect(issues(Sample.profile("transfer: {limit_rate: 10MB/s}")) == refused)
    #expect(issues(Sample.profile("transfer: {limit_rate: {\"08:00\": 1MB}}")) == refused)
    #expect(
      issues(Sample.profile("transfer: {limit_rate: [1MB]}")) == [
        "12:28: profiles.p.transfer.limit_rate must be a rate such as 10MB/s, found a list"
      ])
  }
}
