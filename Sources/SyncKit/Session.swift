import Digests
import Foundation
import Logging
import SyncBackend
import SyncConfig
import SyncCurl
import SyncEngine

/// Runs profiles of one configuration: the composition of config, plugins, HTTP and engine.
///
/// ```swift
/// let session = try Session(configuration: "config.yaml")
/// let (summary, error) = try await session.run("photos") { print($0) }
/// ```
public struct Session: Sendable {
  public let configuration: Configuration<any BackendConfiguration>
  private let timing: Timing
  private let environment: @Sendable (String) -> String?
  private let logger: Logger

  /// Reads and checks the configuration; contacts nothing.
  ///
  /// - Parameter plugins: the kinds of backends that its remotes may name.
  /// - Throws: `ConfigurationError` with everything that is wrong.
  public init(
    configuration path: String, plugins: [BackendPlugin] = Backends.builtIn, timing: Timing = .system,
    environment: @escaping @Sendable (String) -> String? = systemEnvironment,
    logger: Logger = Logger(label: "sync")
  ) throws(ConfigurationError) {
    let reader = ConfigurationReader(
      kinds: Backends.kinds(plugins), environment: environment, currentDirectory: currentDirectory(),
      isPattern: { (try? PathFilter(exclude: [$0], include: [])) != nil })
    configuration = try reader.load(path: path)
    try configuration.checkMappings()
    self.timing = timing
    self.environment = environment
    self.logger = logger
  }

  /// Mirrors a profile, or with `isDryRun` shows what would be done.
  ///
  /// - Parameter stopStatus: the exit status of a run whose task is cancelled (130 for an interrupt).
  /// - Parameter read: called for every event in order, on one thread; `run_finished` is the last.
  /// - Returns: the summary, and why the run stopped as a whole, if it did.
  /// - Throws: `ConfigurationError` where the profile or its remote can't be used.
  public func run(
    _ profile: String, _ overrides: Overrides = Overrides(), isDryRun: Bool = false,
    stopStatus: @escaping @Sendable () -> Int = { 130 }, read: @escaping @Sendable (Event) -> Void
  ) async throws -> (summary: RunSummary, error: MirrorError?) {
    let (job, plugin) = try job(profile, overrides)
    let http = try CurlClient(curlOptions(plugin.tls, remote: job.remote))
    let digests = DigestService(threads: Session.digestThreads)
    let events = EventQueue(read)
    let backend = plugin.makeBackend(
      Surroundings(
        http: http, now: timing.now, random: timing.random, environment: environment, logger: logger))
    let mirror = Mirror(
      job, backend: backend, digests: digests, timing: timing, events: events, stopStatus: stopStatus)
    let outcome = await mirror.run(isDryRun: isDryRun)
    await events.close()
    http.shutdown()
    digests.shutdown()
    return outcome
  }

  /// One thread hashes more MD5 than most networks carry; SHA-256, which plain HTTP wants, needs more on CPUs
  /// that have no instructions for it.
  private static let digestThreads = min(4, ProcessInfo.processInfo.activeProcessorCount)

  /// Whether a profile can be run as far as its configuration goes, the environment variables that it needs
  /// included.
  /// - Throws: `ConfigurationError`, or `PatternError`.
  public func check(_ profile: String, _ overrides: Overrides = Overrides()) throws {
    _ = try job(profile, overrides)
  }

  /// The JSON Schema of the configuration, for the backends that are built in.
  public static func configurationSchema() -> String {
    ConfigurationReader(
      kinds: Backends.kinds(Backends.builtIn), environment: systemEnvironment,
      currentDirectory: currentDirectory()
    ).schema()
  }

  /// A profile ready to run: the job, and its remote's plugin.
  func job(_ name: String, _ overrides: Overrides) throws -> (MirrorJob, any BackendConfiguration) {
    let profile = try configuration.profile(named: name)
    let remote = try configuration.remote(named: overrides.remote ?? profile.remote)
    if remote.name != profile.remote { try configuration.checkMappings((profile, remote)) }
    let job = try MirrorJob(profile, to: remote, at: remote.backend.target, in: configuration, overrides)
    return (job, remote.backend)
  }

  private func curlOptions(_ tls: TLSSettings, remote: String) -> CurlOptions {
    if !tls.isVerified {
      logger.warning(
        """
        remote \(remote): tls.verify is false, so whoever sits on the way can read and change everything, the \
        credentials included
        """)
    }
    return CurlOptions(
      caFile: tls.caFile, verifiesTLS: tls.isVerified, userAgent: "sync/\(Version.current)")
  }
}
