@testable import App
@testable import Devices
import JSON
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
@testable import Visits
import WebServer

/// Visits that volunteers take themselves. One account must not close many devices to the requests of others.
@Suite struct VisitTakingTests {
  let app: TestApp
  let ana, ben: TestAccount

  init() throws {
    app = try TestApp()
    ana = try app.account("ana")
    ben = try app.account("ben")
  }

  private func take(_ device: TestDevice, as account: TestAccount) -> TestAnswer {
    app.post(
      TestApp.visits + "/take", ["device": .string(device.id)], as: account.identity)
  }

  private func taken(_ device: TestDevice) throws -> String {
    let answer = take(device, as: ben)
    #expect(answer.status == .created, "\(answer.text)")
    return try #require(try answer.json["id"]?.stringValue)
  }

  @Test(arguments: ["cancelled", "missed", "lost"])
  func `a visit that nobody asked for ends when its volunteer does not go`(event: String) throws {
    let device = try app.visitedDevice()
    let id = try taken(device)
    switch event {
    case "cancelled": #expect(app.visit(id, "cancel", as: ben).status == .noContent)
    case "missed":
      app.clock.advance(by: .seconds(25 * 3_600))
      try app.app.visits.finish()
    default:
      try app.volunteer(ben)
      #expect(
        app.send(.delete, TestApp.visits + "/volunteer", as: ben.identity).status == .noContent)
    }
    #expect(try app.state(id) == "closed")
    let asked = app.ask(device, as: ana)
    #expect(asked.status == .created, "\(asked.text)")
    try app.checkVisits()
  }

  @Test func `a request of a person waits again`() throws {
    let device = try app.visitedDevice()
    let id = try app.asked(device, as: ana)
    #expect(try app.state(id) == "open")
    #expect(app.visit(id, "take", as: ben, [:]).status == .ok)
    #expect(app.visit(id, "cancel", as: ben).status == .noContent)
    #expect(try app.state(id) == "waiting")
    try app.checkVisits()
  }

  @Test(arguments: [true, false])
  func `an account takes a limited number of visits in a day`(isNew: Bool) throws {
    let eva = try app.account("eva", isNew: isNew)
    let limit = isNew ? VisitAsking.takenPerDayOfNew : VisitAsking.takenPerDay
    let devices = try (0...limit).map {
      try app.visitedDevice("Gate \($0)", longitude: Double($0) / 100)
    }
    for (place, device) in devices.enumerated() {
      // Requests of others count as well.
      let isAsked = place == 1
      let answer =
        isAsked
        ? app.visit(try app.asked(device, as: ana), "take", as: eva, [:])
        : take(device, as: eva)
      guard place < limit else {
        #expect(answer.status == .tooManyRequests, "\(answer.text)")
        #expect(try app.integer("SELECT count(*) FROM visit_request") == Int64(limit))
        continue
      }
      #expect(answer.status.code < 300, "\(answer.text)")
      let id = try answer.json["id"]?.stringValue ?? ""
      #expect(app.visit(id, "outcome", as: eva, ["outcome": "confirmed"]).status == .ok)
    }
    app.clock.advance(by: .seconds(86_400))
    #expect(take(try #require(devices.last), as: eva).status == .created)
  }
}

/// Homes are known by the category of a device, because few devices in them have a known operator.
@Suite struct VisitHomeTests {
  let app: TestApp
  let ana, ben: TestAccount

  init() throws {
    app = try TestApp()
    ana = try app.account("ana")
    ben = try app.account("ben")
  }

  private func listed(_ device: TestDevice) throws -> JSONValue? {
    try app.get(TestApp.visits, ["bbox": "-0.1,-0.1,0.1,0.1"]).json["visits"]?.arrayValue?
      .first { $0["device"]?["id"]?.stringValue == device.id }
  }

  @Test(arguments: ["smart_speaker", "home_appliance", "doorbell_camera"])
  func `nobody is sent into a home whose operator is unknown`(category: String) throws {
    let device = try app.visitedDevice {
      $0.category = category
      $0.setting = .indoor
    }
    for reason in ["still_there", "check_details"] {
      let asked = app.ask(device, reason, as: ana)
      #expect(asked.status == .unprocessableContent, "\(asked.text)")
      #expect(asked.text.contains("private home"))
    }
    #expect(try listed(device) == nil)
    let taken = app.post(
      TestApp.visits + "/take", ["device": .string(device.id)], as: ben.identity)
    #expect(taken.status == .unprocessableContent, "\(taken.text)")
  }

  @Test func `a device of a household is only looked at from the street`() throws {
    let device = try app.visitedDevice { $0.category = "doorbell_camera" }
    // It has no photo, but no photo is possible from the street.
    #expect(try listed(device) == nil)
    #expect(app.ask(device, "photo_notice", as: ana).status == .unprocessableContent)
    let asked = app.ask(device, as: ana)
    #expect(asked.status == .created)
    #expect(try asked.json["from_street"] == true)
    #expect(try listed(device)?["reasons"] == ["still_there"])
  }

  @Test func `a request ends when its device turns out to be in a home`() throws {
    let device = try app.visitedDevice { $0.category = "smart_speaker" }
    let id = try app.asked(device, as: ana)
    try app.edit(device) { $0.columns.append(("setting", "indoor")) }
    try app.app.visits.finish()
    #expect(try app.state(id) == "closed")
  }
}
