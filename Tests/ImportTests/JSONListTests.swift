import Import
import JSON
import Testing

@Suite struct JSONListTests {
  private func list(_ text: String, path: [String]?) throws -> [SourceRow] {
    var options = ImportReader.Options()
    options.path = path
    return try rows(text, options)
  }

  @Test func `the rows are found at the configured path`() throws {
    let text = """
      {"rows": [9], "skip": {"rows": [{"a": 0}], "x": "]}\\"["}, "data": {"n": -1.5e3, "rows":
       [ {"a": 1} , {"a": {"b": ["]"]}} ] , "after": [1]}, "rows": null}
      """
    let rows = try list(text, path: ["data", "rows"])

    #expect(rows.map { .object($0.columns) } as [JSONValue] == [["a": 1], ["a": ["b": ["]"]]]])
    #expect(rows.map(\.line) == [2, 2])
  }

  @Test func `an empty array has no rows`() throws {
    #expect(try list("[]", path: []).isEmpty)
    #expect(try list(#"{"a":[ ]}"#, path: ["a"]).isEmpty)
  }

  @Test func `a chunk may end at any byte`() throws {
    let text = Array(#"{"x":"\\\"","d":{"r":[{"a":"é\n"},{"a":-1.5},{"a":[[]]}]},"z":[{}]}"#.utf8)
    var options = ImportReader.Options()
    options.path = ["d", "r"]
    let whole = try rows(ByteSource(bytes: text), options).map(\.columns)

    for size in 1...7 {
      let pieces = stride(from: 0, to: text.count, by: size).map {
        Array(text[$0..<min($0 + size, text.count)])
      }
      let source = ByteSource(name: "") { pieces.indices.contains($0) ? pieces[$0] : nil }
      #expect(try rows(source, options).map(\.columns) == whole)
    }
    #expect(whole.count == 3)
  }

  @Test func `objects one per line are rows`() throws {
    #expect(try rows("{\"a\":1}\n\n{\"a\":2}").map { $0.columns["a"] } == [1, 2])
  }

  @Test func `a row that is not an object, or not JSON, is refused alone`() throws {
    let rows = try list(#"[{"a":1}, 7, {"a":NaN}, "x", {"a":2}]"#, path: [])

    #expect(
      rows.map { $0.fault?.code } == [nil, "not_an_object", "not_json", "not_an_object", nil])
  }

  @Test func `a repeated member keeps its last value`() throws {
    #expect(try list(#"[{"a":1,"a":2}]"#, path: [])[0].columns["a"] == 2)
  }

  @Test(arguments: [
    ("[{\"a\":1},\n{\"a\":2", 1, 2), ("[{\"a\":1},\n{\"a\":2}", 2, 2), ("[{\"a\":1},", 1, 1),
    ("[", 0, 1),
  ])
  func `for a truncated list the error states the position`(text: String, rows: Int, line: Int) {
    let (failure, count) = failure(text)

    #expect(failure?.reason == "the file ends too early; it was cut off")
    #expect(failure?.line == line)
    #expect(count == rows)
  }

  @Test(arguments: [
    "[{} {}]", "[{},]", "[{}] x", "[{}}", "[}", "{\"elements\":[{}],}", "{\"elements\" [{}]}",
  ])
  func `a list with broken punctuation ends with an error`(text: String) {
    #expect(failure(text).0 != nil)
  }

  @Test func `a path that does not exist is reported`() {
    #expect(throws: ImportFailure("there is no array at /a/b")) {
      try list(#"{"a":{"c":[1]},"b":[1]}"#, path: ["a", "b"])
    }
    #expect(throws: ImportFailure("there is no array at /a")) {
      try list(#"{"a":{"b":1}}"#, path: ["a"])
    }
  }

  @Test func `the error for an object without a list asks for the path`() {
    #expect(failure(#"{"data":{"rows":[]}}"#).0?.reason.contains("input.path") == true)
  }
}
