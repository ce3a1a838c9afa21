import ObjectREST
import Testing

@Suite("Reading XML answers")
struct XMLReaderTests {
  private func read(_ text: String) throws(XMLError) -> XMLElement {
    try XMLReader.read(Array(text.utf8))
  }

  @Test("Elements nest, namespaces and attributes are left out")
  func tree() throws {
    let root = try read(
      "<?xml version=\"1.0\"?>\n<s:List xmlns:s='urn:x' a=\"1>2\"><Item id = \"1\">a</Item><Item/><s:Other>b</s:Other></s:List>\n"
    )
    #expect(root.isNamed("List"))
    #expect(root.all("Item").map(\.trimmed) == ["a", ""])
    #expect(root["Other"]?.trimmed == "b")
    #expect(root["Missing"] == nil)
  }

  @Test("Entities, numeric references and CDATA stand for their characters")
  func entities() throws {
    let root = try read("<K>&lt;&gt;&amp;&quot;&apos;&#65;&#x1F600;&#x1;<![CDATA[<&]]>]]</K>")
    #expect(root.text == Array("<>&\"'A\u{1F600}\u{1}<&]]".utf8))
  }

  @Test("Blanks in a key belong to it; composed and decomposed accents stay apart")
  func keysAreBytes() throws {
    #expect(try read("<K> a\n\tb </K>").text == Array(" a\n\tb ".utf8))
    #expect(try read("<K>e\u{301}</K>").text == [0x65, 0xCC, 0x81])
    #expect(try read("<K>\u{E9}</K>").text == [0xC3, 0xA9])
  }

  @Test(
    "A byte order mark, blanks and comments may stand before the root",
    arguments: [
      "\u{FEFF}<?xml version=\"1.0\"?><A/>", "\r\n  <?xml version=\"1.0\"?> \n\n <A></A>  \n",
      "<!-- <B> --><A/><!-- -->", "<A \t/>",
    ])
  func beforeTheRoot(text: String) throws {
    #expect(try read(text).isNamed("A"))
  }

  @Test("Every beginning of a document is cut off, none passes for the whole")
  func truncation() throws {
    let whole = Array(
      "\u{FEFF}<?xml version=\"1.0\"?><!--c--><A x=\"1\"><B>a&amp;b&#x41;</B ><![CDATA[d]]><C/></A>".utf8)
    _ = try XMLReader.read(whole)
    for count in 0..<whole.count {
      #expect(throws: (any Error).self, "\(count) bytes") { try XMLReader.read(Array(whole[..<count])) }
      // Inside the byte order mark, the bytes are no UTF-8 at all.
      if ![1, 2].contains(count) {
        #expect(throws: XMLError.truncated, "\(count) bytes") { try XMLReader.read(Array(whole[..<count])) }
      }
    }
  }

  @Test(
    "What is not well-formed is refused",
    arguments: [
      "<A></B>", "<A><B></A></B>", "<A/><B/>", "<A/>x", "x<A/>", "<A>&nbsp;</A>", "<A>&#xD800;</A>",
      "<A>&#-1;</A>",
      "<A>&#+65;</A>", "<A b></A>", "<A b=c/>", "<A b='<'/>", "<A b=\"1\"c=\"2\" =/>", "</A>", "< A/>",
      "<1 2='",
      "<A>& stray ampersand far from any end</A>", "<![CDATA[x]]><A/>", "502 Bad Gateway", "{\"a\": 1}",
    ])
  func malformed(text: String) {
    #expect(throws: (any Error).self) { try read(text) }
  }

  @Test("A document type is refused, so nothing can be expanded or fetched")
  func documentType() {
    #expect(throws: XMLError.malformed("it has a document type")) {
      try read("<!DOCTYPE A [<!ENTITY b SYSTEM \"file:///etc/passwd\">]><A>&b;</A>")
    }
  }

  @Test("Depth and size are bounded")
  func bounds() throws {
    let depth = XMLReader.maximumDepth
    let nested = String(repeating: "<A>", count: depth) + String(repeating: "</A>", count: depth)
    _ = try read(nested)
    #expect(throws: XMLError.malformed("its elements are nested too deep")) { try read("<A>\(nested)</A>") }
    #expect(throws: XMLError.tooLarge) {
      try XMLReader.read([UInt8](repeating: 0x20, count: XMLReader.maximumSize + 1))
    }
  }

  @Test("So is the number of elements, each of which takes many times its text in memory")
  func elements() throws {
    let most = XMLReader.maximumCount - 1
    _ = try read("<A>\(String(repeating: "<B/>", count: most))</A>")
    #expect(throws: XMLError.malformed("it has too many elements")) {
      try read("<A>\(String(repeating: "<B/>", count: most + 1))</A>")
    }
  }

  @Test("Bytes that are not UTF-8 are refused")
  func notUTF8() {
    #expect(throws: XMLError.malformed("it is not UTF-8")) { try XMLReader.read([0x3C, 0x41, 0x3E, 0xFF]) }
  }

  @Test("What is written is read back as it was, whatever a key holds")
  func roundTrip() throws {
    let key = Array("<a>&\"b\" ]]> \r\n\t c\u{301}\u{1F600}".utf8)
    var xml = XMLWriter()
    xml.element("Delete", attributes: "xmlns=\"urn:x\"") { $0.element("Key", key) }
    #expect(try XMLReader.read(xml.bytes)["Key"]?.text == key)
    #expect(!xml.bytes.contains(UInt8(ascii: "\r")))
  }

  @Test("Some characters XML cannot carry")
  func alphabet() {
    #expect(isXMLText("a\t\n\r\u{E9}\u{1F600}".utf8))
    #expect(!isXMLText("a\u{1}".utf8))
    #expect(!isXMLText("\u{FFFE}".utf8))
  }
}
