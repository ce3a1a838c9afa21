import SyncBackend

/// Chooses between one put and parts, and how large parts are: by the file's size and the backend's limits.
struct PartSizing: Sendable {
  enum Choice: Equatable {
    case put
    case parts(size: Int64)
    case tooLarge(limit: Int64)
  }

  private static let mebibyte: Int64 = 1 << 20
  private static let automaticPartSize = 16 * mebibyte

  private let capabilities: Capabilities
  private let options: TransferOptions

  init(_ capabilities: Capabilities, _ options: TransferOptions) {
    self.capabilities = capabilities
    self.options = options
  }

  func choice(forSize size: Int64) -> Choice {
    if size > capabilities.maximumObjectSize { return .tooLarge(limit: capabilities.maximumObjectSize) }
    // An empty file has no part.
    let isSmall = size == 0 || size < threshold || capabilities.parts == nil
    if isSmall, size <= capabilities.maximumPutSize { return .put }
    guard let parts = capabilities.parts else { return .tooLarge(limit: capabilities.maximumPutSize) }
    guard let partSize = partSize(forSize: size, within: parts) else {
      return .tooLarge(
        limit: parts.maximumSize.multipliedReportingOverflow(by: Int64(parts.maximumCount)).partialValue)
    }
    return .parts(size: partSize)
  }

  /// Below it one put costs less than begin, parts and complete. An asked-for part size lowers it, so that the
  /// size has an effect.
  private var threshold: Int64 {
    if let threshold = options.multipartThreshold { return threshold }
    let partSize = options.partSize ?? PartSizing.automaticPartSize
    let (twice, isBeyond) = partSize.multipliedReportingOverflow(by: 2)
    return isBeyond ? .max : twice
  }

  private func partSize(forSize size: Int64, within limits: Capabilities.Parts) -> Int64? {
    let count = Int64(limits.maximumCount)
    let smallest = max((size + count - 1) / count, limits.minimumSize)
    guard smallest <= limits.maximumSize else { return nil }
    let wanted = options.partSize ?? PartSizing.automaticPartSize
    guard wanted < smallest else { return min(wanted, limits.maximumSize) }
    // Whole mebibytes where they fit: they are easier to read in a log.
    let rounded = (smallest + PartSizing.mebibyte - 1) / PartSizing.mebibyte * PartSizing.mebibyte
    return rounded <= limits.maximumSize ? rounded : smallest
  }
}
