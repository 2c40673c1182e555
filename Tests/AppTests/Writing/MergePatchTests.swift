import JSON
@testable import Contributions
@testable import Service
import Testing
import WebServer

/// A PATCH compares its values with the stored ones as JSON Merge Patch requires (RFC 7396), here with the
/// test cases of its Appendix A.
@Suite struct MergePatchTests {
  private func read(_ text: String) throws -> JSONValue { try JSONValue(parsing: Array(text.utf8)) }

  @Test(arguments: [
    (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
    (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
    (#"{"a":"b"}"#, #"{"a":null}"#, "{}"),
    (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
    (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
    (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
    (
      #"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#
    ),
    (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#),
    (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
    (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#),
    (#"{"a":"foo"}"#, "null", "null"),
    (#"{"a":"foo"}"#, #""bar""#, #""bar""#),
    (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#),
    ("[1,2]", #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
    ("{}", #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
    (#"{"a":"b"}"#, #"{"a":"b"}"#, #"{"a":"b"}"#),
    (#"{"a":"b","c":1}"#, #"{"c":1.0}"#, #"{"a":"b","c":1}"#),
    (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"c"}}"#, #"{"a":{"b":"c"}}"#),
    (#"{"a":"b"}"#, #"{"a":{}}"#, #"{"a":{}}"#),
    ("null", #"{"a":null}"#, "{}"),
  ])
  func `a patch changes a value if its result differs`(
    value: String, patch: String, result: String
  ) throws {
    let isSame = DeviceChange.mean(try read(value), try read(result))
    #expect(try DeviceChange.keeps(read(value), read(patch)) == isSame)
  }

  @Test func `an unknown member of the operator is refused before the device is looked up`() throws
  {
    let app = try TestApp()
    let ana = try app.account("ana")
    let answer = try app.patch(
      "01935f6e-0000-7000-8000-000000000000", ["properties": ["operator": ["age": 3]]],
      tag: "\"1-0\"", as: ana.identity)
    #expect(answer.status == .badRequest)
    #expect(try answer.fields == ["operator.age"])
    // Null removes a member that does not exist.
    let id = try app.added(as: ana)
    let same = try app.patch(id, ["properties": ["operator": ["age": .null]]], as: ana.identity)
    #expect(same.status == .ok)
    #expect(try same.property("revision") == 1)
  }
}
