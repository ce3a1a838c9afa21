import SyncConfig
import Testing

@Suite("config show")
struct ShowTests {
  private let text = """
    version: 1
    state_dir: state
    remotes:
      aws: {backend: s3, bucket: "no", prefix: laptop/, transfer: {part_size: 16MiB, retries: 3}}
      disk: {backend: local, path: ~/mirror}
    defaults:
      exclude: ["*.tmp"]
    profiles:
      base: {remote: aws, directories: [{path: ~/a, prefix: a/}], exclude: "$${x}", require: {sentinel: .here}}
      p: {extends: base, max_delete: 7%, transfer: {retries: auto}}

    """

  @Test("a profile is shown with its remote, all that it inherits, and the defaults")
  func merged() throws {
    #expect(
      try load(text).show(profile: "p") == """
        version: 1
        state_dir: /etc/sync/state
        remotes:
          aws:
            backend: s3
            prefix: laptop/
            bucket: no
        profiles:
          p:
            remote: aws
            directories:
              - path: /home/u/a
                prefix: a/
            exclude:
              - "*.tmp"
              - "$${x}"
            delete: false
            max_delete: 7%
            symlinks: skip
            require:
              sentinel: ".here"
              not_empty: true
            busy_files: retry
            transfer:
              part_size: 16MiB
              multipart_threshold: auto
              concurrency: auto
              retries: auto
              whole_md5: false

        """)
  }

  @Test("what is shown loads, and means the same")
  func loadsAgain() throws {
    let configuration = try load(text)
    for remote in ["aws", "disk"] {
      let again = try load(try configuration.show(profile: "p", remote: remote))
      let (old, new) = (try configuration.profile(named: "p"), try again.profile(named: "p"))
      #expect(new.remote == remote)
      #expect(new.directories.map(\.path) == old.directories.map(\.path))
      #expect(new.exclude == old.exclude)
      #expect(new.maxDelete == old.maxDelete)
      #expect(new.require == old.require)
      #expect(again.stateDirectory == configuration.stateDirectory)
      let settings = configuration.transfer(for: old, remote: try configuration.remote(named: remote))
      #expect(again.transfer(for: new, remote: try again.remote(named: remote)) == settings)
      #expect(try again.remote(named: remote).backend == configuration.remote(named: remote).backend)
    }
  }

  @Test("patterns with every troublesome character survive")
  func troublesome() throws {
    let patterns = [
      "a: b", "#x", "- x", "'", "\"", "\\", "tab\tnewline\n", "é\u{85}\u{2028}", "*", "!", "&a", " x ", "{",
      "%", "x:", "@",
    ]
    let list = patterns.map {
      "\""
        + $0.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        .replacing("\n", with: "\\n").replacing("\t", with: "\\t").replacing("\u{85}", with: "\\N")
        .replacing("\u{2028}", with: "\\L") + "\""
    }
    let configuration = try load(Sample.profile("exclude: [\(list.joined(separator: ", "))]"))
    #expect(try configuration.profile(named: "p").exclude == patterns)
    let again = try load(try configuration.show(profile: "p"))
    #expect(try again.profile(named: "p").exclude == patterns)
  }
}
