import ConfigTree

/// How to transfer, as it takes effect; nil leaves the choice to the engine (`auto`).
public struct TransferSettings: Sendable, Hashable {
  /// Bytes, at least 1.
  public var partSize: Int64?
  /// Bytes; files from this size on go in parts.
  public var multipartThreshold: Int64?
  /// Requests at the same time, 1 to 1024.
  public var concurrency: Int?
  /// Repeats after a failed attempt, 0 to 100.
  public var retries: Int?
  /// Also compute the MD5 of the whole of a file that goes in parts.
  public var wholeMD5: Bool

  public init(
    partSize: Int64? = nil, multipartThreshold: Int64? = nil, concurrency: Int? = nil,
    retries: Int? = nil,
    wholeMD5: Bool = false
  ) {
    self.partSize = partSize
    self.multipartThreshold = multipartThreshold
    self.concurrency = concurrency
    self.retries = retries
    self.wholeMD5 = wholeMD5
  }
}

/// One `transfer:` block. What it does not say comes from the layer below; `auto` says something.
public struct TransferOverrides: Sendable, Hashable {
  public enum Setting<Value: Sendable & Hashable>: Sendable, Hashable {
    case auto
    case value(Value)

    var value: Value? { if case .value(let value) = self { value } else { nil } }
  }

  public var partSize: Setting<Int64>?
  public var multipartThreshold: Setting<Int64>?
  public var concurrency: Setting<Int>?
  public var retries: Setting<Int>?
  public var wholeMD5: Bool?

  /// Says nothing.
  public init() {}

  init(from section: ConfigSection) {
    partSize = section.value("part_size", .auto(or: .positiveSize), "bytes of a part of a large file")
    multipartThreshold = section.value(
      "multipart_threshold", .auto(or: .positiveSize), "files from this size on go in parts")
    concurrency = section.value(
      "concurrency", .auto(or: .integer(in: 1...1024)),
      "requests at the same time, over files and parts together")
    retries = section.value(
      "retries", .auto(or: .integer(in: 0...100)), "repeats after a failed attempt")
    wholeMD5 = section.value(
      "whole_md5", .boolean, "also compute the MD5 of the whole of a file that goes in parts")
    section.unsupported("limit_rate", .rate, orMapping: true, "bytes per second, or a timetable")
    section.finish()
  }

  /// These settings where they say something, else the lower ones.
  public func over(_ lower: TransferOverrides) -> TransferOverrides {
    var merged = lower
    merged.partSize = partSize ?? lower.partSize
    merged.multipartThreshold = multipartThreshold ?? lower.multipartThreshold
    merged.concurrency = concurrency ?? lower.concurrency
    merged.retries = retries ?? lower.retries
    merged.wholeMD5 = wholeMD5 ?? lower.wholeMD5
    return merged
  }

  /// With nothing below: what is not said is `auto`, and no whole MD5.
  public var settings: TransferSettings {
    TransferSettings(
      partSize: partSize?.value, multipartThreshold: multipartThreshold?.value,
      concurrency: concurrency?.value, retries: retries?.value, wholeMD5: wholeMD5 ?? false)
  }
}

extension ConfigType {
  /// The value, or the word `auto`.
  static func auto<Inner>(or type: ConfigType<Inner>) -> Self
  where Value == TransferOverrides.Setting<Inner> {
    let own = type.schema.sorted { $0.key < $1.key }.map { "\(jsonString($0.key)): \($0.value)" }
    let either = ["anyOf": "[{\(own.joined(separator: ", "))}, {\"const\": \"auto\"}]"]
    return ConfigType(type.expectation + ", or auto", schema: either) { text, context in
      text == "auto" ? .auto : type.parse(text, context).map { .value($0) }
    }
  }
}

extension ConfigType where Value == Int64 {
  /// A size of at least one byte.
  static var positiveSize: Self { .size.map { $0 > 0 ? $0 : nil } }
}
