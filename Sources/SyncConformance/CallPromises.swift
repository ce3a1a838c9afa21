import SyncBackend

extension ConformanceSuite {
  /// How calls behave: cancelled, at once, refused.
  static let callPromises: [ConformancePromise] = [
    ConformancePromise("calls.at-once", "calls run at the same time", needs: [.put]) {
      trial throws(PromiseBroken) in
      let objects = (0..<16).map {
        (key: trial.key("folder\($0 % 3)/object\($0)"), bytes: trial.bytes(3000 + $0))
      }
      _ = try await trial.atOnce(objects) { object throws(PromiseBroken) in
        try await trial.put(object.bytes, to: object.key)
        try await trial.expectObject(object.key, holds: object.bytes)
      }
      for object in objects { try await trial.expectObject(object.key, holds: object.bytes) }
    },
    ConformancePromise("calls.cancelled-before", "a call of a cancelled task does nothing", needs: [.put]) {
      trial throws(PromiseBroken) in
      let key = trial.key("object")
      trial.remember(key)
      let outcome = await cancelled { _ async throws(BackendError) in
        withUnsafeCurrentTask { $0?.cancel() }
        _ = try await trial.backend.put(trial.payload(trial.bytes(1000)), to: key, options: ObjectOptions())
      }
      try trial.expect("put of a cancelled task", outcome?.kind.rawValue ?? "success", "cancelled")
      try await trial.expectNothing(at: key)
    },
    ConformancePromise(
      "calls.cancelled-within", "a put cancelled midway stores all or nothing", needs: [.put, .stat]
    ) {
      trial throws(PromiseBroken) in
      let key = trial.key("object")
      let bytes = trial.bytes(8 << 20)
      trial.remember(key)
      let began = ContinuousClock.now
      let outcome = await cancelled { cancel async throws(BackendError) in
        var payload = trial.payload(bytes)
        payload.onSent = { _ in cancel() }
        _ = try await trial.backend.put(payload, to: key, options: ObjectOptions())
      }
      if let outcome { try trial.expect("put, cancelled midway", outcome.kind.rawValue, "cancelled") }
      if began.duration(to: .now) > .seconds(20) {
        throw PromiseBroken("put, cancelled midway", expected: "an end within 20 s", came: "a later one")
      }
      // All bytes may have left before the cancellation was seen; a torn object may never be.
      if let info = try await trial.stat(key) {
        try trial.expect("stat \(key), its size", info.size ?? -1, Int64(bytes.count))
      } else if outcome == nil {
        throw PromiseBroken("stat \(key)", expected: "the object that put said it stored", came: "no object")
      }
    },
  ]

  /// Runs `body` in a task that it can cancel.
  ///
  /// - Returns: the error that it ended with; nil for success.
  private static func cancelled(
    _ body: @escaping @Sendable (_ cancel: @escaping @Sendable () -> Void) async throws(BackendError) -> Void
  ) async -> BackendError? {
    let (signals, signal) = AsyncStream.makeStream(of: Void.self)
    let task = Task { () -> BackendError? in
      defer { signal.finish() }
      do throws(BackendError) {
        try await body { signal.yield() }
        return nil
      } catch {
        return error
      }
    }
    for await _ in signals { task.cancel() }
    return await task.value
  }
}
