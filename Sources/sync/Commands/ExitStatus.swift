import ArgumentParser
import SyncKit

/// The exit statuses that commands give themselves, `sysexits.h`'s where they fit; a run's come with its summary.
enum ExitStatus: Int32 {
  case someFailed = 1
  case differences = 2
  case usage = 64
  case internalFault = 70
  case badConfiguration = 78
}

/// Ends the command with a message and a status.
struct Failed: Error {
  let status: ExitStatus
  let message: String

  init(_ status: ExitStatus, _ message: String) {
    self.status = status
    self.message = message
  }
}

extension CommonOptions {
  /// Runs a command's body, and turns whatever it throws into a message on standard error and an exit status.
  func reporting(_ body: () async throws -> Void) async throws {
    do {
      try await body()
    } catch let error as Failed {
      logger.error("\(error.message)")
      throw ExitCode(error.status.rawValue)
    } catch let error as ConfigurationError {
      for issue in error.issues { logger.error("\(issue)") }
      let isAsked = error.issues.allSatisfy { $0.kind == .unknownName }
      throw ExitCode((isAsked ? ExitStatus.usage : .badConfiguration).rawValue)
    } catch let error as ExitCode {
      throw error
    } catch {
      logger.error("\(error)")
      throw ExitCode(ExitStatus.internalFault.rawValue)
    }
  }
}
