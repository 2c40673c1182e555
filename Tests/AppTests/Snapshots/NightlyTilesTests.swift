@testable import App
import Compression
@testable import Downloads
import Foundation
import PrivacyMap
@testable import Reading
import Service
import SpatialDatabase
import Testing
import TileArchives
import WebServer

/// The tiles of all devices in one file.
@Suite struct NightlyTilesTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  private static let path = "/api/exports/devices.pmtiles"

  private func make() throws { try app.app.nightlyTiles.run() }

  private func get(_ headers: Headers = [:]) -> TestAnswer { app.get(Self.path, headers: headers) }

  /// The file as it was sent.
  private func archive() throws -> TileArchive {
    let file = app.folder.appendingPathComponent("received.pmtiles")
    try Data(get().bytes).write(to: file)
    return try TileArchive(path: file.path)
  }

  /// Whether the last zoom has a device at a longitude on the parallel of the test devices.
  private func has(_ longitude: Double) throws -> Bool {
    let place = try Coordinate(longitude: longitude, latitude: 47.3)
    let address = try #require(TileAddress(z: 14, containing: place))
    return try archive().tile(z: 14, x: address.x, y: address.y) != nil
  }

  @Test func `before it is made there is no file`() throws {
    try app.device()
    #expect(get().status == .notFound)
    try make()
    #expect(get().status == .ok)
    #expect(get().headers["Content-Type"] == "application/vnd.pmtiles")
  }

  @Test func `its tiles are those of the server, except at the last zoom`() throws {
    _ = try RandomWorld(app, count: 400)
    try make()
    let archive = try archive()
    #expect(archive.zooms == 0...14)
    #expect(archive.layers == ["clusters", "devices"])
    var compared = 0
    for z in 0..<5 {
      for x in 0..<(1 << z) {
        for y in 0..<(1 << z) {
          let served = app.get("/api/tiles/devices/\(z)/\(x)/\(y).mvt").bytes
          let stored = try archive.tile(z: z, x: x, y: y).map { try unpacked($0) } ?? []
          #expect(stored == served, "\(z)/\(x)/\(y)")
          compared += stored.isEmpty ? 0 : 1
        }
      }
    }
    #expect(compared > 20)
  }

  @Test func `an instance without devices has one empty tile`() throws {
    try make()
    let archive = try archive()
    #expect(archive.zooms == 0...0)
    #expect(try archive.tile(z: 0, x: 0, y: 0).map { try unpacked($0) } == [])
  }

  @Test func `it is made once a day`() throws {
    try app.device()
    try make()
    let first = get().headers["ETag"]
    try app.device()
    try make()
    #expect(get().headers["ETag"] == first)
    app.clock.advance(by: .seconds(86_400))
    try make()
    #expect(get().headers["ETag"] != first)
    let names = try FileManager.default.contentsOfDirectory(
      atPath: app.app.nightlyTiles.folder.files.drafts)
    #expect(names.count { $0.hasSuffix(".pmtiles") } == (app.database.holdsFiles ? 0 : 1))
    #expect(try app.integer("SELECT count(*) FROM tiles_file") == 1)
  }

  /// As after a backup was restored, which does not contain it.
  @Test func `a lost file is made again, and one without a row is erased`() throws {
    try app.device()
    try make()
    let before = get().bytes
    let files = app.app.nightlyTiles.folder.files
    let made = try #require(try app.database.read(NightlyTilesFile.current))
    try app.database.write(NightlyTilesFile.forget)
    try files.erase(made.file)
    try app.database.write(made.store)
    #expect(get().status == .notFound)
    let stranger = "\(files.drafts)/devices-1-1.pmtiles"
    try Data([1]).write(to: URL(fileURLWithPath: stranger))
    try make()
    #expect(get().bytes == before)
    #expect(!FileManager.default.fileExists(atPath: stranger))
  }

  @Test func `a stop ends the making, and nothing is left of it`() throws {
    try app.device()
    app.app.stopping.begin()
    #expect(throws: Interrupted.self) { try make() }
    #expect(get().status == .notFound)
    let drafts = app.app.nightlyTiles.folder.files.drafts
    #expect(try FileManager.default.contentsOfDirectory(atPath: drafts).isEmpty)
  }

  @Test func `a device hidden since leaves it at the next run`() throws {
    let first = try app.device(longitude: 8.5, latitude: 47.3)
    let second = try app.device(longitude: 8.6, latitude: 47.3)
    try app.device(longitude: 8.7, latitude: 47.3)
    try make()
    #expect(try has(8.5) && has(8.6) && has(8.7))
    try app.hide(first)
    try make()
    #expect(try !has(8.5) && has(8.6))
    app.clock.advance(by: .seconds(3_600))
    try app.hide(second)
    try make()
    #expect(try !has(8.6) && has(8.7))
  }

  @Test func `devices at the last zoom are not grouped`() throws {
    for number in 0..<12 {
      try app.device(longitude: 8.5 + Double(number) / 100_000, latitude: 47.3)
    }
    try make()
    let place = try Coordinate(longitude: 8.5, latitude: 47.3)
    let address = try #require(TileAddress(z: 14, containing: place))
    let stored = try #require(try archive().tile(z: 14, x: address.x, y: address.y))
    let text = String(decoding: try unpacked(stored), as: UTF8.self)
    #expect(text.contains("devices") && !text.contains("clusters"))
    let served = app.get("/api/tiles/devices/14/\(address.x)/\(address.y).mvt")
    #expect(served.text.contains("clusters"))
  }

  @Test func `parts of it are sent`() throws {
    _ = try RandomWorld(app, count: 50)
    try make()
    let whole = get()
    #expect(whole.headers["Accept-Ranges"] == "bytes")
    let head = get(["Range": "bytes=0-126"])
    #expect(head.status == .partialContent)
    #expect(head.bytes == Array(whole.bytes.prefix(127)))
    #expect(head.headers["Content-Range"] == "bytes 0-126/\(whole.bytes.count)")
    #expect(get(["Range": "bytes=-5"]).bytes == Array(whole.bytes.suffix(5)))
    let beyond = get(["Range": "bytes=\(whole.bytes.count)-"])
    #expect(beyond.status == .rangeNotSatisfiable)
    let tag = try #require(whole.headers["ETag"])
    #expect(get(["Range": "bytes=0-9", "If-Range": tag]).bytes.count == 10)
    #expect(get(["Range": "bytes=0-9", "If-Range": "\"other\""]).bytes == whole.bytes)
    // A reader of the file before does not get a part of this one.
    #expect(get(["Range": "bytes=0-9", "If-Match": tag]).status == .partialContent)
    #expect(get(["Range": "bytes=0-9", "If-Match": "\"other\""]).status == .preconditionFailed)
    #expect(get(["If-None-Match": tag]).status == .notModified)
  }

  private func unpacked(_ bytes: [UInt8]) throws -> [UInt8] {
    try Gzip.decompress(bytes, limit: 1 << 22)
  }
}
