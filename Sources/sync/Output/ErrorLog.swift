import Logging
import SyncKit

/// The log: lines on standard error, as text for people or as JSON for collectors.
struct ErrorLog: LogHandler {
  enum Format: String, CaseIterable, Sendable { case text, json }

  var logLevel: Logger.Level
  var metadata: Logger.Metadata = [:]
  let format: Format

  init(level: Logger.Level, format: Format) {
    logLevel = level
    self.format = format
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    switch format {
    case .text:
      Console.error.line("sync: " + (event.level == .warning ? "warning: " : "") + event.message.description)
    case .json:
      let line = JSONValue.object([
        ("time", .text(Units.time(systemNow()))), ("level", .text(event.level.rawValue)),
        ("message", .text(event.message.description)),
      ])
      Console.error.line(line.encoded)
    }
  }
}
