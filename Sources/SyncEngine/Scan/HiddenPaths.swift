import Glibc
import SyncBackend

extension Scanner {
  /// Whether a file's path that the scan did not meet must not count as gone: the patterns exclude it or would if it
  /// existed, something above it is a link that is not followed or can't be read, or a file is there after all. A
  /// directory of that name is no such file.
  ///
  /// Looks at the source as it is now, component by component. Blocks.
  public func wouldHide(_ path: [UInt8]) -> Bool {
    var place: Place = .directory(source.root)
    var rules = self.rules.outermost
    var isIncluded = self.rules.includesAll
    var start = 0
    while start < path.count {
      if case .directory(let directory) = place, options.readsIgnoreFiles {
        do throws(SourceError) {
          let list = try IgnoreFile.read(in: directory, options.symlinks, source)
          if let list { rules = FolderRules(list, base: start, outer: rules) }
        } catch {
          return true
        }
      }
      let end = path[start...].firstIndex(of: UInt8(ascii: "/")) ?? path.count
      let verdict = path[..<end].withUnsafeBufferPointer {
        self.rules.verdict(
          $0, nameStart: start, isDirectory: end < path.count, in: rules, isIncluded: isIncluded)
      }
      guard case .open(let included) = verdict else { return true }
      isIncluded = included
      if case .directory(let directory) = place {
        place = step(from: directory, path[start..<end], isLast: end == path.count)
      }
      if case .hidden = place { return true }
      start = end + 1
    }
    return false
  }

  private enum Place {
    case directory(OpenFile)
    /// Nothing is there, nor below.
    case nothing
    case hidden
  }

  private func step(from directory: OpenFile, _ name: ArraySlice<UInt8>, isLast: Bool) -> Place {
    let found: OpenFile
    do throws(SourceError) {
      found = try directory.descendant(name, OpenFlags.place | O_NOFOLLOW)
    } catch {
      return error.kind == .missing || error.kind == .notDirectory ? .nothing : .hidden
    }
    var status = stat()
    guard fstat(found.descriptor, &status) == 0 else { return .hidden }
    if status.isSymlink { return follow(from: directory, name) }
    if status.isDirectory { return .directory(found) }
    return isLast ? .hidden : .nothing
  }

  private func follow(from directory: OpenFile, _ name: ArraySlice<UInt8>) -> Place {
    guard options.symlinks != .skip,
      let target = try? directory.descendant(name, OpenFlags.place | O_DIRECTORY),
      options.symlinks == .follow || source.contains(target.descriptor)
    else { return .hidden }
    return .directory(target)
  }
}
