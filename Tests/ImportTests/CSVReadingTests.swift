import CharacterSets
import Import
import JSON
import Testing
import WrittenValues

@Suite struct CSVReadingTests {
  private func table(_ text: String, _ options: ImportReader.Options = .init()) throws
    -> [JSONValue]
  {
    try rows(text, name: "a.csv", options).map { .object($0.columns) }
  }

  @Test(arguments: ["\n", "\r\n", "\r"])
  func `all three kinds of line ending are accepted`(end: String) throws {
    let text = ["a,b", "1,2", "3,4", ""].joined(separator: end)

    #expect(try table(text) == [["a": "1", "b": "2"], ["a": "3", "b": "4"]])
  }

  @Test(arguments: [",", ";", "\t", "|"])
  func `the separator is detected from the header`(separator: String) throws {
    let text = "a\(separator)\"b,;x\"\n1\(separator)2\n"

    #expect(try table(text) == [["a": "1", "b,;x": "2"]])
  }

  @Test func `quoted fields may contain separators, line breaks and quotes`() throws {
    let rows = try rows("a,b\n\"x,\"\"y\"\"\r\nz\",2\n3,4\n", name: "a.csv")

    #expect(rows[0].columns["a"] == "x,\"y\"\r\nz")
    #expect(rows.map(\.line) == [2, 4])
  }

  @Test func `a byte order mark, blank lines and a missing final newline are accepted`() throws {
    #expect(
      try table("\u{FEFF}a,b\n\n1,2\n\n\n3,4") == [["a": "1", "b": "2"], ["a": "3", "b": "4"]])
  }

  @Test func `repeated and empty column names are made distinct`() throws {
    #expect(try table("a,a,\n1,2,3\n") == [["a": "1", "a (2)": "2", "column 3": "3"]])
  }

  @Test func `a row with missing or additional fields is refused`() throws {
    let rows = try rows("a,b\n1\n1,2,3\n1,2,,\n1,2\n", name: "a.csv")

    #expect(rows.map { $0.fault?.code } == ["field_count", "field_count", nil, nil])
  }

  @Test func `a field that is not UTF-8 refuses its row, and the reason states a remedy`() throws {
    let bytes = Array("a,b\n1,S".utf8) + [0xFC] + Array("d\n2,x\n".utf8)
    let source = ByteSource(bytes: bytes, name: "a.csv")
    var options = ImportReader.Options()
    options.encoding = .windows1252

    let plain = try rows(source)
    #expect(plain.map { $0.fault?.code } == ["not_text", nil])
    #expect(plain[0].fault?.detail.contains("encoding") == true)
    #expect(try rows(source, options).first?.columns["b"] == "Süd")
  }

  @Test func `Windows-1252 and Latin-1 are distinguished by their letters`() throws {
    let source = ByteSource(bytes: Array("a\n".utf8) + [0x80, 0x93, 0x0A], name: "a.csv")
    var options = ImportReader.Options()
    options.encoding = .windows1252
    #expect(try rows(source, options).first?.columns["a"] == "€“")
    options.encoding = try #require(TextEncoding(named: "latin-1"))
    #expect(try rows(source, options).first?.columns["a"] == "\u{80}\u{93}")
  }

  @Test func `for a file that ends inside quotes the error states where they began`() {
    let (failure, rows) = failure("a,b\n1,2\n3,\"open\n\n\n", name: "a.csv")

    #expect(rows == 1)
    #expect(failure?.line == 3)
    #expect(failure?.row == 2)
  }

  @Test func `for a file that ends inside a row the error states it`() {
    let (failure, rows) = failure("a,b,c\n1,2,3\n1,2", name: "a.csv")

    #expect(rows == 1)
    #expect(failure?.description.hasPrefix("line 3, row 2: the last row has 2 of 3 fields") == true)
  }
}
