import CDigests

/// What one thread of the service does: keeps its lanes filled from the queue and runs the kernel over them, each
/// time for as many blocks as the lane with the fewest has. No lane waits for a longer one to end, so files of all
/// sizes mix without sorting.
final class LaneWorker {
  private static let start: (UInt32, UInt32, UInt32, UInt32) = (
    0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476
  )

  private let kernel: MD5Kernel
  private let queue: DigestQueue
  private var lanes: [Lane?]
  private var active = 0
  /// Blocks that the kernel has yet to take from each lane's buffer, and where it stands there.
  private var blocks: [Int]
  private var heads: [UnsafePointer<UInt8>?]
  /// Word A of every lane, then B, C and D.
  private var state: [UInt32]
  private let buffers: UnsafeMutableRawPointer

  /// The buffers' pages cost nothing until a lane is first used.
  init(_ kernel: MD5Kernel, _ queue: DigestQueue) {
    self.kernel = kernel
    self.queue = queue
    lanes = Array(repeating: nil, count: kernel.lanes)
    blocks = Array(repeating: 0, count: kernel.lanes)
    state = Array(repeating: 0, count: 4 * kernel.lanes)
    heads = Array(repeating: nil, count: kernel.lanes)
    buffers = .allocate(byteCount: kernel.lanes * Lane.stride, alignment: 64)
  }

  deinit { buffers.deallocate() }

  /// Works until the queue is closed.
  func run() {
    while queue.isOpen {
      if active == 0 {
        guard let job = queue.take() else { break }
        begin(job)
      }
      while active < lanes.count, let job = queue.poll() { begin(job) }
      advance()
    }
    for index in lanes.indices { end(index, .failure(.cancelled)) }
  }

  /// Gives the lowest free lane to a request, so that few requests use few buffers.
  private func begin(_ job: DigestJob) {
    guard let index = lanes.firstIndex(where: { $0 == nil }), let request = job.start() else { return }
    lanes[index] = Lane(job, request)
    active += 1
    set(index, to: LaneWorker.start)
    fill(index)
  }

  private func advance() {
    let busy = lanes.indices.filter { blocks[$0] > 0 }
    let count = busy.reduce(Int.max) { min($0, blocks[$1]) }
    if busy.count == 1, let only = busy.first {
      runOne(only, count)
    } else if let first = busy.first {
      // The kernel reads in lanes without work too; what it makes of them is thrown away.
      for index in lanes.indices where blocks[index] == 0 { heads[index] = heads[first] }
      kernel.blocks(&state, heads, count)
    }
    for index in busy {
      heads[index] = heads[index].map { $0 + 64 * count }
      blocks[index] -= count
    }
    // A request without MD5 has no blocks and comes by once for every buffer.
    for index in lanes.indices where blocks[index] == 0 {
      guard let isComplete = lanes[index]?.isComplete else { continue }
      if isComplete { complete(index) } else { fill(index) }
    }
  }

  /// A vector with one lane in use would take twice the time.
  private func runOne(_ index: Int, _ count: Int) {
    var words = stride(from: index, to: state.count, by: lanes.count).map { state[$0] }
    cd_md5_one(&words, heads[index], count)
    set(index, to: (words[0], words[1], words[2], words[3]))
  }

  private func fill(_ index: Int) {
    let buffer = UnsafeMutableRawBufferPointer(start: buffers + index * Lane.stride, count: Lane.stride)
    do throws(DigestError) {
      blocks[index] = try lanes[index]?.fill(buffer) ?? 0
      heads[index] = UnsafePointer(buffer.baseAddress?.assumingMemoryBound(to: UInt8.self))
    } catch {
      end(index, .failure(error))
    }
  }

  private func complete(_ index: Int) {
    let count = lanes.count
    let words = (state[index], state[count + index], state[2 * count + index], state[3 * count + index])
    guard let result = lanes[index]?.result(md5: words) else { return }
    end(index, .success(result))
  }

  /// Lets go of the source, then answers.
  private func end(_ index: Int, _ answer: DigestJob.Answer) {
    guard let job = lanes[index]?.job else { return }
    lanes[index] = nil
    blocks[index] = 0
    active -= 1
    job.finish(answer)
  }

  private func set(_ index: Int, to words: (UInt32, UInt32, UInt32, UInt32)) {
    state[index] = words.0
    state[lanes.count + index] = words.1
    state[2 * lanes.count + index] = words.2
    state[3 * lanes.count + index] = words.3
  }
}
