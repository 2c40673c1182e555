import Foundation
import JSON
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
import WebServer

@Suite struct SettingsTests {
  @Test func `an instance without a base map reports that and serves the rest`() throws {
    let app = try TestApp()
    let settings = try app.get("/api/settings").json
    #expect(settings["base_map"]?.isNull == true)
    #expect(settings["is_base_map_coarse"] == false)
    #expect(settings["streets"] == [])
    #expect(settings["tile_url"]?.isNull == true)
    #expect(settings["satellite"]?.isNull == true)
    #expect(settings["view"]?["zoom"]?.numberValue != nil)
    #expect(settings["name"]?.stringValue == "Farol")
    #expect(settings["languages"] == ["en", "pt"])
    #expect(settings["counts"]?["devices"]?.intValue == 0)
    #expect(app.get("/basemap/0/0/0.mvt").status == .notFound)
    #expect(app.get("/streets/none/0/0/0.mvt").status == .notFound)
    #expect(try app.get("/api/places", ["q": "lisbon"]).json["places"] == [])
  }

  @Test func `the settings of the operator are published`() throws {
    var settings = InstanceSettings()
    settings.contact = "map@example.org"
    settings.view = .init(center: try Coordinate(longitude: -16.92, latitude: 32.65), zoom: 11.5)
    settings.foreignTiles = .init(
      url: "https://tiles.example.org/{z}/{x}/{y}.png", host: "tiles.example.org",
      origin: "https://tiles.example.org", attribution: "© Example")
    let app = try TestApp(settings: settings)
    let answer = app.get("/api/settings")
    let json = try answer.json
    #expect(json["contact"]?.stringValue == "map@example.org")
    #expect(json["view"] == ["longitude": -16.92, "latitude": 32.65, "zoom": 11.5])
    #expect(json["tile_url"]?["host"]?.stringValue == "tiles.example.org")
    #expect(json["tile_url"]?["type"]?.stringValue == "raster")
    let policy = try #require(app.get("/").headers["Content-Security-Policy"])
    #expect(policy.contains("https://tiles.example.org"))
  }

  @Test func `aerial images of another server are named, and only its origin is allowed`() throws {
    var settings = InstanceSettings()
    settings.foreignSatellite = .init(
      url: "https://images.example.org/{z}/{y}/{x}", host: "images.example.org",
      origin: "https://images.example.org", attribution: "© Example", deepest: 14)
    let app = try TestApp(settings: settings)
    let images = try #require(try app.get("/api/settings").json["satellite"])
    #expect(images["tiles"] == "https://images.example.org/{z}/{y}/{x}")
    #expect(images["host"] == "images.example.org" && images["max_zoom"] == 14)
    let policy = try #require(app.get("/").headers["Content-Security-Policy"])
    #expect(policy.contains("connect-src 'self' https://images.example.org;"))
    #expect(policy.components(separatedBy: "https://").count == 3)  // for connections and images
  }

  @Test func `without an external map no page may contact another server`() throws {
    let policy = try #require(try TestApp().get("/").headers["Content-Security-Policy"])
    #expect(!policy.contains("http://") && !policy.contains("https://") && !policy.contains("*"))
  }

  @Test func `the program is alive and ready`() throws {
    let app = try TestApp()
    #expect(try app.get("/healthz").json["status"]?.stringValue == "alive")
    let ready = app.get("/readyz")
    #expect(try ready.json["status"]?.stringValue == "ready")
    #expect(ready.headers["Cache-Control"] == "no-store")
  }

  @Test func `without its database the program is alive and not ready`() throws {
    let app = try TestApp()
    try app.database.close()
    #expect(app.get("/healthz").status == .ok)
    let ready = app.get("/readyz")
    #expect(ready.status == .serviceUnavailable)
    #expect(ready.headers["Retry-After"] == "5")
  }
}
