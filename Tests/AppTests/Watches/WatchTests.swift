@testable import App
import JSON
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
@testable import Watching
import WebServer

/// The watches of an account: `/api/watches`.
@Suite struct WatchTests {
  let app: TestApp
  let ana: TestAccount

  init() throws {
    app = try TestApp()
    ana = try app.account("ana")
  }

  private func add(_ members: JSONObject) -> TestAnswer {
    app.post(TestApp.watches, TestApp.watch(members), as: ana.identity)
  }

  private func path(_ watch: JSONValue) throws -> String {
    "\(TestApp.watches)/\(try #require(watch["id"]?.stringValue))"
  }

  @Test func `a watch is stored and listed as it was sent`() throws {
    let made = try app.watch(
      [
        "filter": ["category": "alpr,camera_fixed", "operator": ["One", "Two"]],
        "events": ["added", "changed"], "properties": ["name"], "mail": "weekly", "hour": 7,
        "weekday": 5, "time_zone": "Europe/Lisbon",
      ], of: ana)
    let list = try app.get(TestApp.watches, as: ana.identity).json
    #expect(list["watches"]?[0] == made)
    #expect(made["label"]?.stringValue == "My street")
    #expect(made["area"]?["bbox"]?.arrayValue?.map(\.numberValue) == [6, 46, 7, 47])
    #expect(made["filter"]?["operator"] == ["One", "Two"])
    #expect(made["events"] == ["added", "changed"])
    #expect(made["mail"]?.stringValue == "weekly")
    #expect(made["time_zone"]?.stringValue == "Europe/Lisbon")
    #expect(made["feed"] == .null)
    #expect(made["webhook"] == .null)
    // 2026-11-21 and a year.
    #expect(made["ends_on"]?.stringValue == "2027-11-21")
  }

  @Test func `a change keeps what it does not name`() throws {
    let made = try app.watch(["mail": "daily", "hour": 6], of: ana)
    let changed = app.send(.patch, try path(made), json: ["label": "School"], as: ana.identity)
    #expect(changed.status == .ok)
    #expect(try changed.json["label"]?.stringValue == "School")
    #expect(try changed.json["mail"]?.stringValue == "daily")
    #expect(try changed.json["hour"]?.intValue == 6)
  }

  @Test func `a stopped watch is erased with what it found`() throws {
    let made = try app.watch(of: ana)
    try app.device(longitude: 6.5, latitude: 46.5)
    #expect(try app.reported() == ["added"])
    #expect(app.send(.delete, try path(made), as: ana.identity).status == .noContent)
    #expect(try app.count("watch") == 0)
    #expect(app.get(try path(made), as: ana.identity).status == .notFound)
  }

  @Test func `nobody else sees a watch, whatever their role`() throws {
    let made = try app.watch(of: ana)
    for role in [Role.contributor, .operator, .moderator, .admin] {
      let other = try app.account("other_\(role.rawValue)", role: role)
      #expect(app.get(try path(made), as: other.identity).status == .notFound)
      #expect(try app.get(TestApp.watches, as: other.identity).json["watches"] == [])
    }
  }

  @Test func `the last watch is accepted and the next refused`() throws {
    for _ in 0..<WatchStore.maximum { #expect(add([:]).status == .created) }
    let answer = add([:])
    #expect(answer.status == .conflict)
    #expect(try answer.type == "/problems/too-many-watches")
    let rui = try app.account("rui")
    #expect(app.post(TestApp.watches, TestApp.watch(), as: rui.identity).status == .created)
  }

  @Test func `the last webhook is accepted and the next refused`() throws {
    for _ in 0..<WatchStore.maxWebhooks {
      #expect(add(["webhook": "https://a.example/"]).status == .created)
    }
    #expect(add(["webhook": "https://a.example/"]).status == .conflict)
    #expect(add([:]).status == .created)
  }

  @Test(arguments: [
    "http://a.example/", "https://a.example:8443/", "https://user@a.example/", "https://127.0.0.1/",
    "https://localhost/", "https://a.example/#x", "https://[::1]/", "ftp://a.example/",
    "https://0x7f.1/", "https://a..example/", "https://a.example/ b",
  ])
  func `an address that is not a public https address is refused`(url: String) throws {
    let answer = add(["webhook": .string(url)])
    #expect(answer.status == .unprocessableContent, "\(url)")
    #expect(try answer.json["errors"]?[0]?["field"]?.stringValue == "webhook")
  }

  @Test func `a box that is no list of four numbers is refused with the reason`() throws {
    let boxes: [(JSONValue, String)] = [
      ([6, "x", 7, 47], "This must be a list of numbers."),
      ([6, 46, 7], "4 numbers separated by commas are needed, not 3."),
    ]
    for (box, reason) in boxes {
      let error = try add(["area": ["type": "box", "bbox": box]]).json["errors"]?[0]
      #expect(error?["field"]?.stringValue == "area.bbox")
      #expect(error?["detail"]?.stringValue == reason)
    }
  }

  @Test func `an empty label is refused as required`() throws {
    let answer = add(["label": ""])
    #expect(
      try answer.json["errors"]?[0]?["detail"]?.stringValue == "This field is required.")
  }

  @Test func `a webhook has a secret of its own, which stays while its address does`() throws {
    let one = try app.watch(["webhook": "https://a.example/hook?x=1"], of: ana)
    let two = try app.watch(["webhook": "https://a.example/hook?x=1"], of: ana)
    let secret = try #require(one["webhook"]?["secret"]?.stringValue)
    #expect(secret.hasPrefix("whsec_"))
    #expect(secret != two["webhook"]?["secret"]?.stringValue)
    let same = app.send(.patch, try path(one), json: ["label": "School"], as: ana.identity)
    #expect(try same.json["webhook"]?["secret"]?.stringValue == secret)
    let other = app.send(
      .patch, try path(one), json: ["webhook": "https://b.example/"], as: ana.identity)
    #expect(try other.json["webhook"]?["secret"]?.stringValue != secret)
  }

  @Test func `a feed is off and on again at another address`() throws {
    let made = try app.watch(["feed": true], of: ana)
    let address = try #require(made["feed"]?["atom"]?.stringValue)
    #expect(app.follow(address).status == .ok)
    for isOn in [false, true] {
      _ = app.send(.patch, try path(made), json: ["feed": .bool(isOn)], as: ana.identity)
      #expect(app.follow(address).status == .notFound)
    }
    #expect(app.follow(address.replacing(".atom", with: "x.atom")).status == .notFound)
  }

  @Test(arguments: [
    ("filter", "category", "no_such"), ("filter", "bbox", "1,2,3,4"), ("filter", "nonsense", "1"),
    ("filter", "datetime", "2026-01-01T00:00:00Z"),
  ])
  func `a filter that lists would refuse, or that selects an area, is refused`(
    member: String, name: String, value: String
  ) {
    let answer = add([member: .object([name: .string(value)])])
    #expect(answer.status == .badRequest, "\(name)")
  }

  @Test(arguments: ["Mars/Olympus", "Europe/../../etc/passwd", "Lisbon", "/etc/localtime"])
  func `an unknown time zone is refused`(zone: String) {
    #expect(add(["time_zone": .string(zone)]).status == .unprocessableContent)
  }

  @Test func `a device that does not exist or is hidden cannot be watched`() throws {
    let device = try app.device(longitude: 6.5, latitude: 46.5)
    let area: JSONValue = ["type": "device", "device": .string(device.id)]
    #expect(add(["area": area]).status == .created)
    try app.hide(device)
    #expect(add(["area": area]).status == .notFound)
  }

  @Test func `watches are part of the export and erased with the account`() throws {
    try app.watch(["feed": true, "webhook": "https://a.example/"], of: ana)
    try app.device(longitude: 6.5, latitude: 46.5)
    _ = try app.reported()
    let export = try app.get("/api/account/export", as: ana.identity).json
    #expect(export["watches"]?[0]?["label"]?.stringValue == "My street")
    #expect(export["watches"]?[0]?["area"]?["type"]?.stringValue == "box")
    let ended = app.send(
      .delete, "/api/account", json: ["password": .string(TestAccount.password)],
      as: ana.identity)
    #expect(ended.status == .noContent, "\(ended.text)")
    for table in ["watch", "watch_sent"] { #expect(try app.count(table) == 0) }
    try app.device(longitude: 6.5, latitude: 46.5)
    #expect(try app.reported() == [])
  }

  @Test func `a watch that is not kept ends after a mail, and one that is kept stays`() throws {
    let lost = try app.watch(["label": "Lost"], of: ana)
    let kept = try app.watch(["label": "Kept"], of: ana)
    func sweep() throws { try app.app.works[WatchSweep.job]?("{}") }
    app.clock.advance(by: .seconds(334 * 86_400))
    try sweep()
    #expect(try app.mails.isEmpty)
    app.clock.advance(by: .seconds(2 * 86_400))
    try sweep()
    try sweep()
    #expect(try app.mails.map(\.template) == ["watch_ending", "watch_ending"])
    let identity = try app.signIn(ana.rowid)
    #expect(app.send(.patch, try path(kept), json: [:], as: identity).status == .ok)
    app.clock.advance(by: .seconds(28 * 86_400))
    try sweep()
    #expect(try app.count("watch") == 2)
    app.clock.advance(by: .seconds(2 * 86_400))
    try sweep()
    #expect(try app.text("SELECT id FROM watch") == kept["id"]?.stringValue)
    #expect(lost["id"] != kept["id"])
  }
}
