@testable import App
@testable import Devices
import Foundation
import JSON
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
@testable import Watching
import WebServer

/// The changes that a watch reports.
@Suite struct WatchMatchTests {
  let app: TestApp
  let ana: TestAccount

  init() throws {
    app = try TestApp()
    ana = try app.account("ana")
  }

  private static let all: JSONValue = .array(WatchEvent.allCases.map { .string($0.rawValue) })

  private func watch(_ members: JSONObject = [:]) throws -> JSONValue {
    var members = members
    if members["events"] == nil { members["events"] = Self.all }
    return try app.watch(members, of: ana)
  }

  private func inside(_ name: String = "Inside") throws -> TestDevice {
    try app.device(name: name, longitude: 6.5, latitude: 46.5)
  }

  private func move(_ device: TestDevice, to longitude: Double) throws {
    try app.edit(device) { edit in
      edit.columns += [("longitude", .real(longitude))]
      edit.place = .clamped(longitude: longitude, latitude: 46.5)
    }
  }

  @Test func `a new device in the area is told, one beside it is not`() throws {
    _ = try watch()
    try app.device(longitude: 7.5, latitude: 46.5)
    #expect(try app.reported() == [])
    _ = try inside()
    #expect(try app.reported() == ["added"])
  }

  @Test func `earlier changes are not told`() throws {
    let device = try inside()
    _ = try watch()
    #expect(try app.reported() == [])
    try app.edit(device) { $0.columns.append(("name", "Other")) }
    #expect(try app.reported() == ["changed name"])
  }

  @Test func `a device that leaves or enters the area is removed or added`() throws {
    let device = try inside()
    _ = try watch()
    try move(device, to: 8)
    #expect(try app.reported() == ["removed geometry"])
    try move(device, to: 6.6)
    #expect(try app.reported() == ["removed geometry", "added geometry"])
  }

  @Test func `a hidden and a deleted device are told as removed`() throws {
    let (one, other) = (try inside(), try inside())
    _ = try watch()
    try app.hide(one)
    #expect(try app.reported() == ["removed"])
    try app.app.write { try app.writer.remove(other.rowid, $0) }
    #expect(try app.reported() == ["removed", "removed"])
  }

  @Test(.onlySQLite("PostgreSQL gives no number twice"))
  func `a device that gets the row of a deleted one is told apart`() throws {
    let first = try inside()
    _ = try watch()
    try app.app.write { try app.writer.remove(first.rowid, $0) }
    let second = try inside("Other")
    #expect(second.rowid == first.rowid)
    #expect(try app.reported() == ["removed", "added"])
  }

  @Test(.onlySQLite("PostgreSQL gives no number twice"))
  func `a word is not compared with a later device of the same row`() throws {
    _ = try watch(["filter": ["q": "lamp"], "events": ["added"]])
    let wall = try inside("Wall")
    try app.app.watches.finish()
    try app.app.write { try app.writer.remove(wall.rowid, $0) }
    let lamp = try inside("Lamp post")
    #expect(wall.rowid == lamp.rowid)
    #expect(try app.reported() == ["added"])
  }

  @Test func `a status is told as such, and as a change where that is not watched`() throws {
    let device = try inside()
    _ = try watch()
    _ = try watch(["events": ["changed"]])
    try app.edit(device) { $0.columns.append(("status", "disputed")) }
    #expect(try app.reported() == ["disputed status", "changed status"])
  }

  @Test func `only chosen properties count as a change`() throws {
    let device = try inside()
    _ = try watch(["events": ["changed"], "properties": ["description"]])
    try app.edit(device) { $0.columns.append(("name", "Other")) }
    #expect(try app.reported() == [])
    try app.edit(device) { $0.columns.append(("description", "On a pole")) }
    #expect(try app.reported() == ["changed description"])
  }

  @Test func `the filter applies, also where the index cannot answer it`() throws {
    _ = try watch(["filter": ["q": "lamp"]])
    _ = try watch(["filter": ["category": "alpr"]])
    _ = try inside("Wall")
    #expect(try app.reported() == [])
    _ = try inside("Lamp post")
    try app.device(.alpr, name: "Reader", longitude: 6.5, latitude: 46.5)
    #expect(try app.reported() == ["added", "added"])
  }

  @Test func `a device that never had the word is not told as removed`() throws {
    let wall = try inside("Wall")
    _ = try watch(["filter": ["q": "lamp"]])
    try app.edit(wall) { $0.columns.append(("description", "White")) }
    try app.edit(wall) { $0.columns.append(("status", "disputed")) }
    try app.edit(wall) { $0.columns.append(("name", "Door")) }
    try app.hide(wall)
    #expect(try app.reported() == [])
  }

  @Test func `a device that gets the words is told as added, one that loses them as removed`()
    throws
  {
    let (wall, lamp) = (try inside("Wall"), try inside("Old lamp post"))
    _ = try watch(["filter": ["q": "old lam"]])
    try app.edit(wall) { $0.columns += [("name", "Lämp post"), ("description", "It is OLD")] }
    #expect(try app.reported() == ["added description name"])
    try app.edit(lamp) { $0.columns.append(("name", "Door")) }
    #expect(try app.reported().last == "removed name")
  }

  @Test func `a device that keeps the words is told as changed`() throws {
    let device = try inside("Lamp")
    _ = try watch(["filter": ["q": "lam"]])
    try app.edit(device) { $0.columns.append(("name", "Lampshade")) }
    #expect(try app.reported() == ["changed name"])
  }

  @Test func `a hidden device with the word is told as removed`() throws {
    let device = try inside("Lamp post")
    _ = try watch(["filter": ["q": "lamp"]])
    try app.hide(device)
    #expect(try app.reported() == ["removed"])
  }

  @Test func `an expression is compared with the device before the change`() throws {
    let (one, other) = (try inside("One"), try inside("Other"))
    try app.edit(one) { $0.columns.append(("manufacturer", "Acme")) }
    _ = try watch(["filter": ["filter": "manufacturer = 'Acme'"]])
    try app.edit(other) { $0.columns.append(("name", "Still other")) }
    #expect(try app.reported() == [])
    try app.edit(one) { $0.columns.append(("manufacturer", "Bolt")) }
    #expect(try app.reported() == ["removed manufacturer"])
  }

  @Test func `a coarse device matches by its public point only`() throws {
    let place = Coordinate.clamped(longitude: 6.5049, latitude: 46.5049)
    let shown = Precision.kilometre.publicPoint(for: place)
    let isWest = place.longitude < shown.longitude
    // One box ends between the true and the public point, and one begins there.
    let middle = (place.longitude + shown.longitude) / 2
    let west: JSONValue = ["type": "box", "bbox": [6, 46, .double(middle), 47]]
    let east: JSONValue = ["type": "box", "bbox": [.double(middle), 46, 7, 47]]
    _ = try watch(["label": "true", "area": isWest ? west : east])
    _ = try watch(["label": "public", "area": isWest ? east : west])
    try app.device(
      longitude: place.longitude, latitude: place.latitude, precision: .kilometre)
    #expect(try app.app.watches.reported().map(\.label) == ["public"])
  }

  @Test func `one device and the devices of one operator are followed`() throws {
    let device = try inside()
    _ = try watch(["area": ["type": "device", "device": .string(device.id)]])
    _ = try watch(["area": ["type": "operator", "operator": "City of Exemplo"]])
    _ = try inside("Another")
    try app.edit(device) { $0.columns.append(("name", "Other")) }
    #expect(try app.reported() == ["changed name"])
    try app.device(longitude: 100, latitude: 10) {
      $0.answersFor = Operator(name: "City of Exemplo", kind: .public)
    }
    #expect(try app.reported() == ["changed name", "added"])
  }

  @Test(arguments: [("standing", "approved"), ("waiting", "approved"), ("standing", "waiting")])
  func `an organisation follows the devices that it answers for, without a recorded operator`(
    claim: String, organisation: String
  ) throws {
    let device = try inside()
    _ = try watch(["area": ["type": "operator", "operator": "Works of Exemplo"]])
    try answer(for: device, claim, organisation)
    try app.edit(device) { $0.columns.append(("name", "Other")) }
    _ = try inside("Unclaimed")
    let isOwn = claim == "standing" && organisation == "approved"
    #expect(try app.reported() == (isOwn ? ["changed name"] : []))
  }

  /// Adds an organisation that answers for a device.
  private func answer(for device: TestDevice, _ claim: String, _ organisation: String) throws {
    try app.database.write { connection in
      try connection.execute(
        """
        INSERT INTO organisation (id, account_rowid, name, name_key, kind, domain, state, created_at)
        VALUES (?, ?, 'Works of Exemplo', 'works of exemplo', 'public', 'exemplo.example', ?, ?)
        """,
        [
          .text(app.environment.newDeviceID().text), .integer(ana.rowid), .text(organisation),
          .text(app.clock.now.text),
        ])
      try connection.execute(
        """
        INSERT INTO organisation_claim (id, device_rowid, organisation_rowid, state, made_at)
        SELECT ?, device.rowid, organisation.rowid, ?, ? FROM device, organisation
        WHERE device.id = ?
        """,
        [
          .text(app.environment.newDeviceID().text), .text(claim), .text(app.clock.now.text),
          .text(device.id),
        ])
    }
  }

  @Test func `a filter compares the recorded operator, as lists do`() throws {
    let device = try app.device(longitude: 6.5, latitude: 46.5) {
      $0.answersFor = Operator(name: "Acme", kind: .company)
    }
    try answer(for: device, "standing", "approved")
    _ = try watch(["filter": ["operator": "Works of Exemplo"]])
    _ = try watch(["filter": ["q": "exemplo"]])
    try app.edit(device) { $0.columns.append(("operator_rowid", .null)) }
    #expect(try app.reported() == [])
  }

  @Test func `a device that is confirmed leaves a filter of unconfirmed ones`() throws {
    let device = try inside()
    _ = try watch(["filter": ["filter": "last_confirmed IS NULL"], "events": ["removed"]])
    _ = try app.verdict(on: device, by: ana)
    try app.app.write { connection in
      try VerificationStore(vocabulary: app.vocabulary, environment: app.environment)
        .settle(device.rowid, connection)
    }
    #expect(try app.reported().map { $0.hasPrefix("removed") } == [true])
  }

  @Test func `a paused watch tells nothing, and later only what came after`() throws {
    let made = try watch()
    let path = "\(TestApp.watches)/\(made["id"]?.stringValue ?? "")"
    _ = app.send(.patch, path, json: ["paused": true], as: ana.identity)
    _ = try inside()
    #expect(try app.reported() == [])
    _ = app.send(.patch, path, json: ["paused": false], as: ana.identity)
    #expect(try app.reported() == [])
    _ = try inside()
    #expect(try app.reported() == ["added"])
  }

  @Test func `a restart tells what happened before it once, with what was removed`() throws {
    let device = try inside()
    _ = try watch()
    // Nothing compares these changes before the restart.
    _ = try inside()
    try app.app.write { try app.writer.remove(device.rowid, $0) }
    try app.endLeases()
    try app.database.close()
    let again = try TestApp.start(
      app.folder.appendingPathComponent("farol.db"), front: TestFolder.front, clock: app.clock,
      log: app.log)
    defer {
      again.stop()
      try? again.database.close()
    }
    try again.watches.finish()
    try again.watches.finish()
    #expect(try again.watches.reported().map(\.text) == ["added", "removed"])
  }

  @Test func `notes are written only while there are watches, and erased once compared`() throws {
    let device = try inside()
    try app.edit(device) { $0.columns.append(("name", "One")) }
    #expect(try app.count("watch_note") == 0)
    let path = "\(TestApp.watches)/\(try watch()["id"]?.stringValue ?? "")"
    try app.edit(device) { $0.columns.append(("name", "Two")) }
    #expect(try app.count("watch_note") > 0)
    #expect(try app.reported() == ["changed name"])
    #expect(try app.count("watch_note") == 0)
    _ = app.send(.patch, path, json: ["paused": true], as: ana.identity)
    try app.edit(device) { $0.columns.append(("name", "Three")) }
    #expect(try app.count("watch_note") == 0)
  }

  @Test func `more changes than a batch holds are all told`() throws {
    let devices = try (0..<3).map { try inside("Device \($0)") }
    _ = try watch(["events": ["changed"]])
    for round in 0..<ChangeStore.maxBatchSize / 2 {
      try app.app.write { connection in
        for device in devices {
          try app.writer.change(device.rowid, kind: .changed, app.clock.now, connection)
        }
      }
      if round == 0 { _ = try app.reported() }
    }
    try app.edit(devices[0]) { $0.columns.append(("name", "Last")) }
    #expect(try app.reported().last == "changed name")
  }
}
