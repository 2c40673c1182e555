import Import
import JSON
import PrivacyMap
import Testing

@Suite struct MappingRuleTests {
  /// The first device of one row of CSV.
  private func device(
    _ fields: String, _ columns: String, _ values: String, more: String = ""
  ) throws -> ImportedDevice? {
    try MappedList(
      fields: fields, more: more, csv: "lon,lat,\(columns)\n13.4,52.5,\(values)\n"
    ).devices.first
  }

  private func refusal(csv: String, more: String = "") throws -> ImportRefusal? {
    try MappedList(fields: #""status": []"#, more: more, csv: csv).refusals.first
  }

  @Test func `the first rule that yields a value wins`() throws {
    let rules = #""model": [{"from": "a"}, {"from": ["b", "c"]}, {"value": "none"}]"#

    #expect(try device(rules, "a,b,c", "1,2,3")?.fields.model == "1")
    #expect(try device(rules, "a,b,c", ",,3")?.fields.model == "3")
    #expect(try device(rules, "a,b,c", ",,")?.fields.model == "none")
  }

  @Test func `a value is looked up in the table, then in the patterns`() throws {
    let rule = """
      "setting": {"from": "a", "ignore_case": true, "values": {"Street": "outdoor", "x": null},
        "patterns": [{"prefix": "in", "value": "indoor"}, {"contains": ["park", "yard"], "value": "public"}]}
      """

    #expect(try device(rule, "a", "STREET")?.fields.setting == .outdoor)
    #expect(try device(rule, "a", "Indoor AP")?.fields.setting == .indoor)
    #expect(try device(rule, "a", "the back yard")?.fields.setting == .public)
    #expect(try device(rule, "a", "x")?.notes.isEmpty == true)
    #expect(try device(rule, "a", "moon")?.notes.map(\.code) == ["unknown_value"])
    #expect(try device(rule, "a", "")?.notes.isEmpty == true)
  }

  @Test func `a table may flag and refuse values`() throws {
    let rule = #""model": {"from": "a", "values": {"x": {"value": "X", "flag": "Perhaps."}}}"#
    let found = try device(rule, "a", "x")

    #expect(found?.fields.model == "X")
    #expect(found?.notes.map(\.detail) == ["Perhaps."])
    #expect(
      try MappedList(
        fields: #""category": {"from": "a", "values": {"x": {"refuse": "Not here."}}}"#,
        csv: "lon,lat,a\n1,2,x\n"
      ).refusals.first?.reason.detail == "Not here.")
  }

  @Test func `conditions can be combined`() throws {
    let rule = """
      "model": [{"value": "both", "when": {"all": [{"column": "a", "present": true},
          {"not": {"column": "b", "equals": ["x", "y"]}}]}},
        {"value": "any", "when": {"any": [{"column": "b", "suffix": "Y", "ignore_case": true}]}}]
      """

    #expect(try device(rule, "a,b", "1,z")?.fields.model == "both")
    #expect(try device(rule, "a,b", "1,y")?.fields.model == "any")
    #expect(try device(rule, "a,b", ",z")?.fields.model == nil)
  }

  @Test func `named conditions may use earlier named conditions`() throws {
    let named = """
      "conditions": {"has_a": {"column": "a", "present": true}, "not_a": {"not": {"is": "has_a"}}},
      """
    let rule = #""model": {"value": "without", "when": {"is": "not_a"}}"#

    #expect(try device(rule, "a,b", ",1", more: named)?.fields.model == "without")
    #expect(try device(rule, "a,b", "1,1", more: named)?.fields.model == nil)
  }

  @Test func `a template needs its columns, except those in brackets`() throws {
    let rule = #""description": {"template": "{a}[ at {b}], \\{c\\}"}"#

    #expect(try device(rule, "a,b", "x,y")?.fields.description == "x at y, {c}")
    #expect(try device(rule, "a,b", "x,")?.fields.description == "x, {c}")
    #expect(try device(rule, "a,b", ",y")?.fields.description == nil)
  }

  @Test func `a name may be composed from mapped fields`() throws {
    let fields = """
      "name": {"template": "{:category_name} of {:operator}"}, "operator": "o"
      """

    #expect(try device(fields, "o", "Somebody")?.fields.name == "Webcam of Somebody")
  }

  @Test func `lists are split, and duplicates are removed`() throws {
    let rule = #""data_collected": {"from": "a", "split": ";,"}"#

    #expect(
      try device(rule, "a", "\"video; plate,video\"")?.fields.dataCollected == ["video", "plate"])
  }

  @Test func `only the first of several values is used, and the field is flagged`() throws {
    let found = try device(#""zone": {"from": "a", "split": ";"}"#, "a", "town;park")

    #expect(found?.fields.zone == "town")
    #expect(found?.notes.map(\.code) == ["several_values"])
  }

  @Test func `texts listed as empty count as no value`() throws {
    let more = #""empty": ["(empty)", "NULL"],"#

    #expect(try device(#""model": "a""#, "a", "(Empty)", more: more)?.fields.model == nil)
    #expect(try device(#""model": "a""#, "a", "null", more: more)?.fields.model == nil)
    #expect(try device(#""model": "a""#, "a", "nil", more: more)?.fields.model == "nil")
  }

  @Test func `dates are read by format, and impossible ones are flagged`() throws {
    let rule = #""started_on": {"from": "a", "formats": ["M/d/yyyy"], "unknown": ["09/09/9999"]}"#

    #expect(try device(rule, "a", "1/18/2017")?.fields.startedOn == "2017-01-18")
    #expect(try device(rule, "a", "09/09/9999")?.notes.isEmpty == true)
    #expect(try device(rule, "a", "2/30/2017")?.notes.map(\.code) == ["impossible_date"])
    #expect(try device(rule, "a", "18.1.2017")?.notes.map(\.code) == ["not_a_date"])
    #expect(try device(rule, "a", "11/21/2026")?.fields.startedOn == "2026-11-21")
    #expect(try device(rule, "a", "11/22/2026")?.notes.map(\.code) == ["future_date"])
    #expect(try device(rule, "a", "1/1/1950")?.fields.startedOn == "1950-01-01")
    #expect(try device(rule, "a", "12/31/1949")?.notes.map(\.code) == ["too_early"])
  }

  @Test func `an observation date without a day means the first day of the month`() throws {
    let found = try device(#""observed_on": "a""#, "a", "2023-07")

    #expect(found?.fields.observedOn == Day(year: 2023, month: 7, day: 1))
  }

  @Test func `counts and lengths outside their range are flagged`() throws {
    #expect(try device(#""units": "a""#, "a", "3")?.fields.units == 3)
    #expect(try device(#""units": "a""#, "a", "10000")?.fields.units == 10_000)
    #expect(try device(#""units": "a""#, "a", "10001")?.notes.map(\.code) == ["not_a_count"])
    #expect(try device(#""units": "a""#, "a", "0") == nil)
    #expect(
      try device(#""height": {"from": "a", "unit": "ft"}"#, "a", "10")?.fields.height == 3.048)
    #expect(try device(#""height": "a""#, "a", "5000 km")?.notes.map(\.code) == ["not_a_length"])
    #expect(try device(#""field_of_view": "a""#, "a", "90°")?.fields.fieldOfView == 90)
    #expect(try device(#""field_of_view": "a""#, "a", "361")?.notes.map(\.code) == ["not_an_angle"])
  }

  @Test func `assumed fields are marked as assumed`() throws {
    let rule = #""data_collected": {"value": ["video"], "assumed": true}"#

    #expect(try device(rule, "a", "")?.fields.assumed == ["data_collected"])
    #expect(try device(#""data_collected": "video""#, "a", "")?.fields.assumed == [])
  }

  @Test func `contact data never become public text`() throws {
    let found = try device(
      #""description": "a", "operator": "b""#, "a,b",
      "\"Ask someone@example.org\nor +49 30 5550100\",https://example.org/")

    #expect(found?.fields.description == "Ask …\nor …")
    #expect(found?.fields.answersFor == nil)
    #expect(found?.notes.map(\.code) == ["contact_removed", "contact_removed"])
  }

  @Test func `a name that is nothing but markup is kept, and such a description is empty`() throws {
    let found = try device(#""name": "a", "description": "b""#, "a,b", "<img src=x>,<img src=x>")

    #expect(found?.fields.name == "<img src=x>" && found?.fields.description == nil)
  }

  @Test func `a household has no name and no contact columns`() throws {
    let found = try device(
      #""operator_kind": "household", "operator": "a""#, "a,contact:phone,e-mail,colour",
      "A Person,+49 30 5550100,someone@example.org,red")

    #expect(found?.fields.answersFor == Operator(kind: .household))
    #expect(found?.tags == [.init("colour", "red")])
    #expect(found?.notes.map(\.code) == ["household_name", "household_contact"])
  }

  @Test func `unmapped columns are kept, and others as the mapping states`() throws {
    let tag = ImportedDevice.Tag("b", "2")

    #expect(try device(#""model": "a""#, "a,b", "1,2")?.tags == [tag])
    #expect(try device(#""model": "a""#, "a,b", "1,2", more: #""keep": "none","#)?.tags == [])
    #expect(try device(#""model": "a""#, "a,b", "1,2", more: #""keep": ["b"],"#)?.tags == [tag])
    #expect(
      try device(#""model": "a""#, "a,b", "1,2", more: #""keep": "all", "drop": ["l*", "a"],"#)?
        .tags
        == [tag])
  }

  @Test(arguments: [
    ("13.4,91", "out_of_range"), ("181,52", "out_of_range"), ("-180.0001,52", "out_of_range"),
    ("13.4,461.993.881", "thousands_dots"), ("13.4,", "no_coordinates"),
    ("x,52", "not_a_coordinate"), ("\"13,4\",52", "decimal_comma"), ("NaN,52", "no_coordinates"),
  ])
  func `a row without a position is refused with the reason`(values: String, code: String) throws {
    #expect(try refusal(csv: "lon,lat\n\(values)\n")?.reason.code == code)
  }

  @Test(arguments: ["180,90", "-180,-90", "0.0000001,0"])
  func `positions on the edges of the world are valid`(values: String) throws {
    #expect(
      try MappedList(fields: #""status": []"#, csv: "lon,lat\n\(values)\n").devices.first?.notes
        == [])
  }

  @Test func `0, 0 is flagged`() throws {
    let list = try MappedList(fields: #""status": []"#, csv: "lon,lat\n0,0\n")

    #expect(list.devices.first?.notes.map(\.code) == ["null_island"])
  }

  @Test func `rows outside the bounds are refused, rows on the edge accepted`() throws {
    let more = #""bounds": [5.9, 45.8, 10.5, 47.9],"#

    #expect(try refusal(csv: "lon,lat\n5.9,45.8\n", more: more) == nil)
    #expect(
      try refusal(csv: "lon,lat\n5.8999,45.8\n", more: more)?.reason.code == "out_of_bounds")
  }

  @Test func `a row without a source key is refused`() throws {
    let more = #""key": "{id}","#

    #expect(try refusal(csv: "lon,lat,id\n1,2,\n", more: more)?.reason.code == "no_key")
    #expect(try refusal(csv: "lon,lat,id\n1,2,7\n", more: more) == nil)
  }

  @Test func `rows are skipped and refused by rule, and each is counted`() throws {
    let more = """
      "skip": [{"when": {"column": "a", "equals": "s"}, "code": "old", "because": "Gone."}],
      "refuse": [{"when": {"column": "a", "equals": "r"}, "code": "person", "because": "A person."}],
      "flag": [{"when": {"column": "a", "equals": "f"}, "field": "status", "code": "odd", "because": "Odd."}],
      """
    let list = try MappedList(
      fields: #""status": []"#, more: more, csv: "lon,lat,a\n1,2,s\n1,2,r\n1,2,f\n1,2,x\n1,2\n")

    #expect(list.counts.rows == 5)
    #expect(list.counts.devices + list.counts.skipped + list.counts.refused == 5)
    #expect(
      list.counts.reasons == [
        "skipped.old": 1, "refused.person": 1, "flagged.status.odd": 1, "refused.field_count": 1,
      ])
  }

  @Test func `a category unknown to the instance refuses the row`() throws {
    let text = """
      {"source": {"code": "t", "name": "T", "licence": "L", "attribution": "-"},
       "fields": {"category": {"from": "a"}, "name": {"value": "A"}, "zone": {"from": "b"},
         "longitude": "lon", "latitude": "lat"}}
      """
    let mapping = try ImportMapping(JSONValue(parsing: Array(text.utf8)))
    let csv = "lon,lat,a,b\n1,2,webcam,town\n1,2,teapot,town\n1,2,webcam,moon\n1,2,,town\n"

    let list = try MappedList(
      mapping, ByteSource(bytes: Array(csv.utf8), name: "a.csv"), vocabulary: seedVocabulary())

    #expect(list.refusals.map(\.reason.code) == ["unknown_category", "no_category"])
    #expect(list.devices.map(\.fields.zone) == ["town", nil])
    #expect(list.devices.last?.notes.map(\.code) == ["unknown_code"])
  }

  @Test func `a name of only harmful characters falls back to the next rule`() throws {
    let list = try MappedList(
      fields: #""status": []"#, csv: "lon,lat,name\n1,2,\u{202E}\u{200B}\n1,2,\u{202E}B\n")

    #expect(list.devices.map(\.fields.name) == ["A", "B"])
    #expect(list.devices.last?.notes.map(\.code) == ["invisible_characters"])
  }

  @Test func `exploding a row replaces its list by each element in turn`() throws {
    let text = """
      {"source": {"code": "t", "name": "T", "licence": "L", "attribution": "-"},
       "input": {"explode": "/site/counters"}, "key": "{id}-{/site/counters/n}",
       "fields": {"category": "occupancy", "name": "id", "longitude": {"from": "/site/counters/x"},
         "latitude": {"from": "/site/y"}}}
      """
    let rows = """
      [{"id": "a", "site": {"y": 2, "counters": [{"n": 1, "x": 10}, {"n": 2, "x": 11}]}},
       {"id": "b", "site": {"y": 2, "counters": []}}, {"id": "c"}]
      """
    let list = try MappedList(
      ImportMapping(JSONValue(parsing: Array(text.utf8))), ByteSource(bytes: Array(rows.utf8)))

    #expect(list.devices.map(\.sourceKey) == ["a-1", "a-2"])
    #expect(list.devices.map(\.part) == [1, 2])
    #expect(list.devices.map(\.coordinate.longitude) == [10, 11])
    #expect(list.skipped.map(\.reason.code) == ["no_devices", "no_devices"])
  }
}

@Suite struct PublicTagsTests {
  @Test func `only columns of the list are published, and no value with an address`() throws {
    let tags = try PublicTags(["tags": ["ele", "species"]])

    #expect(
      tags.shown([
        .init("ele", "204 "), .init("phone", "1"), .init("species", "https://example.org/"),
        .init("species", "Ciconia\u{202E} ciconia"),
      ]) == [.init("ele", "204"), .init("species", "Ciconia ciconia")])
  }

  @Test(arguments: [
    "contact:webcam", "email", "url", "website:2", "phone", "operator:website", "MAC",
  ])
  func `a contact column is refused in the list`(name: String) {
    #expect(throws: InvalidMapping.self) { try PublicTags(["tags": [.string(name)]]) }
  }

  @Test func `the shipped list is valid`() throws {
    #expect(throws: Never.self) { try PublicTags(seedFile("public-tags.json")) }
  }

  @Test func `a coordinate is one number of its own column`() throws {
    for field in ["longitude", "latitude"] {
      #expect {
        try MappedList(
          fields: #""\#(field)": {"from": "position", "split": ","}"#,
          csv: "lon,lat,position\n1,2,\"52.5, 13.4\"\n")
      } throws: { error in
        "\(error)".hasPrefix("fields.\(field).split: cannot be used here")
      }
    }
  }

  @Test func `a list of numbers is no coordinate`() throws {
    let text = """
      {"source": {"code": "test", "name": "Test", "licence": "CC0-1.0", "attribution": "-"},
       "fields": {"category": "webcam", "name": {"value": "A"}, "longitude": "at", "latitude": "at"}}
      """
    let list = try MappedList(
      ImportMapping(JSONValue(parsing: Array(text.utf8))),
      ByteSource(bytes: Array(#"[{"at": [13.4, 52.5]}]"#.utf8), name: "a.json"))
    #expect(list.refusals.map(\.reason.code) == ["several_numbers"])
    #expect(list.refusals.first?.reason.field == "longitude")
  }

  @Test func `choices and contacts are read`() throws {
    let rules = #"""
      "operator": "who", "operator_kind": "company", "operator_contact": "mail",
      "data_protection_contact": "dpo", "choices": {"from": "choices"}
      """#
    let offered = #"""
      [{"kind": "object", "channel": "email", "target": "a@example.org",
        "instructions": "Write; wait.", "deadline_days": 30, "checked_on": "2026-11-01"},
       {"kind": "access", "channel": "url", "target": "javascript:x"}]
      """#
    let cell = offered.split(separator: "\n").joined().replacing("\"", with: "\"\"")
    let head = "lon,lat,who,mail,dpo,choices\n13.4,52.5,"
    let row = "ACME,a@example.org,+41 31 000 00 00,\"\(cell)\"\n"
    let found = try #require(try MappedList(fields: rules, csv: head + row).devices.first)
    #expect(found.fields.answersFor?.contact == "a@example.org")
    #expect(found.fields.answersFor?.dataProtectionContact == "+41 31 000 00 00")
    let choice = try #require(found.fields.choices.first)
    #expect(choice.kind == "object" && choice.channel == .email && choice.deadlineDays == 30)
    #expect(choice.target == "a@example.org" && choice.instructions == "Write; wait.")
    #expect(choice.checkedOn == Day(year: 2026, month: 11, day: 1))
    #expect(found.fields.choices.map(\.kind) == ["object", "access"])
    #expect(found.fields.choices.last?.target == nil)
    #expect(found.notes.map(\.code) == ["not_an_address"])
    let codes = try MappedList(fields: rules, csv: head + "ACME,,,object;access\n").devices.first
    #expect(codes?.fields.choices.map(\.kind) == ["object", "access"])
  }
}
