import Glibc
import SyncBackend
import SyncEngine

/// Nanoseconds since 1970, by the system's clock.
public func systemNow() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_REALTIME, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

/// An environment variable's value.
public func systemEnvironment(_ name: String) -> String? {
  getenv(name).map { String(cString: $0) }
}

/// Where the process works; `/` where that folder is gone.
func currentDirectory() -> String {
  guard let path = getcwd(nil, 0) else { return "/" }
  defer { free(path) }
  return String(cString: path)
}

extension Timing {
  /// The system's clocks.
  public static var system: Timing {
    Timing(
      now: systemNow,
      uptime: {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
      },
      sleep: { try await Task.sleep(for: $0) },
      random: { Double.random(in: 0..<1) })
  }
}
