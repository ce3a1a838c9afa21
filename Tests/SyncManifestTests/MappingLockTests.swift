import Foundation
import SyncManifest
import TestSupport
import Testing

@Suite("The lock of a mapping")
struct MappingLockTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func acquire(_ source: String = "/src", _ prefix: String = "p/") throws -> MappingLock {
    try MappingLock.acquire(
      stateDirectory: directory.path, identity: target, source: bytes(source), keyPrefix: bytes(prefix))
  }

  @Test("A second holder is refused at once, by the pid of the first; released, it is free")
  func exclusion() throws {
    do {
      let lock = try acquire()
      #expect(try mode(lock.path) == 0o600)
      #expect(throws: MappingLockError.held(pid: getpid(), path: lock.path)) { try acquire() }
      withExtendedLifetime(lock) {}
    }
    withExtendedLifetime(try acquire()) {}
  }

  @Test("Other mappings and other targets have locks of their own")
  func independence() throws {
    let locks = [try acquire(), try acquire("/src", "q/"), try acquire("/sr", "cp/")]
    let other = ManifestIdentity(kind: "local", endpoint: "", bucket: "/mnt", prefix: "")
    let elsewhere = try MappingLock.acquire(
      stateDirectory: directory.path, identity: other, source: bytes("/src"), keyPrefix: bytes("p/"))
    #expect(Set((locks + [elsewhere]).map(\.path)).count == 4)
  }

  @Test("Another process that holds it is named by its pid")
  func otherProcess() async throws {
    let held = directory.path + "/held"
    let done = directory.path + "/done"
    async let child = #expect(processExitsWith: .success) {
      [path = directory.path as String, held = held as String, done = done as String] in
      let lock = try MappingLock.acquire(
        stateDirectory: path, identity: target, source: bytes("/src"), keyPrefix: bytes("p/"))
      try Data("\(getpid())".utf8).write(to: URL(fileURLWithPath: held), options: .atomic)
      for _ in 0..<2000 where access(done, F_OK) != 0 { try await Task.sleep(for: .milliseconds(10)) }
      withExtendedLifetime(lock) {}
    }
    for _ in 0..<2000 where access(held, F_OK) != 0 { try await Task.sleep(for: .milliseconds(10)) }
    let pid = try #require(Int32(String(decoding: try directory.read("held"), as: UTF8.self)))
    #expect(pid != getpid())
    #expect {
      try acquire()
    } throws: { error in
      guard case .held(pid, _) = error as? MappingLockError else { return false }
      return String(describing: error).contains("\(pid)")
    }
    try directory.write("", to: "done")
    _ = await child
    withExtendedLifetime(try acquire()) {}
  }

  @Test("A holder that was killed blocks nobody")
  func deadHolder() async throws {
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = directory.path as String] in
      let lock = try MappingLock.acquire(
        stateDirectory: path, identity: target, source: bytes("/src"), keyPrefix: bytes("p/"))
      withExtendedLifetime(lock) { _ = kill(getpid(), SIGKILL) }
    }
    withExtendedLifetime(try acquire()) {}
  }

  @Test("A child that outlives its parent's run doesn't keep the lock")
  func child() throws {
    let child = Process()
    let input = Pipe()
    do {
      let lock = try acquire()
      child.executableURL = URL(fileURLWithPath: "/bin/cat")
      child.standardInput = input
      try child.run()
      withExtendedLifetime(lock) {}
    }
    let next = try acquire()
    #expect(child.isRunning)
    try input.fileHandleForWriting.close()
    child.waitUntilExit()
    withExtendedLifetime(next) {}
  }

  @Test(
    "A pid that names no process, or none yet, is not told", arguments: ["", "nonsense", "0", "2147483646"])
  func stalePid(content: String) throws {
    let lock = try acquire()
    try Data(content.utf8).write(to: URL(fileURLWithPath: lock.path))
    #expect(throws: MappingLockError.held(pid: nil, path: lock.path)) { try acquire() }
  }

  @Test("Where the state directory can't be made, the error says so")
  func io() throws {
    let file = try directory.write("x", to: "file")
    #expect {
      try MappingLock.acquire(stateDirectory: file + "/state", identity: target, source: [], keyPrefix: [])
    } throws: { error in
      guard case .io = error as? MappingLockError else { return false }
      return true
    }
  }
}
