import Import
import JSON
import PrivacyMap
import Testing

/// Conditions on numbers and on the distance of a position.
@Suite struct NumberAndPlaceConditionTests {
  /// Whether a row of these columns is flagged by a rule with this condition.
  private func isFlagged(
    _ condition: String, place: String = "0,51", columns: String = "", _ values: String = ""
  ) throws -> Bool {
    let more = #""flag": [{"when": \#(condition), "code": "found", "because": "Because."}],"#
    let list = try MappedList(
      fields: #""status": []"#, more: more, csv: "lon,lat\(columns)\n\(place)\(values)\n")
    return try #require(list.devices.first).notes.contains { $0.code == "found" }
  }

  @Test(arguments: [
    (#""at_least": 3"#, "3", true), (#""at_least": 3"#, "2.9", false),
    (#""at_most": 3"#, "3", true), (#""at_most": 3"#, "3.1", false),
    (#""above": 3"#, "3.1", true), (#""above": 3"#, "3", false),
    (#""below": 3"#, "2.9", true), (#""below": 3"#, "3", false),
    (#""at_least": 1, "below": 3"#, "1", true), (#""at_least": 1, "below": 3"#, "3", false),
    (#""number": true"#, "-7.5", true), (#""number": true"#, "7 m", false),
    (#""number": false"#, "7 m", true), (#""number": false"#, "7", false),
    (#""number": true"#, "", false), (#""number": false"#, "", false),
    (#""above": 3"#, "many", false), (#""above": 3, "decimal": ",""#, "\"3,5\"", true),
  ])
  func `a column is compared with numbers`(test: String, value: String, holds: Bool) throws {
    let condition = #"{"column": "a", \#(test)}"#
    #expect(try isFlagged(condition, columns: ",a", ",\(value)") == holds)
  }

  @Test func `Madrid is far from a British list`() throws {
    let far = #"{"farther_than": 50000, "from": [-8.7, 49.8, 1.8, 60.9]}"#
    #expect(try isFlagged(far, place: "-3.7,40.4"))
    #expect(try !isFlagged(far, place: "-0.1,51.5"))
  }

  @Test func `the distance is that to the edge of the box, or to a point`() throws {
    // A degree of latitude has 111 km.
    let box = #"{"farther_than": 100000, "from": [0, 0, 1, 1]}"#
    #expect(try !isFlagged(box, place: "0.5,1.89"))
    #expect(try isFlagged(box, place: "0.5,1.91"))
    let point = #"{"farther_than": 100000, "from": [0, 0]}"#
    #expect(try !isFlagged(point, place: "0,0.89"))
    #expect(try isFlagged(point, place: "0,0.91"))
    let fiji = #"{"farther_than": 200000, "from": [177, -20, 179.9, -15]}"#
    #expect(try !isFlagged(fiji, place: "-179.9,-17"))
  }

  @Test func `a position can skip and refuse a row and choose a rule`() throws {
    let far = #"{"farther_than": 1000, "from": [7, 46]}"#
    let csv = "lon,lat,name\n7,46,Near\n8,46,Far\n"
    let skipping = try MappedList(
      fields: #""status": []"#,
      more: #""skip": [{"when": \#(far), "code": "far", "because": "Far."}],"#, csv: csv)
    #expect(skipping.devices.map(\.fields.name) == ["Near"])
    #expect(skipping.skipped.map(\.reason.code) == ["far"])
    let choosing = try MappedList(
      fields: #""model": [{"value": "away", "when": \#(far)}, {"value": "here"}]"#, csv: csv)
    #expect(choosing.devices.map(\.fields.model) == ["here", "away"])
  }

  @Test func `a rule of the coordinates cannot depend on the position`() throws {
    let text = """
      {"source": {"code": "test", "name": "Test", "licence": "CC0-1.0", "attribution": "-"},
       "fields": {"category": "webcam", "name": "name", "latitude": "lat",
         "longitude": [{"from": "east", "when": {"farther_than": 1, "from": [0, 0]}}, {"from": "lon"}]}}
      """
    let list = try MappedList(
      ImportMapping(JSONValue(parsing: Array(text.utf8))),
      ByteSource(bytes: Array("name,lon,lat,east\nA,7,46,9\n".utf8), name: "a.csv"))
    #expect(list.devices.map(\.coordinate.longitude) == [7])
  }

  @Test(arguments: [
    #"{"farther_than": 5}"#, #"{"farther_than": -1, "from": [0, 0]}"#,
    #"{"farther_than": 5, "from": [1, 0, 0, 0]}"#, #"{"farther_than": 5, "from": [0, 91]}"#,
    #"{"country": "gb"}"#, #"{"other_country": ["GB", "GBR"]}"#, #"{"column": "a", "above": "3"}"#,
    #"{"column": "a", "below": 3, "decimal": ";"}"#, #"{"from": [0, 0]}"#,
  ])
  func `an invalid condition is refused with its key`(condition: String) throws {
    let failure = #expect(throws: InvalidMapping.self) { try isFlagged(condition) }
    #expect(failure?.key.hasPrefix("flag[0].when") == true)
  }
}
