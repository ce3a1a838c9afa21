/// The target that a manifest describes. Two identities are equal when their bytes are: Swift's String would
/// take a composed and a decomposed `é` for the same bucket prefix, and a remote does not.
public struct ManifestIdentity: Sendable, Hashable {
  /// The backend's kind, `s3`.
  public let kind: String
  public let endpoint: String
  public let bucket: String
  /// What stands before every key of the target.
  public let prefix: String

  public init(kind: String, endpoint: String, bucket: String, prefix: String) {
    self.kind = kind
    self.endpoint = endpoint
    self.bucket = bucket
    self.prefix = prefix
  }

  public static func == (one: Self, other: Self) -> Bool { one.bytes == other.bytes }

  public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }

  /// The fields, each ended by a zero byte so that moving text from one to the next makes another identity.
  private var bytes: [UInt8] {
    [kind, endpoint, bucket, prefix].flatMap { Array($0.utf8) + [0] }
  }

  /// The name of the target's files in the state directory, without an extension: readable words, and a hash that
  /// tells apart targets whose words are the same.
  var fileStem: String {
    let words = [kind, bucket, prefix].map(Self.slug).filter { !$0.isEmpty }
    return String(words.joined(separator: "-").prefix(60)) + "-" + FNV.hex(bytes)
  }

  /// Letters, digits and dots; everything else becomes one dash.
  private static func slug(_ text: String) -> String {
    let kept = text.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): byte
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
      default: UInt8(ascii: "-")
      }
    }
    return kept.split(separator: UInt8(ascii: "-")).map { String(decoding: $0, as: UTF8.self) }
      .joined(separator: "-")
  }
}

/// FNV-1a of 64 bits (Fowler, Noll and Vo): file names need to differ, not to withstand an enemy, since what is
/// inside is checked as well.
enum FNV {
  static func hex(_ bytes: [UInt8]) -> String {
    let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
