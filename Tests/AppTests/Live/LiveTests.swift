@testable import App
@testable import Devices
import Foundation
import JSON
import PrivacyMap
@testable import Reading
@testable import Service
import SpatialDatabase
import Testing
@testable import WebServer

/// The stream of changes.
@Suite struct LiveTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  private let box: TestApp.Parameters = ["bbox": "6,46,7,47"]
  /// Outside of the box.
  private let elsewhere = Coordinate.clamped(longitude: 8.5, latitude: 46.5)

  @Test func `a listener first learns the number of the last change`() throws {
    try app.device()
    let events = try listen().events(1)
    #expect(events[0].name == "ready")
    #expect(events[0].id == String(app.app.index.sequence))
    #expect(try events[0].json()["sequence"]?.intValue == Int(app.app.index.sequence))
  }

  @Test func `a new device in the box is told with the properties of lists`() throws {
    let listener = try listen(box)
    _ = listener.events(1)
    let device = try app.device(name: "New", longitude: 6.5, latitude: 46.5)
    let reported = listener.events(2)[1]
    #expect(reported.name == "added")
    let listed = try #require(try app.get(Path.items, box).json["features"]?.arrayValue?.first)
    #expect(try reported.json() == listed)
    #expect(listed["id"]?.stringValue == device.id)
  }

  @Test func `a device outside the box is not told`() throws {
    let listener = try listen(box)
    _ = listener.events(1)
    try app.device(name: "Outside", longitude: 7.5, latitude: 46.5)
    try app.device(name: "Inside", longitude: 6.5, latitude: 46.5)
    #expect(try listener.names(2) == ["ready", "Inside"])
  }

  @Test func `a change of a device is told, and its leaving the filter`() throws {
    let device = try app.device(name: "Old", longitude: 6.5, latitude: 46.5)
    let listener = try listen(box)
    _ = listener.events(1)
    try app.edit(device) { $0.columns.append(("name", "Changed")) }
    #expect(listener.events(2)[1].name == "changed")
    try move(device)
    let left = listener.events(3)[2]
    #expect(left.name == "removed")
    #expect(try left.json()["id"]?.stringValue == device.id)
  }

  @Test func `a hidden device is told as removed`() throws {
    let device = try app.device(longitude: 6.5, latitude: 46.5)
    let listener = try listen(box)
    _ = listener.events(1)
    try app.hide(device)
    #expect(listener.events(2)[1].name == "removed")
  }

  @Test func `a filter that needs the database is applied`() throws {
    let listener = try listen(["q": "lamp"])
    _ = listener.events(1)
    try app.device(name: "Wall")
    let device = try app.device(name: "Lamp post")
    #expect(try listener.names(2) == ["ready", "Lamp post"])
    try app.edit(device) { $0.columns.append(("name", "Pole")) }
    #expect(listener.events(3)[2].name == "removed")
  }

  @Test func `a category is applied`() throws {
    let listener = try listen(["category": "alpr"])
    _ = listener.events(1)
    try app.device(.cameraFixed, name: "Camera")
    try app.device(.alpr, name: "Reader")
    #expect(try listener.names(2) == ["ready", "Reader"])
  }

  @Test func `the last number is given after the messages`() throws {
    let listener = try listen()
    _ = listener.events(1)
    try app.device()
    _ = listener.events(2)
    #expect(listener.text.hasSuffix("id: \(app.app.index.sequence)\n\n"))
  }

  @Test func `a listener that comes back hears what it missed`() throws {
    let old = try app.device(name: "Old")
    let seen = app.app.index.sequence
    try app.device(name: "New")
    try app.edit(old) { $0.columns.append(("name", "Old, changed")) }
    let listener = try listen(headers: ["Last-Event-ID": String(seen)])
    let events = listener.events(3)
    #expect(events.map(\.name) == ["ready", "added", "changed"])
    #expect(try listener.names(3) == ["ready", "New", "Old, changed"])
    #expect(try listen(["after": String(seen)]).events(3).map(\.name) == events.map(\.name))
  }

  @Test func `a device that left the filter meanwhile is told as removed`() throws {
    let device = try app.device(longitude: 6.5, latitude: 46.5)
    let seen = app.app.index.sequence
    try move(device)
    let events = try listen(box, headers: ["Last-Event-ID": String(seen)]).events(2)
    #expect(events.map(\.name) == ["ready", "removed"])
  }

  @Test(arguments: [
    "999999", "-5", "yesterday", "0x1", "", "9223372036854775807", "9223372036854775808",
    "-9223372036854775808", "1e3",
  ])
  func `a listener with an impossible number is told to reload`(_ number: String) throws {
    try app.device()
    let events = try listen(headers: ["Last-Event-ID": number]).events(2)
    #expect(events.map(\.name) == ["ready", "reload"])
  }

  @Test func `the id of a device that is hidden meanwhile is not told`() throws {
    let device = try app.device()
    let seen = app.app.index.sequence
    try app.hide(device)
    let listener = try listen(headers: ["Last-Event-ID": String(seen)])
    #expect(listener.events(2).map(\.name) == ["ready", "reload"])
    #expect(!listener.text.contains(device.id))
  }

  @Test(arguments: [(1_000, "ready"), (1_001, "reload")])
  func `up to a thousand missed changes are told`(_ count: Int, _ second: String) throws {
    let device = try app.device()
    let seen = app.app.index.sequence
    let rows = (0..<count).map { _ in "(\(device.rowid), 'changed', '2026-11-21T12:00:00Z')" }
    try app.app.write { connection in
      try connection.execute(
        "INSERT INTO change (device_rowid, kind, changed_at) VALUES \(rows.joined(separator: ","))")
    }
    let events = try listen(headers: ["Last-Event-ID": String(seen)]).events(2)
    #expect(events.map(\.name) == ["ready", second == "ready" ? "changed" : "reload"])
  }

  @Test func `many changes of one moment are one reload`() throws {
    let listener = try listen()
    _ = listener.events(1)
    let fields = DeviceFields(name: "One of many", category: "camera_fixed")
    let placement = DeviceWriter.Placement(place: elsewhere, precision: .exact)
    try app.devices(Array(repeating: (fields, placement), count: 5_001))
    #expect(listener.events(2)[1].name == "reload")
  }

  @Test func `a coarse device is matched by its public point`() throws {
    // The cell of 1 km around this point has its centre elsewhere.
    let device = try app.device(longitude: 6.5, latitude: 46.5, precision: .kilometre)
    let feature = try app.get(Path.item(device.id)).json
    let point = try #require(feature["geometry"]?["coordinates"]?.arrayValue)
      .compactMap(\.numberValue)
    #expect(point != [6.5, 46.5])
    let around = try listen(["bbox": "6.4999,46.4999,6.5001,46.5001"])
    let cell = [point[0] - 1e-6, point[1] - 1e-6, point[0] + 1e-6, point[1] + 1e-6]
    let there = try listen(["bbox": cell.map { "\($0)" }.joined(separator: ",")])
    _ = (around.events(1), there.events(1))
    try app.edit(device) { $0.columns.append(("name", "Changed")) }
    #expect(there.events(2)[1].name == "changed")
    #expect(around.events(1).count == 1)
  }

  @Test func `a wrong filter or number is refused`() throws {
    #expect(app.get("/api/live", ["category": "nonsense"]).status == .badRequest)
    #expect(try app.get("/api/live", ["after": "soon"]).fields == ["after"])
    #expect(try app.get("/api/live", ["after": "-1"]).fields == ["after"])
  }

  @Test func `only as many listen as the instance allows`() throws {
    var settings = InstanceSettings()
    settings.liveListeners = 2
    let app = try TestApp(settings: settings)
    #expect(app.get("/api/live").status == .ok)
    #expect(app.get("/api/live").status == .ok)
    let refused = app.get("/api/live")
    #expect(refused.status == .serviceUnavailable)
    #expect(refused.headers["Retry-After"] != nil)
  }

  @Test func `a stream is neither stored nor compressed`() throws {
    let answer = app.get("/api/live")
    #expect(answer.headers["Content-Type"] == "text/event-stream")
    #expect(answer.headers["Cache-Control"] == "no-store")
    #expect(answer.headers["Content-Encoding"] == nil)
  }

  @Test func `streams end when the instance stops`() throws {
    let listener = try listen()
    _ = listener.events(1)
    app.app.stop()
    #expect(!listener.body.isOpen)
  }

  private func move(_ device: TestDevice) throws {
    try app.edit(device) { edit in
      edit.place = elsewhere
      edit.settlePublicPoint()
    }
  }

  private func listen(
    _ query: TestApp.Parameters = [:], headers: Headers = [:]
  ) throws -> Listener {
    try app.listen(query.map { ($0.key, $0.value) }, headers: headers)
  }
}
