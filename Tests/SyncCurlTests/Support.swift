import Foundation
import SyncCurl
import SyncHTTP
import Synchronization
import TestSupport
import Testing

/// A client that no proxy variable of the machine can lead astray.
func makeClient(_ change: (inout CurlOptions) -> Void = { _ in }) throws -> CurlClient {
  var options = CurlOptions(proxy: "")
  change(&options)
  return try CurlClient(options)
}

/// The error of a call that has to fail.
func failure(_ call: () async throws(HTTPError) -> HTTPResponse) async -> HTTPError? {
  do {
    let response = try await call()
    Issue.record("answered \(response.status) instead of failing")
    return nil
  } catch {
    return error
  }
}

extension TemporaryDirectory {
  /// Writes a file and opens it for reading.
  func open(_ bytes: some Sequence<UInt8>, as name: String = "file") throws -> OpenFile {
    let path = try write(bytes, to: name)
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    try #require(descriptor >= 0)
    return OpenFile(owning: descriptor)
  }
}

/// Bytes that repeat after a prime number of them, so that a piece in a wrong place shows.
func pattern(_ count: Int) -> [UInt8] {
  let block = (0..<4099).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 5) }
  var bytes: [UInt8] = []
  bytes.reserveCapacity(count + block.count)
  while bytes.count < count { bytes.append(contentsOf: block) }
  bytes.removeLast(bytes.count - count)
  return bytes
}

/// As `==`, which takes a second for some megabytes in a debug build.
func same(_ left: some ContiguousBytes, _ right: some ContiguousBytes) -> Bool {
  left.withUnsafeBytes { left in
    right.withUnsafeBytes { right in
      guard let one = left.baseAddress, let other = right.baseAddress else {
        return left.count == right.count
      }
      return left.count == right.count && memcmp(one, other, left.count) == 0
    }
  }
}

/// Keeps what it is given, up to a bound.
final class KeepingSink: ByteSink {
  private let kept = Mutex<[UInt8]>([])
  private let bound: Int

  init(bound: Int = .max) { self.bound = bound }

  var bytes: [UInt8] { kept.withLock { $0 } }

  func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    kept.withLock { kept in
      guard kept.count + bytes.count <= bound else { return false }
      kept.append(contentsOf: bytes)
      return true
    }
  }
}

final class Counter: Sendable {
  private let count = Atomic<Int>(0)

  var value: Int { count.load(ordering: .sequentiallyConsistent) }

  func add(_ amount: Int) { count.add(amount, ordering: .sequentiallyConsistent) }
}

/// Nil once the file is closed. (Its descriptor's number would not tell: another test may get it next.)
struct WeakFile {
  weak var file: OpenFile?
}
