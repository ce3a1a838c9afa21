import Foundation

/// Standard output and error, each text written at once and whole.
struct Console: Sendable {
  static let output = Console(descriptor: STDOUT_FILENO)
  static let error = Console(descriptor: STDERR_FILENO)

  let descriptor: CInt

  var isTerminal: Bool { isatty(descriptor) == 1 }

  /// Columns and rows; 80 by 24 where nobody says.
  var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// What nobody reads any more is dropped.
  func write(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while !rest.isEmpty {
        let count = Foundation.write(descriptor, rest.baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return }
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      }
    }
  }

  func line(_ text: String) { write(text + "\n") }
}

/// Colours, where they are wanted.
struct Style: Sendable {
  let isColoured: Bool

  func bold(_ text: String) -> String { wrapped(text, "1") }
  func green(_ text: String) -> String { wrapped(text, "32") }
  func red(_ text: String) -> String { wrapped(text, "31") }
  func dim(_ text: String) -> String { wrapped(text, "2") }

  private func wrapped(_ text: String, _ code: String) -> String {
    isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
