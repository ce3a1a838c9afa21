// swift-tools-version: 6.2
import PackageDescription

// The order of the targets is the order of the house: a module may import only what stands below it.
// scripts/check-imports holds the sources to the table in docs/architecture.md.

let swift: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
]

func module(_ name: String, in folder: String = "Sources", _ dependencies: [Target.Dependency] = []) -> Target
{
  .target(name: name, dependencies: dependencies, path: "\(folder)/\(name)", swiftSettings: swift)
}

func plugin(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  module(name, in: "Plugins", ["SyncBackend", "SyncHTTP", "Digests"] + dependencies)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []) -> Target {
  .testTarget(
    name: name, dependencies: dependencies, path: "Tests/\(name)", resources: resources, swiftSettings: swift)
}

let package = Package(
  name: "sync",
  products: [
    .executable(name: "sync", targets: ["sync"]),
    .library(name: "SyncKit", targets: ["SyncKit"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
  ],
  targets: [
    .executableTarget(
      name: "sync",
      dependencies: [
        "SyncKit", "Digests", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Sources/sync", swiftSettings: swift),
    module(
      "SyncKit",
      ["SyncEngine", "SyncConfig", "SyncManifest", "SyncBackend", "SyncCurl", "Digests", "S3", "Local"]),
    module("SyncEngine", ["SyncBackend", "SyncManifest", "Digests"]),
    module("SyncConfig", ["ConfigTree", .product(name: "Yams", package: "Yams")]),
    module(
      "SyncManifest",
      [.product(name: "GRDB", package: "GRDB.swift"), .product(name: "GRDBSQLite", package: "GRDB.swift")]),
    plugin("S3", ["ObjectREST"]),
    plugin("Local", ["CFiles"]),
    plugin("Memory"),
    plugin("ObjectREST"),
    module("SyncConformance", ["SyncBackend"]),
    module("SyncBackend", ["ConfigTree", "SyncHTTP", .product(name: "Logging", package: "swift-log")]),
    module("SyncCurl", ["SyncHTTP", "CCurl"]),
    module("SyncHTTP"),
    module("ConfigTree"),
    module("Digests", ["CCrypto", "CDigests"]),
    .systemLibrary(name: "CFiles", path: "Sources/CFiles"),
    .systemLibrary(
      name: "CCrypto", path: "Sources/CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .target(
      name: "CCurl", path: "Sources/CCurl", cSettings: [.treatAllWarnings(as: .error)],
      linkerSettings: [.linkedLibrary("curl")]),
    .target(name: "CDigests", path: "Sources/CDigests", cSettings: [.treatAllWarnings(as: .error)]),
    .target(
      name: "TestSupport", dependencies: ["SyncHTTP", "SyncBackend"], path: "Tests/TestSupport",
      swiftSettings: swift),
    tests(
      "IntegrationTests",
      ["sync", "S3", "SyncCurl", "SyncConformance", "SyncBackend", "SyncHTTP", "Digests", "TestSupport"]),
    tests("ConfigTreeTests", ["ConfigTree"]),
    tests("DigestsTests", ["Digests", "TestSupport"]),
    tests("LocalTests", ["Local", "SyncConformance", "Digests", "TestSupport"]),
    tests("MemoryTests", ["Memory", "SyncConformance", "Digests"]),
    tests("ObjectRESTTests", ["ObjectREST", "TestSupport"]),
    tests(
      "SyncEngineTests",
      ["SyncEngine", "SyncManifest", "SyncBackend", "SyncHTTP", "Memory", "Digests", "TestSupport"]),
    tests("S3Tests", ["S3", "ObjectREST", "SyncBackend", "Digests", "TestSupport"]),
    tests(
      "SyncManifestTests",
      ["SyncManifest", "TestSupport", .product(name: "GRDB", package: "GRDB.swift")]),
    tests("SyncCurlTests", ["SyncCurl", "SyncHTTP", "TestSupport"]),
    tests("SyncKitTests", ["SyncKit", "TestSupport"]),
    tests("SyncConfigTests", ["SyncConfig", "ConfigTree", "TestSupport"]),
  ]
)
