import Digests
import Testing

@Suite("Bytes as text")
struct TextEncodingTests {
  @Test("Every byte goes to hexadecimal and back, in either case")
  func hex() {
    let all = (0...255).map { UInt8($0) }
    #expect(hexText([0, 0x0F, 0xA5, 0xFF]) == "000fa5ff")
    #expect(hexBytes(hexText(all)) == all)
    #expect(hexBytes(hexText(all).uppercased()) == all)
  }

  @Test("What is no hexadecimal is refused", arguments: ["a", "0g", "0 ", "+1", "é0"])
  func notHex(text: String) {
    #expect(hexBytes(text) == nil)
  }

  @Test(
    "Base64 gives the answers of RFC 4648",
    arguments: [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
      ("foobar", "Zm9vYmFy"),
    ])
  func base64(bytes: String, text: String) {
    #expect(base64Text(Array(bytes.utf8)) == text)
    #expect(base64Bytes(text) == Array(bytes.utf8))
  }

  @Test("Every byte goes to base64 and back, at every offset")
  func base64Bytes256() {
    let all = (0...255).map { UInt8($0) }
    for start in 0..<3 {
      #expect(base64Bytes(base64Text(all[start...])) == Array(all[start...]))
    }
  }

  @Test(
    "What is no canonical base64 is refused",
    arguments: [
      "Z", "Zg", "Zg=", "Zg==\n", "Zh==", "Zm9=", "Z===", "====", "=Zg=", "Zg==Zg==", "Zm-_", "Zm 9",
    ])
  func notBase64(text: String) {
    #expect(base64Bytes(text) == nil)
  }
}
