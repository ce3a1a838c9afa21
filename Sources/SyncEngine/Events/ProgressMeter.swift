import SyncBackend
import Synchronization

/// Counts what has been sent, over files and parts that are under way at once.
final class ProgressMeter: Sendable {
  private struct State {
    var files: Int64 = 0
    var totalFiles: Int64 = 0
    var finishedBytes: Int64 = 0
    var totalBytes: Int64 = 0
    var active: [Int64: Progress.ActiveFile] = [:]
  }

  private let state = Mutex(State())

  func expect(files: Int64, bytes: Int64) {
    state.withLock {
      $0.totalFiles += files
      $0.totalBytes += bytes
    }
  }

  func begin(_ id: Int64, path: [UInt8], size: Int64, alreadySent: Int64 = 0) {
    state.withLock { $0.active[id] = Progress.ActiveFile(path: path, sent: alreadySent, size: size) }
  }

  func sent(_ bytes: Int64, of id: Int64) {
    state.withLock { $0.active[id]?.sent += bytes }
  }

  func end(_ id: Int64) {
    state.withLock { state in
      guard let file = state.active.removeValue(forKey: id) else { return }
      state.files += 1
      state.finishedBytes += file.size
    }
  }

  func snapshot(seconds: Double) -> Progress {
    state.withLock { state in
      let active = state.active.values.sorted { ($0.size, $1.path.count) > ($1.size, $0.path.count) }
      let partial = active.reduce(Int64(0)) { $0 + min($1.sent, $1.size) }
      return Progress(
        files: state.files, totalFiles: state.totalFiles, bytes: state.finishedBytes + partial,
        totalBytes: state.totalBytes, seconds: seconds, active: active)
    }
  }

  /// Counts the bytes of one attempt at sending a payload, so that those of a failed attempt can be taken back.
  final class Attempt: Sendable {
    private let meter: ProgressMeter
    private let id: Int64
    private let counted = Mutex<Int64>(0)

    init(_ meter: ProgressMeter, _ id: Int64) {
      self.meter = meter
      self.id = id
    }

    func sent(_ bytes: Int) {
      counted.withLock { $0 += Int64(bytes) }
      meter.sent(Int64(bytes), of: id)
    }

    func takeBack() {
      let bytes = counted.withLock { counted in
        defer { counted = 0 }
        return counted
      }
      meter.sent(-bytes, of: id)
    }
  }
}
