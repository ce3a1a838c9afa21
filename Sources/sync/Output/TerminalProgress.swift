import SyncKit
import Synchronization

/// Draws what is under way on a terminal: a line per active file, and a bar for the whole.
final class TerminalProgress: EventReader {
  private static let mostFiles = 8

  private let console: Console
  private let isVerbose: Bool
  private let drawnLines = Mutex(0)

  /// - Parameter isVerbose: other readers write a line for every file.
  init(_ console: Console, isVerbose: Bool) {
    self.console = console
    self.isVerbose = isVerbose
  }

  func read(_ event: Event) {
    switch event {
    case .progress(let progress): draw(lines(progress))
    // Others are about to write: the drawing must be out of their way.
    case .failed, .runFinished: draw([])
    case .uploadFinished, .deleted, .retry: if isVerbose { draw([]) }
    default: break
    }
  }

  private func draw(_ lines: [String]) {
    drawnLines.withLock { drawn in
      if drawn == 0, lines.isEmpty { return }
      var text = drawn > 0 ? "\u{1B}[\(drawn)A" : ""
      for line in lines { text += "\r\u{1B}[2K\(line)\n" }
      text += "\u{1B}[0J"
      console.write(text)
      drawn = lines.count
    }
  }

  private func lines(_ progress: Progress) -> [String] {
    let (columns, rows) = console.size
    let most = max(0, min(TerminalProgress.mostFiles, rows - 3))
    let files = progress.active.filter { $0.size > 0 }.prefix(most).map { file in
      let share = percent(file.sent, of: file.size)
      return fitted(" \(share) \(printable(file.path))", columns)
    }
    return files + [fitted(total(progress), columns)]
  }

  private func total(_ progress: Progress) -> String {
    let width = 24
    let done = progress.totalBytes > 0 ? Double(progress.bytes) / Double(progress.totalBytes) : 1
    let filled = min(width, Int(done * Double(width)))
    let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
    let rate = progress.seconds > 0 ? Double(progress.bytes) / progress.seconds : 0
    var text = "\(bar) \(percent(progress.bytes, of: progress.totalBytes))  "
    text += "\(Units.bytes(progress.bytes)) of \(Units.bytes(progress.totalBytes))  "
    text += "\(progress.files)/\(progress.totalFiles) files  \(Units.bytes(Int64(rate)))/s"
    if rate > 0, progress.totalBytes > progress.bytes {
      text += "  \(Units.seconds(Double(progress.totalBytes - progress.bytes) / rate)) left"
    }
    return text
  }

  private func percent(_ part: Int64, of whole: Int64) -> String {
    let percent = whole > 0 ? min(100, 100 * part / whole) : 100
    let digits = String(percent)
    return String(repeating: " ", count: 3 - digits.count) + digits + "%"
  }

  private func fitted(_ text: String, _ columns: Int) -> String {
    text.count < columns ? text : String(text.prefix(max(1, columns - 2))) + "…"
  }
}
