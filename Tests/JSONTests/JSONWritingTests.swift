import JSON
import Testing

private func written(_ body: (inout JSONWriter) -> Void) -> String {
  var writer = JSONWriter()
  body(&writer)
  return String(decoding: writer.bytes, as: UTF8.self)
}

@Suite struct JSONWritingTests {
  @Test func `commas are written between values only`() {
    let text = written {
      $0.beginObject()
      $0.key("a")
      $0.beginArray()
      $0.integer(1)
      $0.beginObject()
      $0.endObject()
      $0.beginArray()
      $0.endArray()
      $0.bool(true)
      $0.null()
      $0.endArray()
      $0.key("b" as String)
      $0.string("x")
      $0.key("c")
      $0.raw("[0]")
      $0.key("d")
      $0.raw(Array("{}".utf8))
      $0.endObject()
    }

    #expect(text == #"{"a":[1,{},[],true,null],"b":"x","c":[0],"d":{}}"#)
  }

  @Test func `each line is a complete JSON text`() {
    let text = written {
      for number in 1...2 {
        $0.beginArray()
        $0.integer(number)
        $0.endArray()
        $0.endLine()
      }
    }

    #expect(text == "[1]\n[2]\n")
  }

  @Test func `a writer can be reused`() {
    var writer = JSONWriter()
    writer.integer(1)
    writer.removeAll()
    writer.integer(2)

    #expect(writer.bytes == Array("2".utf8))
  }

  @Test func `only the characters that JSON requires are escaped`() {
    let text = written { $0.string("a\"b\\c\u{0}\u{1}\u{1F}\u{8}\t\n\u{C}\r/é😀\u{7F}\u{2028}") }

    #expect(text == #""a\"b\\c\u0000\u0001\u001f\b\t\n\f\r/é😀"# + "\u{7F}\u{2028}\"")
  }

  @Test(arguments: 0..<20)
  func `an escape is written at any position of a text`(place: Int) {
    for (byte, escaped) in [("\"", "\\\""), ("\\", "\\\\"), ("\u{1F}", "\\u001f")] {
      let before = String(repeating: " ", count: place)
      let after = String(repeating: "é", count: 19 - place)

      #expect(written { $0.string(before + byte + after) } == "\"\(before)\(escaped)\(after)\"")
    }
  }

  @Test func `a name is escaped like a string`() {
    #expect(written { $0.key("a\"") } == #""a\"":"#)
    #expect(written { $0.key("a\n" as String) } == #""a\n":"#)
  }

  @Test(arguments: [
    (0, "0"), (9, "9"), (10, "10"), (-1, "-1"), (.max, "9223372036854775807"),
    (.min, "-9223372036854775808"),
  ])
  func `an integer is written without decimals`(value: Int, expected: String) {
    #expect(written { $0.integer(value) } == expected)
  }

  @Test(arguments: [
    (0.0, "0"), (-0.0, "0"), (1, "1"), (-1, "-1"), (8.5, "8.5"), (46.1993881, "46.1993881"),
    (-73.98765432, "-73.9876543"), (0.00000004, "0"), (0.00000006, "0.0000001"),
    (-0.0000001, "-0.0000001"), (179.99999999, "180"), (-180, "-180"), (12.3, "12.3"),
    (100, "100"), (0.1 + 0.2, "0.3"), (1e300, "1e+300"),
  ])
  func `a coordinate has at most seven decimals`(value: Double, expected: String) {
    #expect(written { $0.coordinate(value) } == expected)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `a number that is not finite becomes null`(value: Double) {
    #expect(written { $0.double(value) } == "null")
    #expect(written { $0.coordinate(value) } == "null")
  }

  @Test(arguments: [
    0.1, 1e-7, 5e20, 1.7976931348623157e308, .leastNonzeroMagnitude, -2.5, 1, 123_456_789.125,
  ])
  func `a double reads back as the same value`(value: Double) throws {
    let text = written { $0.double(value) }

    #expect(try JSONValue(parsing: Array(text.utf8)).numberValue == value)
  }

  @Test func `bytes known to be UTF-8 are written as a string`() {
    let text = written { writer in
      Array("é\"".utf8).withUnsafeBufferPointer { writer.string(utf8: $0) }
      Array("7".utf8).withUnsafeBufferPointer { writer.raw(utf8: $0) }
    }

    #expect(text == #""é\"",7"#)
  }

  @Test func `a complete value reads back as the same value`() throws {
    let value: JSONValue = [
      "text": "a\u{0001}é", "list": [1, 2.5, nil, true, ["deep": []]], "empty": [:],
      "low": .integer(.min),
    ]
    var writer = JSONWriter()
    writer.value(value)

    #expect(try JSONValue(parsing: writer.bytes) == value)
  }
}
