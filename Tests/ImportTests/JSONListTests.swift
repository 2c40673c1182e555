import Import
import JSON
import Testing
import WrittenValues

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
    let rows = try list(#"[{"a":1}, 7, {"a":None}, "x", {"a":2}]"#, path: [])

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

  @Test func `the only list inside a document is found`() throws {
    #expect(
      try rows(#"{"last":1,"data":{"stations":[{"a":1},{"a":2}],"n":[1]}}"#).map { $0.columns["a"] }
        == [1, 2])
    #expect(try rows(#"{"data":{"rows":[{"a":1}]},"ids":["x"]}"#).count == 1)
  }

  @Test func `a map of objects is a list, with the names as a column`() throws {
    let found = try rows(
      #"{"gw-1":{"id":1,"loc":{"x":1}},"gw-2":{"id":2,"loc":{"x":2}},"gw-3":{"id":3}}"#)
    #expect(found.map { $0.columns["@key"] } == ["gw-1", "gw-2", "gw-3"])
    #expect(found.map { $0.columns["id"] } == [1, 2, 3])
    let nested = try rows(#"{"ok":true,"gateways":{"a":{"id":1,"n":"x"},"b":{"id":2,"n":"y"}}}"#)
    #expect(nested.map { $0.columns["@key"] } == ["a", "b"])
  }

  @Test func `lists below any member are rows of one list`() throws {
    let text =
      #"{"north":{"cameras":[{"a":1},{"a":2}],"x":1},"south":{"cameras":[]},"west":{"y":[5],"cameras":[{"a":3}]}}"#
    #expect(try list(text, path: ["*", "cameras"]).map { $0.columns["a"] } == [1, 2, 3])
    #expect(try rows(text).map { $0.columns["a"] } == [1, 2, 3])
    let deep =
      #"{"a":{"b":{"cameras":[{"v":1}]},"c":{"cameras":[{"v":2}]}},"d":{"e":{"cameras":[{"v":3}]}}}"#
    #expect(try list(deep, path: ["*", "*", "cameras"]).map { $0.columns["v"] } == [1, 2, 3])
    let array = #"[{"name":"n","cameras":[{"v":1}]},{"cameras":[{"v":2},{"v":3}]},[],7]"#
    #expect(try list(array, path: ["*", "cameras"]).map { $0.columns["v"] } == [1, 2, 3])
    #expect(try list(#"{"a":[]}"#, path: ["a", "*"]).isEmpty)
  }

  @Test func `wildcards may be cut at any byte`() throws {
    let text = Array(
      #"{"a":{"c":[{"v":1},{"v":"]"}]},"b":[{"c":[{"v":3}]},{"c":null}],"z":{"c":[]}}"#.utf8)
    var options = ImportReader.Options()
    options.path = ["*", "c"]
    for size in 1...5 {
      let pieces = stride(from: 0, to: text.count, by: size).map {
        Array(text[$0..<min($0 + size, text.count)])
      }
      let source = ByteSource(name: "") { pieces.indices.contains($0) ? pieces[$0] : nil }
      #expect(try rows(source, options).map { $0.columns["v"] } == [1, "]"])
    }
    options.path = ["*", "*", "c"]
    #expect(try rows(ByteSource(bytes: text), options).map { $0.columns["v"] } == [3])
  }

  @Test func `several lists are named, so that one is chosen`() {
    let found = failure(#"{"cameras":[{"a":1}],"data":{"sensors":[{"b":1}]}}"#).0
    #expect(found?.choices == ["/cameras", "/data/sensors"])
    #expect(found?.reason.contains("input.path") == true)
  }

  @Test(arguments: [
    #"{}"#, #"{"a":1}"#, #"{"data":{"rows":[]}}"#, #"{"a":[1,2],"b":{"c":[[1]]}}"#,
    #"{"a":{"b":{"c":{}}}}"#,
  ])
  func `a document without a list says so`(text: String) {
    #expect(failure(text).0?.reason.contains("no list") == true)
  }

  @Test func `a list that begins behind the first piece of the file is not missed silently`() {
    let long = Array(
      (#"{"meta":""# + String(repeating: "x", count: 70_000) + #"","rows":[{"a":1}]}"#).utf8)
    let source = ByteSource(name: "a.json") { piece in
      piece * 1_000 < long.count
        ? Array(long[piece * 1_000..<min((piece + 1) * 1_000, long.count)]) : nil
    }
    #expect(failure(source).0?.reason.contains("input.path") == true)
  }
}
