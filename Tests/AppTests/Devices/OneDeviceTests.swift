@testable import App
import WebServer
import JSON
import PrivacyMap
import SpatialDatabase
import Testing

/// `…/items/{id}`: the number of statements that one device costs, however much belongs to it.
@Suite(.onlySQLite("counts the statements of SQLite")) struct OneDeviceTests {
  let app: TestApp
  let ana: TestAccount

  init() throws {
    app = try TestApp()
    ana = try app.account("ana")
  }

  private func statements(of path: String) -> UInt64 {
    // The first one opens the connection.
    #expect(app.get(path).status == .ok)
    let before = app.database.statementCount
    #expect(app.get(path).status == .ok)
    return app.database.statementCount - before
  }

  @Test func `a device is read with one statement and without a transaction`() throws {
    let device = try app.device()
    #expect(statements(of: Path.item(device.id)) == 1)
  }

  @Test func `so is one with an operator, choices and verdicts, in their order`() throws {
    let id = try app.added(
      [
        "operator": ["name": "City", "kind": "public"],
        "choices": [["kind": "erase"], ["kind": "access"]],
      ], as: ana)
    for (name, verdict) in [("ben", "dispute"), ("cleo", "confirm")] {
      let answer = app.send(
        .post, Path.item(id) + "/claims",
        json: [
          "claim": "present", "verdict": .string(verdict), "basis": "seen",
        ], as: try app.account(name).identity)
      #expect(answer.status == .ok)
    }
    #expect(statements(of: Path.item(id)) == 1)
    let choices = try app.get(Path.item(id)).property("choices")?.arrayValue ?? []
    #expect(choices.map { $0["kind"]?.stringValue } == ["erase", "access"])
    #expect(choices.first?["deadline_days"] == .null)
    let claims = try app.get(Path.item(id)).property("claims")?.arrayValue ?? []
    #expect(claims.map { $0["claim"]?.stringValue } == ["present", "function", "data", "operator"])
  }

  @Test func `a list with all properties costs a statement for all its devices`() throws {
    for number in 0..<5 { try app.device(name: "\(number)") }
    let path = "/api/collections/devices/items"
    #expect(app.get(path, ["properties": "*"]).status == .ok)
    let before = app.database.statementCount
    let answer = app.get(path, ["properties": "*", "limit": "4"])
    #expect(try answer.json["features"]?.arrayValue?.count == 4)
    // With BEGIN and COMMIT.
    #expect(app.database.statementCount - before == 3)
  }
}
