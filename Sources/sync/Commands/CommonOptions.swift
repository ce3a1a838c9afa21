import ArgumentParser
import Logging
import SyncKit

/// What every command takes.
struct CommonOptions: ParsableArguments {
  enum Color: String, CaseIterable, ExpressibleByArgument { case auto, always, never }

  @Option(
    name: [.short, .customLong("config")],
    help: ArgumentHelp(
      "The configuration.",
      discussion: "Else $SYNC_CONFIG, ./config.yaml, or $XDG_CONFIG_HOME/sync/config.yaml.", valueName: "file"
    ))
  var configuration: String?

  @Flag(name: .shortAndLong, help: "Only errors.")
  var quiet = false

  @Flag(name: .shortAndLong, help: "Everything, also what is left alone.")
  var verbose = false

  @Option(help: ArgumentHelp("How log lines are written on standard error.", valueName: "text|json"))
  var logFormat: ErrorLog.Format = .text

  @Option(help: ArgumentHelp("Colours; NO_COLOR turns them off, too.", valueName: "auto|always|never"))
  var color: Color = .auto

  func validate() throws {
    if quiet, verbose { throw ValidationError("--quiet and --verbose contradict each other.") }
  }

  var logger: Logger {
    let level: Logger.Level = quiet ? .error : verbose ? .info : .warning
    return Logger(label: "sync") { _ in ErrorLog(level: level, format: logFormat) }
  }

  func style(for console: Console) -> Style {
    switch color {
    case .always: Style(isColoured: true)
    case .never: Style(isColoured: false)
    case .auto:
      Style(isColoured: console.isTerminal && (systemEnvironment("NO_COLOR") ?? "").isEmpty)
    }
  }

  /// The file that is meant.
  func configurationPath() throws -> String {
    if let path = ConfigurationLocation.find(configuration, environment: systemEnvironment) { return path }
    let usual = ConfigurationLocation.usual(systemEnvironment).joined(separator: ", ")
    throw Failed(
      .badConfiguration,
      "there is no configuration (looked for \(usual)); `sync init` writes one, -c names one")
  }

  func session() throws -> Session {
    let session = try Session(configuration: try configurationPath(), logger: logger)
    for warning in session.configuration.warnings { logger.warning("\(warning)") }
    return session
  }
}

extension ErrorLog.Format: ExpressibleByArgument {}
