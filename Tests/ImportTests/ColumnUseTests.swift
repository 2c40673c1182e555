import Import
import JSON
import Testing

/// The report on the columns of a list: used, unused and missing.
@Suite struct ColumnUseTests {
  private func mapping(fields: String = "", more: String = "") throws -> ImportMapping {
    let text = """
      {"source": {"code": "test", "name": "Test", "licence": "CC0-1.0", "attribution": "-"},
       "key": "{id}", \(more)
       "fields": {"category": "webcam", "name": "name", "longitude": "lon", "latitude": "lat"\(fields)}}
      """
    return try ImportMapping(JSONValue(parsing: Array(text.utf8)))
  }

  private func use(_ text: String, _ mapping: ImportMapping, name: String = "a.csv") throws
    -> ColumnUse
  {
    var tally = ColumnTally(mapping)
    let reader = ImportReader(
      ByteSource(bytes: Array(text.utf8), name: name), options: mapping.reading)
    try reader.forEachRow(header: { tally.add(header: $0) }) { tally.add($0) }
    return tally.use(hasTags: try reader.format().hasTags)
  }

  @Test func `columns are used, unused or missing, and the missing have near names`() throws {
    let found = try use("id,Name,lon,lattitude,colour\n1,A,7,46,red\n", mapping())
    #expect(found.used == ["id", "lon"])
    #expect(found.unused == ["Name", "lattitude", "colour"])
    #expect(found.missing.map(\.name) == ["lat", "name"])
    #expect(found.missing.map(\.nearest) == [["lattitude"], ["Name"]])
  }

  @Test func `a column of a table without any value is not missing`() throws {
    let found = try use(
      "id,name,lon,lat,empty\n1,A,7,46,\n", mapping(fields: #", "model": "empty""#))
    #expect(found.missing.isEmpty)
    #expect(found.used.contains("empty"))
    #expect(try use("id,name,lon,lat\n", mapping()).used == ["id", "name", "lon", "lat"])
  }

  @Test func `one of several columns of a rule is enough`() throws {
    let rule = try mapping(fields: #", "model": {"from": ["type", "kind"]}"#)
    #expect(try use("id,name,lon,lat,kind\n1,A,7,46,x\n", rule).missing.isEmpty)
    #expect(
      try use("id,name,lon,lat\n1,A,7,46\n", rule).missing.map(\.name) == ["type", "kind"])
  }

  @Test func `columns of templates, keys and conditions count`() throws {
    let rule = try mapping(
      fields:
        #", "description": {"template": "{street}[, {city}]", "when": {"column": "kind", "equals": "x"}}"#,
      more:
        #""skip": [{"when": {"all": [{"column": "state", "above": 3}]}, "code": "a", "because": "b"}],"#
    )
    #expect(
      try use("id,name,lon,lat\n1,A,7,46\n", rule).missing.map(\.name)
        == ["state", "street", "city", "kind"])
  }

  @Test func `a pointer is found in any row`() throws {
    let rule = try mapping(fields: #", "model": "/osm/kind", "manufacturer": "/osm/mout""#)
    let json = """
      [{"id": 1, "name": "A", "lon": 7, "lat": 46, "osm": {"mount": "pole"}},
       {"id": 2, "name": "B", "lon": 7, "lat": 46, "osm": {"kind": "x"}}]
      """
    let found = try use(json, rule, name: "a.json")
    #expect(found.missing.map(\.name) == ["/osm/mout"])
    #expect(found.used == ["id", "name", "lon", "lat", "osm"])
  }

  @Test func `a tag of OpenStreetMap is never missing`() throws {
    let json =
      #"{"elements": [{"type": "node", "id": 1, "lat": 46, "lon": 7, "tags": {"a": "b"}}]}"#
    let found = try use(json, mapping(), name: "a.json")
    #expect(found.missing.isEmpty)
    #expect(found.unused == ["a"])
  }

  @Test func `a separator that the header line lacks ends the import before its first row`() throws
  {
    let text = "id;name;lon;lat\n1;A;7;46\n"
    for separator in [",", "tab", "|"] {
      let rule = try mapping(more: #""input": {"separator": "\#(separator)"},"#)
      let failure = #expect(throws: ImportFailure.self) { try use(text, rule) }
      #expect(failure?.reason.contains("“;”") == true)
      #expect(failure?.line == 1)
    }
    let right = try mapping(more: #""input": {"separator": ";"},"#)
    #expect(try use(text, right).missing.isEmpty)
    // One column, and no other separator either.
    let comma = try mapping(more: #""input": {"separator": ","},"#)
    #expect(try use("name\nA\n", comma).used == ["name"])
  }
}
