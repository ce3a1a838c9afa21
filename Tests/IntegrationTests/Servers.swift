import Foundation
import Testing

/// The S3 servers that scripts/test starts, as it hands them over in the environment.
enum RealServer: String, CaseIterable, Sendable {
  case rgw, rclone

  struct Missing: Error, CustomStringConvertible {
    let server: RealServer
    var description: String {
      "\(server.rawValue): SYNC_TEST_\(server.rawValue.uppercased())_ENDPOINT is not set, and SYNC_REQUIRE_SERVERS=1 asks for it"
    }
  }

  struct Access: Sendable {
    var endpoint: String
    var accessKey: String
    var secretKey: String
  }

  var access: Access? {
    let name = "SYNC_TEST_\(rawValue.uppercased())"
    guard let endpoint = Program.variable(name + "_ENDPOINT"),
      let key = Program.variable(name + "_ACCESS_KEY"),
      let secret = Program.variable(name + "_SECRET_KEY")
    else { return nil }
    return Access(endpoint: endpoint, accessKey: key, secretKey: secret)
  }

  static var present: [RealServer] { allCases.filter { $0.access != nil } }

  static var areRequired: Bool { Program.variable("SYNC_REQUIRE_SERVERS") == "1" }

  /// For a condition of tests: whether there is such a server.
  static func isPresent(_ server: RealServer) throws -> Bool {
    if server.access == nil, areRequired { throw Missing(server: server) }
    return server.access != nil
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips without any server; fails without any one of them where they are required.
  static var onServers: Self {
    .enabled("there is no S3 server: scripts/test starts them") {
      try RealServer.allCases.map(RealServer.isPresent).contains(true)
    }
  }

  static func on(_ server: RealServer) -> Self {
    .enabled("\(server.rawValue) is not there: scripts/test starts it") { try RealServer.isPresent(server) }
  }

  /// For tests over every store, a local one among them: they can't be skipped as a whole.
  static var onEveryStore: Self {
    .enabled { try RealServer.allCases.map(RealServer.isPresent).count > 0 }
  }
}

/// Where a test's bucket lies.
enum Store: Sendable, CustomTestStringConvertible {
  case local
  case server(RealServer)

  static var all: [Store] { [.local] + servers }
  static var servers: [Store] { RealServer.present.map(Store.server) }

  var testDescription: String {
    switch self {
    case .local: "local"
    case .server(let server): server.rawValue
    }
  }
}
