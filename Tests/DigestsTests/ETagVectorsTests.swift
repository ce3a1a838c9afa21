import Digests
import Foundation
import Testing

@Suite("The digests of etags.json")
struct ETagVectorsTests {
  struct File: Decodable {
    var vectors: [Vector]
  }

  struct Vector: Decodable, Sendable, CustomTestStringConvertible {
    struct Whole: Decodable {
      var md5_hex: String
      var sha256_hex: String
    }
    struct Multipart: Decodable {
      var part_size: Int64
      var etag: String
      var part_md5_hex: [String]
    }
    var id: String
    var size: Int64
    var seed: UInt64
    var whole: Whole
    var multipart: [Multipart]

    var testDescription: String { id }

    /// byte[i] = (i*131 + (i>>8)*17 + seed) mod 256, which begins anew every 65,536 bytes.
    var source: ByteSource {
      let period = (0..<UInt64(65536)).map { UInt8(truncatingIfNeeded: $0 &* 131 &+ ($0 >> 8) &* 17 &+ seed) }
      return ByteSource(period, length: size)
    }
  }

  static let vectors: [Vector] = {
    let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Vectors/etags.json")
    do {
      return try JSONDecoder().decode(File.self, from: Data(contentsOf: path)).vectors
    } catch {
      Issue.record("etags.json cannot be read: \(error)")
      return []
    }
  }()

  static let service = DigestService()

  @Test("whole objects", arguments: vectors)
  func whole(vector: Vector) async throws {
    let result = try await Self.service.digests(of: vector.source.request(sha256: true))
    #expect(result.md5.map(hex) == vector.whole.md5_hex)
    #expect(result.sha256.map(hex) == vector.whole.sha256_hex)
  }

  @Test("multipart ETags, all parts at once", arguments: vectors)
  func multipart(vector: Vector) async throws {
    let source = vector.source
    for multipart in vector.multipart {
      let offsets = stride(from: 0, to: vector.size, by: Int64.Stride(multipart.part_size))
      let parts = try await withThrowingTaskGroup(of: (Int64, [UInt8]).self) { group in
        for offset in offsets {
          let length = min(multipart.part_size, vector.size - offset)
          group.addTask {
            let result = try await Self.service.digests(of: source.request(from: offset, length: length))
            return (offset, try #require(result.md5))
          }
        }
        return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
      }
      let inOrder = offsets.compactMap { parts[$0] }
      #expect(inOrder.map(hex) == multipart.part_md5_hex)
      #expect("\(hex(MD5.hash(inOrder.flatMap { $0 })))-\(inOrder.count)" == multipart.etag)
    }
  }
}

private func hex(_ bytes: [UInt8]) -> String {
  bytes.map { String(format: "%02x", $0) }.joined()
}
