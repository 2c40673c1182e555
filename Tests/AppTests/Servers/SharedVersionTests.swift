@testable import App
import Devices
import Foundation
import JSON
import PrivacyMap
import Reference
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// The versions of responses follow from their content, on every server.
@Suite(.serialized) struct SharedVersionTests {
  private static let paths = [
    "/api", "/api/collections", "/api/collections/devices/items", Path.tile(0, 0, 0),
    "/api/taxonomies", "/api/settings", "/",
  ]

  private func waitUntil(_ isDone: () throws -> Bool) throws -> Bool {
    let end = ContinuousClock.now + .seconds(20)
    while ContinuousClock.now < end {
      if try isDone() { return true }
      usleep(5_000)
    }
    return false
  }

  private func isSame(_ one: TestApp, _ two: TestApp) -> Bool {
    one.app.instance.versions.version == two.app.instance.versions.version
  }

  @Test func `a client that changes the server gets 304, as long as nothing has changed`() throws {
    let one = try TestApp(onPostgreSQLBeside: nil)
    let two = try TestApp(onPostgreSQLBeside: one)
    try one.device(name: "First")
    #expect(try waitUntil { isSame(one, two) })
    var tags: [String] = []
    for path in Self.paths {
      let tag = try #require(one.get(path).headers["ETag"], "\(path)")
      #expect(two.get(path, headers: ["If-None-Match": tag]).status == .notModified, "\(path)")
      tags.append(tag)
    }
    try two.device(name: "Second", longitude: 1)
    #expect(try waitUntil { isSame(one, two) })
    for (path, tag) in zip(Self.paths, tags) {
      for app in [one, two] {
        #expect(app.get(path, headers: ["If-None-Match": tag]).status == .ok, "\(path)")
      }
    }
  }

  @Test func `a public change that is not on the map is another version on all servers`() throws {
    let one = try TestApp(onPostgreSQLBeside: nil)
    let two = try TestApp(onPostgreSQLBeside: one)
    let before = two.app.instance.versions.version
    try one.database.write { try PublicChanges.note($0, at: one.clock.now) }
    one.app.instance.publicChanges.changed()
    #expect(one.app.instance.versions.version != before)
    #expect(try waitUntil { isSame(one, two) })
  }

  @Test func `a restart without a change keeps the versions, other settings do not`() throws {
    let app = try TestApp()
    try app.device(name: "First")
    let before = app.app.instance.versions.version
    try app.database.close()
    func version(_ settings: InstanceSettings) throws -> String {
      let again = try TestApp.start(
        app.folder.appendingPathComponent("farol.db"), front: TestFolder.front,
        settings: settings, clock: app.clock, log: app.log)
      defer {
        again.stop()
        try? again.database.close()
      }
      return again.instance.versions.version
    }
    #expect(try version(InstanceSettings()) == before)
    var other = InstanceSettings()
    other.name = "Another name"
    #expect(try version(other) != before)
  }

  @Test func `other base maps and places are other versions`() throws {
    let folder = try TestFolder.make()
    defer { try? FileManager.default.removeItem(at: folder) }
    let folders = TestFolder.folders(front: TestFolder.front, data: [folder])
    let none = InstanceVersion.maps(in: folders)
    try Data([1]).write(to: folder.appendingPathComponent("places.db"))
    let one = InstanceVersion.maps(in: folders)
    try Data([1, 2]).write(to: folder.appendingPathComponent("places.db"))
    let other = InstanceVersion.maps(in: folders)
    #expect(none.isEmpty && one.count == 1 && other.count == 1 && one != other)
  }

  /// As after a restore to an earlier time, and other changes since.
  @Test func `another history with the same numbers is another version`() throws {
    let app = try TestApp()
    try app.device(name: "First")
    try app.device(name: "Second", longitude: 1)
    let before = app.app.index.edition
    let last = app.app.index.sequence
    app.clock.advance(by: .seconds(1))
    try app.database.write { connection in
      try connection.execute(
        "UPDATE change SET changed_at = ? WHERE sequence = ?",
        [.text(app.clock.now.text), .integer(last)])
    }
    try app.app.index.catchUp(with: app.database)
    #expect(app.app.index.sequence == last)
    #expect(app.app.index.edition != before)
  }

  @Test func `taxonomies that a server changes are another version on the others`() throws {
    let app = try TestApp()
    let before = app.app.instance.publicChanges.version
    try app.database.write {
      try $0.execute("UPDATE translation SET label = 'Old label' WHERE language = 'en'")
    }
    _ = try TaxonomyStore().renew(
      from: TestFolder.folders(front: TestFolder.front, data: []).seed, in: app.database,
      at: app.clock.now)
    try app.app.instance.publicChanges.refresh()
    let renewed = app.app.instance.publicChanges.version
    #expect(renewed != before)
    _ = try TaxonomyStore().renew(
      from: TestFolder.folders(front: TestFolder.front, data: []).seed, in: app.database,
      at: app.clock.now)
    try app.app.instance.publicChanges.refresh()
    #expect(app.app.instance.publicChanges.version == renewed, "nothing has changed")
  }
}
