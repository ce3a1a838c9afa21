import ObjectREST
import Testing

@Suite("URL encoding")
struct EncodingTests {
  @Test("Only unreserved characters stay; slashes do where asked")
  func encoding() {
    let unreserved = "ABCXYZabcxyz0189-._~"
    #expect(percentEncoded(unreserved) == unreserved)
    #expect(percentEncoded(" +*'()!&=?#%:@;,$") == "%20%2B%2A%27%28%29%21%26%3D%3F%23%25%3A%40%3B%2C%24")
    #expect(percentEncoded("/a//../b/") == "%2Fa%2F%2F..%2Fb%2F")
    #expect(percentEncoded("/a//../b/", keepingSlashes: true) == "/a//../b/")
    #expect(percentEncoded([0, 0x0A, 0xC3, 0xA9, 0xFF]) == "%00%0A%C3%A9%FF")
  }

  @Test("Every byte comes back, under both meanings of +")
  func roundTrip() {
    let all = (0...255).map { UInt8($0) }
    for plusIsSpace in [true, false] {
      #expect(percentDecoded(percentEncoded(all).utf8, plusIsSpace: plusIsSpace) == all)
    }
    #expect(percentDecoded("a+b%2B".utf8, plusIsSpace: true) == Array("a b+".utf8))
    #expect(percentDecoded("a+b%2b".utf8, plusIsSpace: false) == Array("a+b+".utf8))
  }

  @Test("A percent sign without its digits is refused", arguments: ["%", "a%4", "%G0", "%+1", "%%41"])
  func broken(text: String) {
    #expect(percentDecoded(text.utf8, plusIsSpace: false) == nil)
  }

  @Test("A query is sent in the form in which it is signed")
  func query() {
    var query = Query()
    #expect(query.text.isEmpty)
    query.add("uploads")
    query.add("prefix", "a b/\u{E9}&c=d")
    query.add("empty", "")
    #expect(query.text == "uploads&prefix=a%20b%2F%C3%A9%26c%3Dd&empty=")
  }
}
