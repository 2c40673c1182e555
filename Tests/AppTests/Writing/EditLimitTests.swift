import JSON
import PrivacyMap
import SpatialDatabase
import Testing
import WebServer

/// A refused edit costs as much as an accepted one, so it counts towards the same limit.
@Suite struct EditLimitTests {
  let app: TestApp
  let nia: TestAccount
  let id: String

  init() throws {
    app = try TestApp()
    nia = try app.account("nia", isNew: true)
    id = try app.added(as: try app.account("ana"))
  }

  private func patch(_ members: JSONValue) throws -> TestAnswer {
    try app.patch(id, members, as: nia.identity)
  }

  @Test func `thirty refused edits an hour use up the limit of a new account`() throws {
    for _ in 0..<30 {
      #expect(try patch(["properties": ["units": 0]]).status == .unprocessableContent)
    }
    let refused = try patch(["properties": ["units": 2]])
    #expect(refused.status == .tooManyRequests)
    #expect(refused.headers["Retry-After"] == "3600")
    app.clock.advance(by: .seconds(3_601))
    #expect(try patch(["properties": ["units": 2]]).status == .ok)
  }

  @Test func `edits without a change do not count`() throws {
    for _ in 0..<40 {
      #expect(try patch(["properties": ["name": "A camera"]]).status == .ok)
    }
    #expect(try patch(["properties": ["units": 2]]).status == .ok)
  }

  @Test func `a body with too many members is refused before it reaches the writer`() throws {
    let members = (0..<12_000).map { ("unknown\($0)", JSONValue.integer(1)) }
    let tag = try app.tag(id)
    let hold = app.hold {
      let answer = try? app.patch(
        id, ["properties": .object(JSONObject(members))], tag: tag, as: nia.identity)
      #expect(answer?.status == .badRequest, "\(answer?.text ?? "")")
      let many = try? app.patch(
        id, ["properties": ["refs": .array(Array(repeating: 1, count: 6_000))]], tag: tag,
        as: nia.identity)
      #expect(many?.status == .badRequest, "\(many?.text ?? "")")
      let unknown = try? app.patch(id, ["properties": ["thing": 1]], tag: tag, as: nia.identity)
      #expect(unknown?.status == .badRequest, "\(unknown?.text ?? "")")
    }
    #expect(hold == .zero)
  }

  @Test func `an existing value may be repeated in a patch, and a new one refused`() throws {
    let before = try app.get(Path.item(id)).json["properties"]
    let same = try patch([
      "properties": ["claims": before?["claims"] ?? .null, "operator": ["name": .null]]
    ])
    #expect(same.status == .ok, "\(same.text)")
    let wide = JSONValue.object(JSONObject((0..<400).map { ("k\($0)", .null) }))
    for other in [["osm": ["node/1"]] as JSONValue, wide] {
      let refused = try patch(["properties": ["refs": other]])
      #expect(refused.status == .unprocessableContent, "\(refused.text)")
      #expect(try refused.fields == ["refs"])
    }
  }

  @Test func `a part of the operator is completed with its known values`() throws {
    let named = try patch(["properties": ["operator": ["name": "City", "kind": "public"]]])
    #expect(try named.property("operator")?["name"] == "City")
    let more = try patch(["properties": ["operator": ["contact": "office@city.example"]]])
    #expect(try more.property("operator")?["name"] == "City")
    #expect(try more.property("operator")?["contact"] == "office@city.example")
    let long = try patch(
      ["properties": ["operator": ["contact": .string(String(repeating: "a", count: 9_000))]]])
    #expect(long.status == .unprocessableContent)
    #expect(try long.fields == ["operator.contact"])
    let unknown = try patch(["properties": ["operator": ["thing": 1]]])
    #expect(unknown.status == .badRequest)
    #expect(try unknown.fields == ["operator.thing"])
  }
}
