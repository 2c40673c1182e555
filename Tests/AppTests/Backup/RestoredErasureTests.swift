@testable import Accounts
@testable import App
@testable import DevicePhotos
@testable import Devices
import Foundation
import JSON
import Logging
@testable import MappingDays
import Mail
@testable import Operations
@testable import Pictures
import PrivacyMap
@testable import Rights
@testable import Service
import SpatialDatabase
import Testing
@testable import Watching
import WebServer

/// A restore repeats every erasure and every withdrawal since the backup, on both engines.
///
/// The backup is a copy of the database before the act. The restored instance gets the list of the instance in which the
/// act happened.
@Suite struct RestoredErasureTests {
  /// The people and devices of a test, as they were at the time of the backup.
  struct Scene {
    let app: TestApp
    let ana, rui: TestAccount
    let device: String
  }

  /// An act after the backup, and its trace in the database.
  struct Act {
    /// The act, through the interface of the instance where it has one.
    let perform: (TestApp) throws -> Void
    /// Counts what the act ended: 1 before it, 0 after it.
    let count: String
    var values: [SQLValue] = []
  }

  private func scene() throws -> Scene {
    let app = try TestApp()
    let ana = try app.account("ana")
    let device = try app.added(as: ana)
    return Scene(app: app, ana: ana, rui: try app.account("rui"), device: device)
  }

  /// Performs an act after a backup.
  ///
  /// - Returns: the restored instance, settled, and the outcome.
  private func restored(
    _ scene: Scene, after act: Act
  ) throws -> (app: TestApp, done: Settlement) {
    #expect(try count(act, scene.app) == 1, "before the act")
    let later = try TestApp(copying: scene.app, seed: 9)
    // Of entries about one setting, the last one counts.
    later.clock.advance(by: .seconds(60))
    try act.perform(later)
    #expect(try count(act, later) == 0, "after the act")
    try later.doJobs()
    let list = later.folder.appendingPathComponent(ErasureList.name).path
    let restored = try TestApp(copying: scene.app, seed: 11)
    #expect(try count(act, restored) == 1, "in the backup")
    return (restored, try settle(restored, [list]))
  }

  private func count(_ act: Act, _ app: TestApp) throws -> Int64? {
    try app.database.readPrivate { try $0.integer(act.count, act.values) }
  }

  private func settle(_ app: TestApp, _ lists: [String]) throws -> Settlement {
    try Settlement(
      app.database,
      Folders(
        front: TestFolder.front, seed: Repository.root.appendingPathComponent("seed"),
        data: [app.folder]),
      erasures: ErasureList(
        files: [app.folder.appendingPathComponent(ErasureList.name).path], others: lists),
      environment: app.environment, logger: Logger(label: "test") { [log = app.log] _ in log },
      opening: OpenedInstance.wholly)
  }

  /// A kind of which no act is listed here does not compile.
  private func act(_ kind: ErasureList.Kind, _ scene: Scene) throws -> Act {
    let (app, ana, device) = (scene.app, scene.ana, scene.device)
    let ofDevice = "SELECT count(*) FROM device WHERE id = ? AND"
    switch kind {
    case .account:
      return Act(
        perform: { later in
          let password: JSONValue = ["password": .string(TestAccount.password)]
          let answer = later.send(.delete, "/api/account", json: password, as: ana.identity)
          #expect(answer.status == .noContent)
        }, count: "SELECT count(*) FROM account WHERE id = ?", values: [.text(ana.id)])
    case .choice, .choiceParts:
      let choice = try app.choice(of: ana, about: device)
      return Act(
        perform: { later in
          let path = "/api/choices/\(choice)"
          let answer =
            kind == .choice
            ? later.send(.delete, path, as: ana.identity)
            : later.send(.patch, path, json: ["reminders": false], as: ana.identity)
          #expect(answer.status.code < 300, "\(answer.text)")
        }, count: "SELECT count(*) FROM choice WHERE id = ? AND reminders = 1",
        values: [.text(choice)])
    case .device, .removed:
      let admin = try app.account("boss", role: .admin)
      return Act(
        perform: { later in
          let answer = later.send(
            .delete, Path.item(device), headers: ["If-Match": try later.tag(device)],
            json: ["reason": "a test", "purge": .bool(kind == .device)], as: admin.identity)
          #expect(answer.status == .noContent, "\(answer.text)")
        }, count: "\(ofDevice) 1 = 1", values: [.text(device)])
    case .hidden:
      let moderator = try app.account("mod", role: .moderator)
      return Act(
        perform: { later in
          let answer = later.act("hide", "device", device, as: moderator.identity)
          #expect(answer.status == .ok, "\(answer.text)")
        }, count: "\(ofDevice) hidden = 0", values: [.text(device)])
    case .precision:
      return Act(
        perform: { later in
          let answer = try later.patch(
            device, ["properties": ["precision": "1km"]], as: ana.identity)
          #expect(answer.status.code < 300, "\(answer.text)")
        }, count: "\(ofDevice) precision = 'exact'", values: [.text(device)])
    case .picture, .photo, .photoState, .redaction:
      return try actOnPhoto(kind, scene)
    case .proposal:
      let proposal = try TestProposal.stored(of: ana, app)
      return Act(
        perform: { later in
          let answer = later.send(.delete, "/api/proposals/\(proposal)", as: ana.identity)
          #expect(answer.status == .noContent)
        }, count: "SELECT count(*) FROM proposal_row")
    case .watch, .watchParts:
      let watch = try app.watch(["mail": "daily"], of: ana)
      let id = try #require(watch["id"]?.stringValue)
      return Act(
        perform: { later in
          let path = "\(TestApp.watches)/\(id)"
          let answer =
            kind == .watch
            ? later.send(.delete, path, as: ana.identity)
            : later.send(.patch, path, json: ["mail": "none"], as: ana.identity)
          #expect(answer.status.code < 300, "\(answer.text)")
        }, count: "SELECT count(*) FROM watch WHERE id = ? AND mail = 'daily'", values: [.text(id)])
    case .volunteer, .volunteerParts:
      let path = "/api/visits/volunteer"
      let sent = app.send(
        .put, path, json: ["cell": "6421-8123", "found": true], as: ana.identity)
      #expect(sent.status == .ok, "\(sent.text)")
      return Act(
        perform: { later in
          let off: JSONValue = ["cell": "6421-8123", "mail": false, "paused": true]
          let answer =
            kind == .volunteer
            ? later.send(.delete, path, as: ana.identity)
            : later.send(.put, path, json: off, as: ana.identity)
          #expect(answer.status.code < 300, "\(answer.text)")
        }, count: "SELECT count(*) FROM visit_volunteer WHERE mail = 1 OR found = 1 OR paused = 0")
    case .mappingDay, .mappingDayState, .participation, .participationName:
      return try actOnMappingDay(kind, scene)
    case .research, .researchState:
      return try actOnResearch(kind, scene)
    case .role:
      let moderator = try app.account("mod", role: .moderator)
      return Act(
        perform: { later in
          try later.database.write {
            try AccountStore().setRole(
              .contributor, of: moderator.rowid, at: later.clock.now, $0)
          }
        }, count: "SELECT count(*) FROM account WHERE id = ? AND role = 'moderator'",
        values: [.text(moderator.id)])
    case .recordRequests:
      return Act(
        perform: { later in
          let answer = later.send(
            .patch, "/api/account", json: ["data_requests": false], as: ana.identity)
          #expect(answer.status == .ok, "\(answer.text)")
        }, count: "SELECT count(*) FROM account WHERE id = ? AND data_requests = 1",
        values: [.text(ana.id)])
    case .permission:
      let request = try app.dataRequest(from: scene.rui, to: ana)
      try app.accept(request, as: ana)
      return Act(
        perform: { later in
          let answer = later.tell("revoke", request, as: ana)
          #expect(answer.status == .ok, "\(answer.text)")
        }, count: "SELECT count(*) FROM data_request WHERE id = ? AND state = 'accepted'",
        values: [.text(request)])
    case .operatorName:
      let moderator = try app.account("mod", role: .moderator)
      _ = try app.device { $0.answersFor = Operator(name: "Maria Exemplo", kind: .unknown) }
      return Act(
        perform: { later in
          let answer = later.send(
            .post, "/api/moderation/operator-rulings",
            json: ["kind": "withhold", "operator": "maria-exemplo"], as: moderator.identity)
          #expect(answer.status == .created, "\(answer.text)")
        },
        count:
          "SELECT 1 - count(*) FROM operator_ruling WHERE kind = 'withhold' AND undone_at IS NULL")
    case .organisation, .claim, .statement:
      return try actOnOrganisation(kind, scene)
    }
  }

  @Test(arguments: ErasureList.Kind.allCases)
  func `a restore repeats what happened since the backup`(kind: ErasureList.Kind) throws {
    let scene = try scene()
    let act = try act(kind, scene)
    let (app, done) = try restored(scene, after: act)
    #expect(try count(act, app) == 0, "after the restore")
    #expect(done.erasedAgain >= 1 && done.knewErasures)
    #expect(try IndexCheck(database: app.database).findings() == [])
    // A second restore finds nothing to repeat.
    #expect(try settle(app, []).erasedAgain == 0)
  }

  /// Decisions about spellings between the backup and the withholding of a name, or undone there.
  enum Spelling: String, CaseIterable, Sendable { case merged, split, separated }

  @Test(arguments: Spelling.allCases)
  func `every spelling of a withheld name stays off the list`(_ spelling: Spelling) throws {
    let app = try TestApp()
    let moderator = try app.account("mod", role: .moderator)
    for name in ["Maria Exemplo", "Maria Exemplo AG", "M. Exemplo"] {
      _ = try app.device { $0.answersFor = Operator(name: name, kind: .unknown) }
    }
    func decide(_ app: TestApp, _ path: String, _ body: JSONValue) throws -> String {
      let answer = app.send(
        .post, "/api/moderation/operator-rulings\(path)", json: body, as: moderator.identity)
      try #require(answer.status.code < 300, "\(answer.text)")
      return answer.status == .created ? try answer.json["id"]?.stringValue ?? "" : ""
    }
    let merge: JSONValue = [
      "kind": "merge", "operator": "M. Exemplo", "into": "maria-exemplo", "reason": "Same",
    ]
    let early = spelling == .separated ? try decide(app, "", merge) : ""
    let later = try TestApp(copying: app, seed: 9)
    var withheld = "maria-exemplo"
    switch spelling {
    case .merged: _ = try decide(later, "", merge)
    case .split:
      withheld = "maria-exemplo-ag"
      _ = try decide(
        later, "", ["kind": "split", "operator": "Maria Exemplo AG", "reason": "Other"])
    case .separated:
      withheld = "m-exemplo"
      _ = try decide(later, "/\(early)/undo", ["reason": "A mistake"])
    }
    _ = try decide(later, "", ["kind": "withhold", "operator": .string(withheld)])
    let before = try Self.listedNames(later)
    try later.doJobs()
    let list = later.folder.appendingPathComponent(ErasureList.name).path
    let restored = try TestApp(copying: app, seed: 11)
    #expect(try settle(restored, [list]).erasedAgain >= 1)
    #expect(try Self.listedNames(restored) == before, "withheld are the same names as before")
    #expect(try settle(restored, []).erasedAgain == 0)
  }

  private static func listedNames(_ app: TestApp) throws -> [String] {
    let all = try app.get("/api/operators/named").json["operators"]?.arrayValue ?? []
    return try all.flatMap { one -> [String] in
      let key = one["key"]?.stringValue ?? ""
      let spellings = try app.get("/api/operators/named/\(key)").json["spellings"]?.arrayValue
      return spellings?.compactMap { $0["name"]?.stringValue } ?? []
    }.sorted()
  }

  @Test func `a device made coarse since the backup is coarse in public again`() throws {
    let scene = try scene()
    let device = scene.device
    let act = try act(.precision, scene)
    let (app, _) = try restored(scene, after: act)
    let row = try #require(
      try app.database.read { connection in
        try connection.first(
          """
          SELECT device.rowid, longitude, latitude, ST_X(public_point), revision
          FROM device WHERE id = ?
          """, [.text(device)]
        ) { (row: $0.int(0), longitude: $0.double(1), latitude: $0.double(2), point: $0.double(3)) }
      })
    let place = try Coordinate(longitude: 7.4, latitude: 46.9)
    let point = Precision.kilometre.publicPoint(for: place)
    #expect(row.longitude == point.longitude && row.latitude == point.latitude)
    #expect(row.longitude != place.longitude && row.point == row.longitude)
    // The true place stays known to the author and to moderators, as after the original act.
    #expect(
      try app.database.readPrivate {
        try $0.integer(
          "SELECT count(*) FROM device_location WHERE device_rowid = ? AND longitude = 7.4",
          [.integer(row.row)])
      } == 1)
    let again = try TestApp(copying: app, seed: 12)
    let shown = again.get(Path.item(device))
    #expect(try shown.json["geometry"]?["coordinates"]?[0]?.numberValue == point.longitude)
    for path in [Path.item(device), Path.item(device) + "/history", Path.items] {
      let answer = again.get(path)
      #expect(answer.status == .ok)
      #expect(!answer.text.contains("46.9,") && !answer.text.contains("46.9]"))
    }
  }

  @Test func `a setting that was taken back stays as the backup has it`() throws {
    let scene = try scene()
    let (ana, device) = (scene.ana, scene.device)
    let watch = try #require(try scene.app.watch(["mail": "daily"], of: ana)["id"]?.stringValue)
    let later = try TestApp(copying: scene.app, seed: 9)
    for (precision, mail) in [("1km", "none"), ("exact", "daily")] {
      later.clock.advance(by: .seconds(1))
      _ = try later.patch(
        device, ["properties": ["precision": .string(precision)]], as: ana.identity)
      _ = later.send(
        .patch, "\(TestApp.watches)/\(watch)", json: ["mail": .string(mail)], as: ana.identity)
    }
    try later.doJobs()
    let restored = try TestApp(copying: scene.app, seed: 11)
    let done = try settle(restored, [later.folder.appendingPathComponent(ErasureList.name).path])
    #expect(done.erasedAgain == 0)
    #expect(try restored.text("SELECT mail FROM watch") == "daily")
    #expect(try restored.text("SELECT precision FROM device") == "exact")
  }

  @Test func `a place in a mapping day that was given back goes to the waiting list again`() throws
  {
    let scene = try scene()
    let id = try scene.app.day(of: scene.ana, .approved, ["maximum": 1])
    for one in [scene.ana, scene.rui] { scene.app.join(id, one) }
    let act = Act(
      perform: { later in
        _ = later.send(.delete, TestApp.day(id, "participation"), as: scene.ana.identity)
      }, count: "SELECT count(*) FROM mapping_day_participant WHERE state = 'waiting'")
    #expect(try count(act, scene.app) == 1)
    let (app, _) = try restored(scene, after: act)
    #expect(try count(act, app) == 0)
    #expect(try app.integer("SELECT count(*) FROM mapping_day_participant") == 1)
  }

  @Test func `a watch that ended after a year is not back`() throws {
    let scene = try scene()
    try scene.app.watch(of: scene.ana)
    let act = Act(
      perform: { later in
        for days in [340, 60] as [Int64] {
          later.clock.advance(by: .seconds(days * 86_400))
          try later.app.works[WatchSweep.job]?("{}")
        }
      }, count: "SELECT count(*) FROM watch")
    let (app, done) = try restored(scene, after: act)
    #expect(done.erasedAgain == 1)
    #expect(try app.integer("SELECT count(*) FROM watch") == 0)
  }

  @Test func `secrets of watches are new, and their owners are told`() throws {
    let scene = try scene()
    let made = try scene.app.watch(
      ["feed": true, "webhook": "https://example.org/hook"], of: scene.ana)
    try scene.app.watch(["label": "Without"], of: scene.rui)
    let atom = try #require(made["feed"]?["atom"]?.stringValue)
    let path = String(atom.dropFirst(TestApp.address.count))
    #expect(scene.app.get(path).status == .ok)
    let secret = try #require(made["webhook"]?["secret"]?.stringValue)
    let restored = try TestApp(copying: scene.app, seed: 9)
    _ = try settle(restored, [])
    #expect(restored.get(path).status == .notFound)
    let identity = try restored.signIn(scene.ana.rowid)
    let shown = try restored.get(TestApp.watches, as: identity).json["watches"]?[0]
    let other = try #require(shown?["feed"]?["atom"]?.stringValue)
    #expect(other != atom && shown?["webhook"]?["secret"]?.stringValue != secret)
    #expect(restored.get(String(other.dropFirst(TestApp.address.count))).status == .ok)
    let mails = try restored.waitingMails()
    #expect(mails.map(\.template) == ["watches_renewed"])
    #expect(mails.map(\.to) == ["ana@example.org"] && mails.map(\.link) == ["/watches"])
    #expect(mails[0].all.contains("My street"))
    // It can be sent by a server with another key.
    let transport = TestTransport()
    try restored.sendMail(transport)
    #expect(transport.messages.map(\.to.text) == ["ana@example.org"])
  }
}
