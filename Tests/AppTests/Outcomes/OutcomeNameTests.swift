@testable import App
import JSON
import PrivacyMap
@testable import Service
import Testing
import WebServer

/// Figures about requests name no person, however many people ask.
@Suite struct OutcomeNameTests {
  let town: Town

  init() throws { town = try Town() }

  private var app: TestApp { town.app }

  private func names() throws -> Set<String> {
    Set(try town.outcomes(by: "operator").keys)
  }

  @Test func `requests about household devices make no figure with a name`() throws {
    let people = try town.people(12)
    let doorbell = try town.device("doorbell_camera", of: "Maria Exemplo")
    let camera = try app.device(longitude: 7.5, latitude: 46.5) {
      $0.answersFor = Operator(kind: .household)
    }
    let station = try town.device("camera_fixed", of: "Metro AG")
    for device in [doorbell, camera.id, station] { try town.ask(people, about: device) }
    try town.publish()
    #expect(try names() == ["Metro AG"])
    #expect(try town.outcomes(by: "category").keys.contains("doorbell_camera"))
  }

  @Test func `a withheld name is in no list of figures until that is undone`() throws {
    let people = try town.people(12)
    for name in ["Maria Exemplo", "Metro AG"] {
      try town.ask(people, about: try town.device("camera_fixed", of: name))
    }
    try town.publish()
    #expect(try names() == ["Maria Exemplo", "Metro AG"])
    let mia = try app.account("mia", role: .moderator)
    let path = "/api/moderation/operator-rulings"
    let withheld = app.send(
      .post, path, json: ["kind": "withhold", "operator": "maria-exemplo"], as: mia.identity)
    #expect(withheld.status == .created, "\(withheld.text)")
    #expect(try names() == ["Metro AG"])
    let id = try #require(try withheld.json["id"]?.stringValue)
    let undone = app.send(
      .post, "\(path)/\(id)/undo", json: ["reason": "A shop"], as: mia.identity)
    #expect(undone.status == .noContent, "\(undone.text)")
    #expect(try names() == ["Maria Exemplo", "Metro AG"])
  }
}
