import ArgumentParser
import SyncKit

/// What `run` and `plan` take.
struct MirrorOptions: ParsableArguments {
  enum ProgressDisplay: String, CaseIterable, ExpressibleByArgument { case auto, always, never }

  @Option(help: ArgumentHelp("Mirror to another remote of the configuration.", valueName: "name"))
  var remote: String?

  @Flag(help: "Compare contents by MD5 even where size and times agree.")
  var checksum = false

  @Flag(inversion: .prefixedNo, help: "Delete on the remote what is gone here.")
  var delete: Bool?

  @Option(
    help: ArgumentHelp(
      "The most deletions, as a number or a share (10%); beyond it nothing is done.", valueName: "n|p%"))
  var maxDelete: SyncConfig.DeleteLimit?

  @Flag(help: "Past the guards against deleting by accident.")
  var force = false

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("Mirror only what matches; gitignore syntax, repeatable.", valueName: "pattern"))
  var include: [String] = []

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("Leave out what matches; gitignore syntax, repeatable.", valueName: "pattern"))
  var exclude: [String] = []

  @Option(help: ArgumentHelp("Requests at the same time, over files and parts together.", valueName: "n"))
  var concurrency: Int?

  @Option(help: ArgumentHelp("Bytes of a part of a large file, such as 64MiB.", valueName: "size"))
  var partSize: ByteSize?

  @Flag(help: "Events as JSON, one object per line, on standard output.")
  var json = false

  @Option(help: ArgumentHelp("Draw what is under way on standard error.", valueName: "auto|always|never"))
  var progress: ProgressDisplay = .auto

  @Option(help: .hidden)
  var limitRate: String?

  @Option(help: .hidden)
  var shard: String?

  func validate() throws {
    if let concurrency, !(1...1024).contains(concurrency) {
      throw ValidationError("--concurrency must be from 1 to 1024.")
    }
    do {
      _ = try PathFilter(exclude: exclude, include: include)
    } catch {
      throw ValidationError("--exclude or --include: \(error)")
    }
    for (option, value) in [("--limit-rate", limitRate), ("--shard", shard)] where value != nil {
      throw ValidationError("\(option) is not supported by this version.")
    }
  }

  func overrides(_ common: CommonOptions) -> Overrides {
    var overrides = Overrides()
    overrides.remote = remote
    overrides.comparesContent = checksum
    overrides.deletes = delete
    overrides.maxDelete = maxDelete
    overrides.isForced = force
    overrides.include = include
    overrides.exclude = exclude
    overrides.transfer.concurrency = concurrency.map { .value($0) }
    overrides.transfer.partSize = partSize.map { .value($0.bytes) }
    overrides.reportsUnchanged = common.verbose
    return overrides
  }
}

/// `64MiB`, as the configuration writes sizes.
struct ByteSize: ExpressibleByArgument {
  let bytes: Int64

  init?(argument: String) {
    guard let bytes = ConfigType<Int64>.size.parse(argument, .ofArguments), bytes > 0 else {
      return nil
    }
    self.bytes = bytes
  }
}

extension ConfigContext {
  /// For reading options: nothing is expanded in them.
  static var ofArguments: ConfigContext {
    ConfigContext(environment: { _ in nil }, baseDirectory: "/")
  }
}

extension SyncConfig.DeleteLimit: ExpressibleByArgument {
  public init?(argument: String) {
    self.init(argument)
  }
}
