@testable import App
@testable import Devices
import Foundation
import Import
import JSON
@testable import Lists
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
@testable import WebServer

/// Contributors propose lists of devices.
@Suite struct ProposalTests {
  let app: TestApp
  let ana: TestAccount
  let moderator: TestAccount

  init() throws {
    app = try TestApp()
    ana = try app.account("ana")
    moderator = try app.account("vera", role: .moderator)
  }

  private func fields(_ answer: TestAnswer) throws -> [String] {
    try answer.json["errors"]?.arrayValue?.compactMap { $0["field"]?.stringValue } ?? []
  }

  private func devices() throws -> Int64? {
    try app.integer("SELECT count(*) FROM device")
  }

  @Test func `a proposal is stored and nothing of it is public`() throws {
    let answer = app.propose(
      TestProposal.list(3, refused: 1), TestProposal.mapping(), [("comment", "From the town hall")],
      as: ana.identity)
    #expect(answer.status == .created)
    let proposal = try answer.json
    #expect(proposal["state"]?.stringValue == "open")
    #expect(proposal["devices"]?.intValue == 2 && proposal["refused"]?.intValue == 1)
    #expect(proposal["source"]?["licence"]?.stringValue == "CC-BY-4.0")
    #expect(proposal["comment"]?.stringValue == "From the town hall")
    #expect(try devices() == 0)
    #expect(try app.proposedRows() == 2)
    #expect(try app.integer("SELECT count(*) FROM source WHERE name = 'Cameras of the city'") == 0)
  }

  @Test(arguments: [nil, "city", "Not a Code!", ""] as [String?])
  func `the code of the source has no effect`(code: String?) throws {
    var source: JSONObject = [
      "name": "Cameras of the city", "licence": "CC0-1.0", "attribution": "City",
    ]
    if let code { source["code"] = .string(code) }
    let mapping = TestProposal.mapping(["source": .object(source)])
    let trial = app.propose(
      TestProposal.list(2), mapping, [("dry_run", "true")], as: ana.identity)
    #expect(trial.status == .ok, "\(trial.text)")
    let answer = app.propose(TestProposal.list(2), mapping, as: ana.identity)
    #expect(answer.status == .created, "\(answer.text)")
    #expect(try answer.json["source"]?["name"] == "Cameras of the city")
  }

  @Test func `a trial shows the devices and the refused rows and stores nothing`() throws {
    let answer = app.propose(
      TestProposal.list(3, refused: 1), TestProposal.mapping(), [("dry_run", "true")],
      as: ana.identity)
    #expect(answer.status == .ok)
    let trial = try answer.json
    #expect(trial["rows"]?.intValue == 3 && trial["devices"]?.intValue == 2)
    #expect(trial["notes"]?[0]?["row"]?.intValue == 3)
    #expect(trial["notes"]?[0]?["code"]?.stringValue == "out_of_range")
    #expect(trial["proposed"]?[1]?["name"]?.stringValue == "Camera 1")
    #expect(try app.integer("SELECT count(*) FROM proposal") == 0)
  }

  @Test func `500 devices are accepted and 501 are refused with a sentence about the file`() throws
  {
    #expect(app.propose(TestProposal.list(500), as: ana.identity).status == .created)
    let answer = app.propose(TestProposal.list(501), as: ana.identity)
    #expect(answer.status == .unprocessableContent)
    #expect(try fields(answer) == ["file"])
    #expect(answer.text.contains("500"))
    #expect(try app.integer("SELECT count(*) FROM proposal") == 1)
  }

  @Test func `a fourth open proposal is refused until one is withdrawn`() throws {
    var ids: [String] = []
    for _ in 0..<3 {
      let answer = app.propose(TestProposal.list(1), as: ana.identity)
      ids.append(try #require(try answer.json["id"]?.stringValue))
    }
    #expect(app.propose(TestProposal.list(1), as: ana.identity).status == .conflict)
    #expect(app.send(.delete, "/api/proposals/\(ids[1])", as: ana.identity).status == .noContent)
    #expect(try app.proposedRows() == 2)
    #expect(app.propose(TestProposal.list(1), as: ana.identity).status == .created)
  }

  @Test func `of many proposals sent at once, three are stored`() throws {
    Race.run(8) { _ in app.propose(TestProposal.list(1), as: ana.identity) }
    #expect(try app.integer("SELECT count(*) FROM proposal") == 3)
  }

  @Test(arguments: ["", "all rights reserved", "cc-by-4.0", "CC-BY-NC-4.0"])
  func `a licence that is not open data is refused by its field`(licence: String) throws {
    let answer = app.propose(
      TestProposal.list(1), TestProposal.mapping(licence: licence), as: ana.identity)
    #expect(answer.status.code == 400 || answer.status == .unprocessableContent)
    #expect(try app.integer("SELECT count(*) FROM proposal") == 0)
    #expect(answer.text.contains("licence"))
  }

  @Test func `a proposal without a source is refused even if its mapping extends another`() throws {
    let answer = app.propose(
      TestProposal.list(1), ["extends": "osm.json", "fields": ["name": "name"]], as: ana.identity)
    #expect(answer.status.code == 400 || answer.status == .unprocessableContent)
    #expect(try app.integer("SELECT count(*) FROM proposal") == 0)
  }

  @Test func `a file that is larger than a list can be is refused before it is read`() throws {
    let row = "1,Camera,-9.1,38.7\n"
    let text =
      "id,name,lon,lat\n"
      + String(repeating: row, count: ProposalReading.bytes / row.utf8.count + 1)
    let answer = app.propose(text, as: ana.identity)
    #expect(answer.status == .unprocessableContent)
    #expect(answer.text.contains("4 MiB"))
  }

  @Test func `names with hostile characters are cleaned as an import cleans them`() throws {
    let answer = app.propose(
      "id,name,lon,lat\n1,\u{202E}evil\u{0301}\u{0301} <script>,-9.1,38.7\n",
      as: ana.identity)
    let id = try #require(try answer.json["id"]?.stringValue)
    let name = try app.get("/api/proposals/\(id)", as: ana.identity)
      .json["proposed"]?[0]?["name"]?.stringValue
    let hasHostile = (name ?? "").unicodeScalars.contains { $0 == "\u{202E}" }
    #expect(name?.contains("<script>") == true && !hasHostile)
  }

  @Test func `lists count against the limit of an account, also when they are refused`() throws {
    let new = try app.account("nova", isNew: true)
    for _ in 0..<20 {
      #expect(app.propose("", as: new.identity).status != .tooManyRequests)
    }
    #expect(app.propose(TestProposal.list(1), as: new.identity).status == .tooManyRequests)
  }

  @Test func `rows near a device and rows far from the others are marked`() throws {
    try app.device(name: "Known", longitude: -9.1, latitude: 38.7)
    let list = TestProposal.list(5) + "9,Madrid,-3.7,40.4\n"
    let id = try #require(
      try app.propose(list, as: ana.identity).json["id"]?.stringValue)
    let rows = try app.get("/api/proposals/\(id)", as: moderator.identity).json["proposed"]
    #expect(rows?[0]?["duplicates"]?[0]?["name"]?.stringValue == "Known")
    #expect(rows?[1]?["duplicates"] == [])
    #expect(rows?[4]?["far"]?.boolValue == false && rows?[5]?["far"]?.boolValue == true)
  }

  @Test func `an open proposal is compared with the map once in ten minutes`() throws {
    let known = try app.device(name: "Known", longitude: -9.1, latitude: 38.7)
    let id = try #require(
      try app.propose(TestProposal.list(2), as: ana.identity).json["id"]?.stringValue)
    func duplicates() throws -> [String] {
      let answer = app.get("/api/proposals/\(id)", as: moderator.identity)
      #expect(answer.status == .ok)
      let found = try answer.json["proposed"]?[0]?["duplicates"]?.arrayValue ?? []
      return found.compactMap { $0["name"]?.stringValue }.sorted()
    }
    #expect(try duplicates() == ["Known"])
    // The name is the present one, and a device that is not public any more is not named.
    try app.edit(known) { $0.columns.append(("name", .text("Renamed"))) }
    #expect(try duplicates() == ["Renamed"])
    try app.device(name: "Later", longitude: -9.1, latitude: 38.7)
    #expect(try duplicates() == ["Renamed"])
    app.clock.advance(by: .seconds(601))
    #expect(try duplicates() == ["Later", "Renamed"])
    try app.hide(known)
    #expect(try duplicates() == ["Later"])
    // Only ids and distances are stored, and nothing of them after the decision.
    func stored() throws -> String? {
      try app.database.readPrivate { try $0.text("SELECT max(duplicates) FROM proposal_row") }
    }
    let found = try #require(try stored())
    #expect(found.contains("\"") && !found.contains("Renamed") && !found.contains("Later"))
    let decision = app.send(
      .post, "/api/moderation/proposals/\(id)/decision", json: ["rows": [], "reason": "no"],
      as: moderator.identity)
    #expect(decision.status.code < 300, "\(decision.text)")
    #expect(try stored() == nil)
  }

  @Test func `looks at the same time compare once`() throws {
    let id = try #require(
      try app.propose(TestProposal.list(2), as: ana.identity).json["id"]?.stringValue)
    app.clock.advance(by: .seconds(601))
    let proposal = try app.database.readPrivate { try ProposalStore().one(id, $0) }
    let seen = try #require(proposal)
    let isFirst = try app.database.write {
      try ProposalStore().beginComparing(seen, at: app.clock.now, $0)
    }
    let isSecond = try app.database.write {
      try ProposalStore().beginComparing(seen, at: app.clock.now, $0)
    }
    #expect(isFirst && !isSecond)
  }

  @Test func `an account opens proposals at most 300 times in ten minutes`() throws {
    let id = try #require(
      try app.propose(TestProposal.list(1), as: ana.identity).json["id"]?.stringValue)
    for _ in 0..<300 { #expect(app.get("/api/proposals/\(id)", as: ana.identity).status == .ok) }
    #expect(app.get("/api/proposals/\(id)", as: ana.identity).status == .tooManyRequests)
    #expect(app.get("/api/proposals/\(id)", as: moderator.identity).status == .ok)
  }

  @Test func `telephone numbers and addresses in texts are removed and flagged`() throws {
    let mapping = TestProposal.mapping([
      "fields": [
        "name": "name", "category": ["value": "camera_fixed"], "longitude": "lon",
        "latitude": "lat", "description": "note",
      ]
    ])
    let list = "id,name,lon,lat,note\n1,Camera,-9.1,38.7,Ask joe@example.org or tel. 291 000 001\n"
    let id = try #require(
      try app.propose(list, mapping, as: ana.identity).json["id"]?.stringValue)
    let answer = app.get("/api/proposals/\(id)", as: moderator.identity)
    #expect(!answer.text.contains("joe@example.org") && !answer.text.contains("291 000"))
    #expect((try answer.json["proposed"]?[0]?["notes"]?.arrayValue ?? []).isEmpty == false)
  }

  @Test func `only the contributor and moderators see a proposal`() throws {
    let id = try #require(
      try app.propose(TestProposal.list(1), as: ana.identity).json["id"]?.stringValue)
    let other = try app.account("bea")
    #expect(app.get("/api/proposals/\(id)", as: other.identity).status == .notFound)
    #expect(app.get("/api/proposals/\(id)", as: ana.identity).status == .ok)
    #expect(app.get("/api/proposals/\(id)", as: moderator.identity).status == .ok)
    #expect(try app.get("/api/proposals", as: other.identity).json["proposals"] == [])
    #expect(app.send(.delete, "/api/proposals/\(id)", as: moderator.identity).status == .notFound)
  }

  @Test func `every property of a device is stored and read back unchanged`() throws {
    var fields = DeviceFields(name: "Câmara", category: "camera_fixed")
    fields.status = .removed
    (fields.description, fields.manufacturer, fields.model) = ("a\nb", "Acme", "X1")
    (fields.units, fields.level, fields.height) = (3, "-1", 2.125)
    (fields.setting, fields.zone, fields.mount) = (.outdoor, "traffic", "pole")
    (fields.bearings, fields.fieldOfView) = ([0.1, 359.9], 90)
    (fields.dataCollected, fields.purposes) = (["video"], ["security"])
    (fields.retention, fields.startedOn) = ("P30D", "2024-03")
    fields.observedOn = Day(text: "2026-01-02")
    fields.assumed = ["data_collected"]
    var who = Operator(name: "City", kind: .public)
    (who.contact, who.privacyPolicy) = ("mail@city.example", "https://city.example/")
    fields.answersFor = who
    var device = ImportedDevice(
      ofRow: 7, fields, at: try Coordinate(longitude: -9.123456789012, latitude: 38.7654321))
    (device.line, device.part, device.sourceKey) = (9, 2, "k")
    (device.isApproximate, device.keepsKnownPosition, device.precision) = (true, true, .kilometre)
    device.tags = [ImportedDevice.Tag("b", "2"), ImportedDevice.Tag("a", "1")]
    let text = JSONValue.object(ProposedDeviceJSON.json(device)).text
    let read = try JSONValue(parsing: Array(text.utf8)).objectValue.flatMap(
      ProposedDeviceJSON.device)
    #expect(read == device)
  }

  @Test func `undecided proposals are deleted after 180 days and decided ones after 90`() throws {
    app.propose(TestProposal.list(1), as: ana.identity)
    let id = try #require(
      try app.propose(TestProposal.list(1), as: ana.identity).json["id"]?.stringValue)
    _ = app.send(
      .post, "/api/moderation/proposals/\(id)/decision", json: [:], as: moderator.identity)
    app.clock.advance(by: .seconds(89 * 86_400))
    try app.app.works[DeviceProposals.job]?("{}")
    #expect(try app.integer("SELECT count(*) FROM proposal") == 2)
    app.clock.advance(by: .seconds(86_400))
    try app.app.works[DeviceProposals.job]?("{}")
    #expect(try app.integer("SELECT count(*) FROM proposal") == 1)
    app.clock.advance(by: .seconds(90 * 86_400))
    try app.app.works[DeviceProposals.job]?("{}")
    #expect(try app.integer("SELECT count(*) FROM proposal") == 0)
    #expect(try devices() == 1)
  }

  @Test func `the licences that the page offers are those that the server accepts`() throws {
    let page = try String(
      contentsOf: Repository.root.appendingPathComponent("public/js/lists/proposals.js"),
      encoding: .utf8)
    for licence in LicenceAddress.identifiers { #expect(page.contains("'\(licence)'")) }
    #expect(page.contains("LONGEST_FORM = 4_521_984"))
    #expect(ProposalForm.limit == 4_521_984)
  }
}
