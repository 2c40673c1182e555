@testable import App
import Foundation
import JSON
import Metrics
@testable import Service
import SpatialDatabase
import TestPostgreSQL
import Testing
import WebServer

/// While the primary does not answer, a standby answers visitors.
@Suite(.serialized) struct ReplicaTests {
  private static let header = "Farol-Data-Age"

  private let server: TestPostgreSQL
  private let app: TestApp
  private let ana: TestAccount
  private let device: TestDevice

  init() throws {
    server = try TestPostgreSQL()
    let name = try server.newDatabaseName()
    try server.startStandby()
    app = try TestApp(server: server.url(name), replica: server.standbyURL(name))
    ana = try app.account("ana")
    device = try app.device(by: ana, name: "Gate")
  }

  /// Pages and lists that need the database.
  private var paths: [String] {
    [
      "/api/collections/devices/items", Path.item(device.id), "\(Path.item(device.id))/history",
      "/api/statistics", "/api/exports/devices.csv", "/api/collections",
    ]
  }

  /// Tries until the standby has what the server knows, or the server has noticed its primary.
  private func waitUntil(_ isDone: () throws -> Bool) throws {
    let end = ContinuousClock.now + .seconds(20)
    while try !isDone() {
      try #require(ContinuousClock.now < end, "not in time")
      usleep(20_000)
    }
  }

  private func followed() throws {
    try waitUntil { app.get(Path.item(device.id)).status == .ok }
  }

  @Test func `visitors read on without a primary and learn how old the data is`() throws {
    for path in paths {
      let answer = app.get(path)
      #expect(answer.status == .ok, "\(path)")
      #expect(answer.headers[Self.header] == nil, "\(path)")
    }
    try server.stop()
    try followed()
    for path in paths {
      let answer = app.get(path)
      #expect(answer.status == .ok, "\(path): \(answer.text)")
      let age = try #require(answer.headers[Self.header].flatMap(Int.init), "\(path)")
      #expect((1...20).contains(age), "\(path)")
      #expect(answer.headers["Cache-Control"] == "no-store", "\(path)")
      #expect(answer.headers["ETag"] == nil, "\(path)")
    }
    #expect(app.get(Path.item(device.id)).text.contains("Gate"))
    #expect(app.database.activity.replicaReads.value > 0)
  }

  @Test func `requests with credentials and writes need the primary`() throws {
    let token = try app.token(ana.rowid, Set(Scope.allCases))
    try server.stop()
    try followed()
    for identity in [ana.identity, token] {
      for path in [
        paths[0], Path.item(device.id), "/api/account", "/devices/\(device.id)", "/people/ana",
        "/sitemap.xml",
      ] {
        let answer = app.get(path, as: identity)
        #expect(answer.status == .serviceUnavailable, "\(path)")
        #expect(answer.headers["Retry-After"] == "5", "\(path)")
      }
    }
    // A cookie that no session has, and one of a session that may have ended meanwhile, are the same without primary.
    let stranger = app.get(paths[0], headers: ["Cookie": "farol=unknown"])
    #expect(stranger.headers[Self.header] == nil)
    #expect(app.signIn("ana").status == .serviceUnavailable)
    #expect(app.get("/readyz").status == .serviceUnavailable)
  }

  @Test func `once the primary is back it answers`() throws {
    try server.stop()
    try followed()
    #expect(app.get(paths[0]).headers[Self.header] != nil)
    try server.start()
    try waitUntil { app.get(paths[0]).headers[Self.header] == nil }
    #expect(app.get(paths[0]).headers["ETag"] != nil)
    try app.edit(device, by: ana, "description", "changed")
    #expect(app.get(Path.item(device.id)).text.contains("changed"))
  }

  @Test func `a standby that lacks a change of the map is not used`() throws {
    try server.pauseStandby()
    let hidden = try app.device(by: ana, name: "Hidden")
    try app.hide(hidden)
    try server.stop()
    for path in paths { #expect(app.get(path).status == .serviceUnavailable, "\(path)") }
    try server.resumeStandby()
    try followed()
    #expect(app.get(Path.item(hidden.id)).status == .notFound)
  }

  @Test func `a standby that lacks another public change is not used`() throws {
    try server.pauseStandby()
    app.clock.advance(by: .seconds(60))
    try app.database.write { try PublicChanges.note($0, at: app.clock.now) }
    app.app.instance.publicChanges.changed()
    try server.stop()
    #expect(app.get(paths[0]).status == .serviceUnavailable)
    try server.resumeStandby()
    try followed()
  }
}
