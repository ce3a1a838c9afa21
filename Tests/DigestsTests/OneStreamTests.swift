import Digests
import Testing

@Suite("Digests of one stream")
struct OneStreamTests {
  @Test(
    "MD5 gives the answers of RFC 1321",
    arguments: [
      ("", "d41d8cd98f00b204e9800998ecf8427e"),
      ("abc", "900150983cd24fb0d6963f7d28e17f72"),
      (
        "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
        "57edf4a22be3c955ac49da2e2107b67a"
      ),
    ])
  func md5(text: String, expected: String) {
    #expect(hexText(MD5.hash(Array(text.utf8))) == expected)
  }

  @Test(
    "SHA-256 gives the answers of FIPS 180",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
    ])
  func sha256(text: String, expected: String) {
    #expect(hexText(SHA256.hash(Array(text.utf8))) == expected)
  }

  @Test("Pieces give what the whole gives, wherever the cuts fall")
  func pieces() {
    let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    for cut in [0, 1, 63, 64, 65, 999, 1000] {
      var md5 = MD5()
      var sha256 = SHA256()
      for piece in [Array(bytes[..<cut]), Array(bytes[cut...])] {
        md5.update(piece)
        sha256.update(piece)
      }
      #expect(md5.finish() == MD5.hash(bytes))
      #expect(sha256.finish() == SHA256.hash(bytes))
    }
  }

  @Test("A copy goes on by itself")
  func copies() {
    var first = MD5()
    first.update(Array("a".utf8))
    var second = first
    second.update(Array("bc".utf8))
    #expect(second.finish() == MD5.hash(Array("abc".utf8)))
    #expect(first.finish() == MD5.hash(Array("a".utf8)))
  }

  @Test("A finished stream begins anew")
  func reuse() {
    var stream = SHA256()
    stream.update([1, 2, 3])
    _ = stream.finish()
    #expect(stream.finish() == SHA256.hash([]))
  }

  @Test("HMAC-SHA256 gives the answers of RFC 4231")
  func hmac() {
    #expect(
      hexText(hmacSHA256(key: [UInt8](repeating: 0x0B, count: 20), Array("Hi There".utf8)))
        == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
    #expect(
      hexText(
        hmacSHA256(
          key: [UInt8](repeating: 0xAA, count: 131),
          Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8)))
        == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
    #expect(
      hexText(hmacSHA256(key: [], [])) == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
  }
}
