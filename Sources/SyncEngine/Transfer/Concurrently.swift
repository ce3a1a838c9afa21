/// Runs `work` for every item that `next` gives, at most `width` at once, and hands each output to `collect` as it
/// comes. The first error ends it: what is running is cancelled, and the error is thrown when all of it has ended.
func concurrently<Item: Sendable, Output: Sendable>(
  atMost width: Int, _ next: () async throws -> Item?,
  _ work: @escaping @Sendable (Item) async throws -> Output,
  collect: (Output) async throws -> Void
) async throws {
  try await withThrowingTaskGroup(of: Output.self) { group in
    var running = 0
    while let item = try await next() {
      if running == width, let output = try await group.next() {
        running -= 1
        try await collect(output)
      }
      group.addTask { try await work(item) }
      running += 1
    }
    while let output = try await group.next() { try await collect(output) }
  }
}
