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

/// The promise of the stream: each change reaches each listener, or the listener gets `reload`.
@Suite struct LiveDeliveryTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  /// Longer than what a listener has room for, in one batch.
  private func addMany(_ count: Int = 500) throws {
    let fields = DeviceFields(
      name: String(repeating: "東", count: 118), category: "camera_fixed")
    let place = Coordinate.clamped(longitude: 6.5, latitude: 46.5)
    let placement = DeviceWriter.Placement(place: place, precision: .exact)
    try app.devices(Array(repeating: (fields, placement), count: count))
  }

  /// A device whose list of purposes no engine can read, so that filters on purposes fail.
  private func changeBroken() throws {
    let device = try app.device(name: "Broken", longitude: 6.5, latitude: 46.5)
    try app.app.write { connection in
      try connection.execute(
        "UPDATE device SET purposes = 'no list' WHERE rowid = ?", [.integer(device.rowid)])
      try connection.execute(
        """
        INSERT INTO change (device_rowid, kind, changed_at) VALUES (?, 'changed', '2026-11-21T12:00:00Z')
        """, [.integer(device.rowid)])
    }
  }

  @Test func `a batch longer than the room of a listener arrives whole`() throws {
    let listener = try listen()
    #expect(listener.read { $0.events.count == 1 })
    try addMany()
    let sequence = app.app.index.sequence
    #expect(listener.read { $0.ids.last == sequence })
    #expect(listener.events.filter { $0 == "added" }.count == 500)
    #expect(!listener.events.contains("reload"))
    #expect(listener.body.isOpen)
  }

  @Test func `missed changes longer than the room of a listener arrive whole`() throws {
    try app.device()
    let seen = app.app.index.sequence
    try addMany()
    let listener = try listen(after: seen)
    let sequence = app.app.index.sequence
    #expect(listener.read { $0.ids.last == sequence })
    #expect(listener.events.first == "ready")
    #expect(listener.events.filter { $0 == "added" }.count == 500)
    #expect(listener.body.isOpen)
  }

  @Test func `a listener that is cut at any moment hears every change when it comes back`() throws {
    try app.device()
    let first = app.app.index.sequence
    try addMany(350)
    var (seen, reported): (Int64, Set<String>) = (first, [])
    for _ in 0..<20 where seen < app.app.index.sequence {
      let listener = try listen(after: seen)
      // Cut after the first piece that is longer than `ready`.
      #expect(listener.read { $0.devices.count > 0 || $0.ids.last == app.app.index.sequence })
      reported.formUnion(listener.devices)
      listener.body.close()
      let last = try #require(listener.ids.last)
      #expect(last >= seen)
      seen = last
    }
    #expect(seen == app.app.index.sequence)
    #expect(reported.count == 350)
  }

  @Test func `ready names what the listener has seen`() throws {
    try app.device()
    let seen = app.app.index.sequence
    try app.device()
    let listener = try listen(after: seen)
    #expect(listener.read { $0.events.count == 2 })
    #expect(listener.ids.first == seen)
    #expect(listener.read { $0.ids.last == app.app.index.sequence })
  }

  @Test func `a listener that is too far behind reloads, and stays`() throws {
    let listener = try listen()
    #expect(listener.read { $0.events.count == 1 })
    // It does not read meanwhile. Each batch has some 500 kB.
    for _ in 0..<4 {
      try addMany()
      Pause.shortly()
      Thread.sleep(forTimeInterval: 0.2)
    }
    let sequence = app.app.index.sequence
    #expect(listener.read { $0.ids.last == sequence && $0.events.contains("reload") })
    #expect(listener.body.isOpen)
    try app.device(name: "Last")
    #expect(listener.read { $0.events.last == "added" })
  }

  @Test func `a filter that fails closes its listeners alone`() throws {
    let failing = try listen(["filter": "A_OVERLAPS(purposes, ('safety'))"])
    let sound = try listen(["filter": "name = 'Broken'"])
    let plain = try listen()
    for listener in [failing, sound, plain] { #expect(listener.read { $0.events.count == 1 }) }
    try changeBroken()
    for listener in [sound, plain] {
      #expect(listener.read { $0.devices.count == 1 })
      #expect(!listener.events.contains("reload"))
      #expect(listener.body.isOpen)
    }
    #expect(failing.read { $0.text.contains(#""reason":"filter_failed""#) })
    #expect(failing.text.contains("retry: 60000\n"))
    #expect(!failing.body.isOpen)
    // It has not reached the change.
    #expect(failing.ids.last.map { $0 < app.app.index.sequence } == true)
  }

  @Test func `a new filter that fails is told so at once`() throws {
    try changeBroken()
    let listener = try listen(["filter": "A_OVERLAPS(purposes, ('safety'))"])
    #expect(listener.read { $0.text.contains(#""reason":"filter_failed""#) })
    #expect(!listener.body.isOpen)
  }

  @Test func `a network that spent its time is told to reload, and its filters are refused`() throws
  {
    let costs = LiveCosts()
    let network = try #require(ClientAddress("192.0.2.1"))
    let other = try #require(ClientAddress("192.0.2.2"))
    costs.add(.seconds(3), to: [network])
    #expect(costs.isOver(network))
    #expect(!costs.isOver(other))
    costs.add(.milliseconds(600), to: [network, other])
    #expect(!costs.isOver(other))
  }

  private func listen(
    _ query: TestApp.Parameters = [:], after seen: Int64? = nil
  ) throws -> Stream {
    let target = Request.target("/api/live", query.map { ($0.key, $0.value) })
    let headers: Headers = seen.map { ["Last-Event-ID": String($0)] } ?? [:]
    let response = app.app.router.respond(to: Request(.get, target, headers: headers))
    guard case .pushed(let body) = response.body else { throw NoStream(status: response.status) }
    return Stream(body)
  }

  private struct NoStream: Error { let status: Status }
}

/// A client that reads the stream only when the test requests it.
private final class Stream {
  let body: PushedBody
  private(set) var text = ""

  init(_ body: PushedBody) { self.body = body }

  /// Reads until `condition` holds. False after a minute.
  func read(until condition: (Stream) -> Bool) -> Bool {
    let end = ContinuousClock.now + .seconds(60)
    while true {
      text += String(decoding: body.take(), as: UTF8.self)
      if condition(self) { return true }
      if ContinuousClock.now > end { return false }
      Pause.shortly()
    }
  }

  private func lines(_ name: String) -> [String] {
    text.split(separator: "\n").filter { $0.hasPrefix(name + ": ") }
      .map { String($0.dropFirst(name.count + 2)) }
  }

  var events: [String] { lines("event") }
  var ids: [Int64] { lines("id").compactMap { Int64($0) } }
  /// The ids of devices that were added or changed.
  var devices: Set<String> {
    Set(
      lines("data").compactMap { line in
        (try? JSONValue(parsing: Array(line.utf8)))?["type"]?.stringValue == "Feature"
          ? (try? JSONValue(parsing: Array(line.utf8)))?["id"]?.stringValue : nil
      })
  }
}
