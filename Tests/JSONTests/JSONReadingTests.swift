@testable import JSON
import Testing

private func read(
  _ text: String, _ options: JSONReadingOptions = .strict
) throws(InvalidJSON) -> JSONValue {
  try JSONValue(parsing: Array(text.utf8), options: options)
}

private func reason(_ bytes: [UInt8], _ options: JSONReadingOptions = .strict) -> InvalidJSON? {
  do throws(InvalidJSON) {
    _ = try JSONValue(parsing: bytes, options: options)
    return nil
  } catch {
    return error
  }
}

private func reason(_ text: String, _ options: JSONReadingOptions = .strict) -> InvalidJSON? {
  reason(Array(text.utf8), options)
}

@Suite struct JSONReadingTests {
  @Test func `every type of value is read`() throws {
    let value = try read(
      " {\"a\": [1, -2.5, true, false, null, \"x\"], \"b\": {}, \"c\": []}\r\n\t")

    #expect(value == ["a": [1, -2.5, true, false, nil, "x"], "b": [:], "c": []])
  }

  @Test func `members keep their order`() throws {
    let names = try read(#"{"z":1,"a":2,"m":3}"#).objectValue?.members.map(\.key)

    #expect(names == ["z", "a", "m"])
  }

  @Test func `typed accessors return a value only for their own type`() throws {
    #expect(JSONValue.integer(3).intValue == 3)
    #expect(JSONValue.double(3).intValue == 3)
    #expect(JSONValue.double(3.5).intValue == nil)
    #expect(JSONValue.double(1e300).intValue == nil)
    #expect(JSONValue.integer(3).numberValue == 3.0)
    #expect(JSONValue.string("3").numberValue == nil)
    #expect(JSONValue.bool(true).intValue == nil)
    #expect(JSONValue.null.isNull)
    #expect(!JSONValue.bool(false).isNull)
    let value: JSONValue = ["list": ["first"]]
    #expect(value["list"]?[0]?.stringValue == "first")
    #expect(value["list"]?[1] == nil)
    #expect(value["list"]?[-1] == nil)
    #expect(value["other"] == nil)
  }

  @Test func `a member can be set, replaced and removed`() {
    var object: JSONObject = ["a": 1, "b": 2]
    object["a"] = 3
    object["c"] = 4
    object["b"] = nil

    #expect(object == ["a": 3, "c": 4])
  }

  @Test(arguments: [
    ("0", JSONValue.integer(0)), ("-0", .integer(0)), ("-7", .integer(-7)),
    ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
    ("9223372036854775808", .double(9_223_372_036_854_775_808)),
    ("-9223372036854775809", .double(-9_223_372_036_854_775_808)),
    ("1.0", .double(1)), ("1e3", .double(1000)), ("1E+3", .double(1000)), ("25e-1", .double(2.5)),
    ("0.1", .double(0.1)), ("46.1993881", .double(46.1993881)), ("1e22", .double(1e22)),
    ("1e23", .double(1e23)), ("123456789012345678901234567890", .double(1.2345678901234568e29)),
    ("1.7976931348623157e308", .double(.greatestFiniteMagnitude)),
    ("5e-324", .double(.leastNonzeroMagnitude)),
    ("1e-400", .double(0)), ("0.30000000000000004", .double(0.30000000000000004)),
  ])
  func `a number keeps its exact digits`(text: String, expected: JSONValue) throws {
    #expect(try read(text) == expected)
  }

  @Test(arguments: [
    "01", "-", "+1", ".5", "1.", "1e", "1e+", "0x10", "NaN", "Infinity", "-Infinity", "1e309",
    "-1e309", "1_000", "--1", "١",
  ])
  func `invalid JSON numbers are refused`(text: String) {
    #expect(reason(text) != nil)
  }

  @Test func `escapes become their characters`() throws {
    let value = try read(#""\"\\\/\b\f\n\r\té😀Ā""#)

    #expect(value == .string("\"\\/\u{08}\u{0C}\n\r\té😀Ā"))
  }

  @Test func `text outside ASCII is read unchanged`() throws {
    #expect(try read(#""دوربین 🇳🇱 é""#) == .string("دوربین 🇳🇱 é"))
  }

  @Test(arguments: [
    #""\u0000""#, #""\ud800""#, #""\udc00""#, #""\ud800A""#, #""\ud800\n""#, #""\x41""#,
    #""\u12""#, #""\u12g4""#, #""open"#, #""open\"#, #""open\u00"#, "\"a\nb\"", "\"a\u{1}b\"",
  ])
  func `a malformed string is refused`(text: String) {
    #expect(reason(text) != nil)
  }

  @Test(
    arguments: [
      [0xFF], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80],
      [0xE2, 0x28, 0xA1],
    ] as [[UInt8]])
  func `a string that is not UTF-8 is refused`(inner: [UInt8]) {
    let quote = UInt8(ascii: "\"")

    #expect(
      reason([quote] + inner + [quote])
        == InvalidJSON(
          offset: 1, reason: "a string that is not UTF-8"))
  }

  @Test func `unpaired surrogates become a replacement character in lenient mode`() throws {
    #expect(
      try read(#""a\u0000b\ud800c\udc00""#, .lenient) == .string("a\u{FFFD}b\u{FFFD}c\u{FFFD}"))
    #expect(try read(#""\ud800A""#, .lenient) == .string("\u{FFFD}A"))
  }

  @Test(arguments: [
    "", " ", "[1,]", "[,1]", "[1 2]", "{\"a\":1,}", "{a:1}", "{\"a\" 1}", "{\"a\":}", "{1:2}",
    "[1", "{\"a\":1", "{\"a\"", "tru", "nul", "True", "'a'", "// x\n1", "1 2", "{} []", "\u{0}",
    "[1]\u{0}", "}", "]", ",",
  ])
  func `an invalid JSON document is refused`(text: String) {
    #expect(reason(text) != nil)
  }

  @Test func `an error states its position`() {
    #expect(reason("[1, x]")?.offset == 4)
    #expect(reason("{\"a\":1 \"b\":2}")?.offset == 7)
    #expect(reason("[1] 2")?.offset == 4)
    #expect(reason("[1")?.offset == 2)
  }

  @Test func `a duplicate member name is refused, or its last value is used`() throws {
    let text = #"{"a":1,"b":2,"a":3}"#

    #expect(reason(text) == InvalidJSON(offset: 13, reason: "the member “a” occurs twice"))
    #expect(try read(text, .lenient) == ["a": 3, "b": 2])
  }

  @Test func `a duplicate member is found in a large object too`() throws {
    let members = (0..<5_000).map { "\"k\($0)\":\($0)" }.joined(separator: ",")

    #expect(try read("{\(members)}").objectValue?.members.count == 5_000)
    #expect(reason("{\(members),\"k4000\":0}") != nil)
    #expect(try read("{\(members),\"k4000\":-1}", .lenient)["k4000"] == -1)
  }

  @Test func `sixty-four levels are read and one more is refused`() throws {
    let fits = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
    let mixed = String(repeating: "{\"a\":[", count: 33)

    #expect(try read(fits).arrayValue?.count == 1)
    #expect(reason("[\(fits)]")?.reason == "more than 64 levels deep")
    #expect(reason(mixed)?.reason == "more than 64 levels deep")
    #expect(reason(String(repeating: "[", count: 1_000_000)) != nil)
  }

  @Test func `an object in a request has at most a thousand members`() throws {
    func object(_ count: Int) -> String {
      "{\((0..<count).map { "\"k\($0)\":0" }.joined(separator: ","))}"
    }

    #expect(try read(object(1_000), .request).objectValue?.members.count == 1_000)
    #expect(
      reason(object(1_001), .request)?.reason == "more than 1000 members in one object")
    #expect(try read("[\(object(1_000)),\(object(1_000))]", .request).arrayValue?.count == 2)
    #expect(try read(object(1_001)).objectValue?.members.count == 1_001)
  }

  @Test func `a request has at most a hundred thousand values`() throws {
    let fits = "[\(Array(repeating: "0", count: 99_999).joined(separator: ","))]"

    #expect(try read(fits, .request).arrayValue?.count == 99_999)
    #expect(reason("{\"a\":\(fits)}", .request)?.reason == "more than 100000 values")
    #expect(try read("{\"a\":\(fits)}")["a"]?.arrayValue?.count == 99_999)
  }

  @Test func `a character in a request has at most thirty combining marks`() throws {
    func text(_ count: Int) -> String {
      "\"a" + String(repeating: "\u{301}\u{316}", count: count / 2) + "b\u{301}\""
    }

    #expect(try read(text(30), .request).stringValue?.unicodeScalars.count == 33)
    #expect(reason(text(32), .request)?.reason == "more than 30 combining marks in a row")
    #expect(reason("{\(text(32)):1}", .request) != nil)
    #expect(try read(text(32)).stringValue?.unicodeScalars.count == 35)
    // These are read at once, at any length. As member names they would take minutes to sort.
    #expect(reason("{\(text(1 << 19)):1}", .request) != nil)
  }

  @Test func `a byte order mark is refused unless allowed`() throws {
    let bytes: [UInt8] = [0xEF, 0xBB, 0xBF, 0x31]

    #expect(reason(bytes)?.offset == 0)
    #expect(try JSONValue(parsing: bytes, options: .lenient) == 1)
  }
}
