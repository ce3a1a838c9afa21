/// Time and chance, handed in so that tests can replace them.
public struct Timing: Sendable {
  /// Nanoseconds since 1970.
  public var now: @Sendable () -> Int64
  /// Seconds on a clock that only goes forward.
  public var uptime: @Sendable () -> Double
  /// Throws `CancellationError` when the task is cancelled.
  public var sleep: @Sendable (Duration) async throws -> Void
  /// Uniform in 0 ..< 1.
  public var random: @Sendable () -> Double

  public init(
    now: @escaping @Sendable () -> Int64, uptime: @escaping @Sendable () -> Double,
    sleep: @escaping @Sendable (Duration) async throws -> Void, random: @escaping @Sendable () -> Double
  ) {
    self.now = now
    self.uptime = uptime
    self.sleep = sleep
    self.random = random
  }
}
