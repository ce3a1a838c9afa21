import Digests

/// Loads directories for the walk, and others ahead of it on threads of its own.
///
/// Whoever has nothing better to do takes the next directory that the walk will come to and that no one has taken:
/// the threads always, and the walk itself while it waits for one that a thread is still at. How much is loaded ahead
/// is bounded, so memory stays flat however large the tree is.
final class FolderLoading: Sendable {
  /// Entries loaded ahead of the walk.
  private static let limit = 16_384

  private struct State {
    /// Directories whose subdirectories may be loaded ahead; those of the last come next in the walk.
    var frontier: [Folder] = []
    var ahead = 0
    var isOver = false

    /// Takes the next directory to load ahead.
    mutating func claim() -> Folder? {
      guard ahead < FolderLoading.limit else { return nil }
      while let folder = frontier.last {
        if let child = claim(in: folder) { return child }
        folder.isOnFrontier = false
        frontier.removeLast()
      }
      return nil
    }

    private func claim(in folder: Folder) -> Folder? {
      guard case .table(let table) = folder.contents else { return nil }
      while folder.cursor < table.entries.count {
        let entry = table.entries[folder.cursor]
        defer { folder.cursor += 1 }
        guard entry.isWalked else { continue }
        let child = Folder(entry, table.name(entry), in: folder)
        folder.children[folder.cursor] = child
        return child
      }
      return nil
    }

    mutating func loaded(_ folder: Folder) {
      folder.progress = .loaded
      guard case .table(let table) = folder.contents, table.entries.contains(where: \.isWalked) else {
        return
      }
      folder.isOnFrontier = true
      frontier.append(folder)
    }
  }

  private enum Assignment {
    case load(Folder)
    case stop
  }

  private let state = Monitor(State())
  private let loader: FolderLoader
  private let threads: [WorkerThread]

  /// - Parameter threads: the walk's own included.
  init(_ loader: FolderLoader, threads: Int) {
    self.loader = loader
    let state = state
    self.threads = (1..<max(1, threads)).compactMap { _ in
      WorkerThread {
        while case .load(let folder) = state.wait(for: FolderLoading.assignment) {
          FolderLoading.loadAhead(folder, loader, state)
        }
      }
    }
  }

  private static func assignment(_ state: inout State) -> Assignment? {
    state.isOver ? .stop : state.claim().map { .load($0) }
  }

  private static func loadAhead(_ folder: Folder, _ loader: FolderLoader, _ state: Monitor<State>) {
    loader.load(folder)
    state.change {
      $0.ahead += folder.weight
      $0.loaded(folder)
    }
  }

  /// Loads the source itself.
  func load(root: Folder) {
    loadNow(root)
  }

  /// The directory at `index` of its parent, loaded.
  func folder(_ entry: Entry, _ name: some Collection<UInt8>, at index: Int, in parent: Folder) -> Folder {
    let claimed = state.withLock { _ in
      parent.cursor = max(parent.cursor, index + 1)
      return parent.children.removeValue(forKey: index)
    }
    guard let claimed else {
      let folder = Folder(entry, name, in: parent)
      loadNow(folder)
      return folder
    }
    while case .load(let other) = waiting(for: claimed) { FolderLoading.loadAhead(other, loader, state) }
    return claimed
  }

  /// Something else to load until a directory is there; then `stop`.
  private func waiting(for folder: Folder) -> Assignment {
    let assignment: Assignment = state.wait { state in
      folder.progress == .loaded ? .stop : state.claim().map { .load($0) }
    }
    if case .stop = assignment { state.change { $0.ahead -= folder.weight } }
    return assignment
  }

  private func loadNow(_ folder: Folder) {
    loader.load(folder)
    if threads.isEmpty { return }
    state.change { $0.loaded(folder) }
  }

  /// The walk is done with a directory and all below it.
  func leave(_ folder: Folder) {
    state.withLock { state in
      guard folder.isOnFrontier else { return }
      state.frontier.removeAll { $0 === folder }
    }
    loader.leave(folder)
  }

  /// Ends the threads; no directory can be loaded any more.
  func stop() {
    state.change { $0.isOver = true }
    for thread in threads { thread.join() }
  }
}
