@testable import App
import Compression
@testable import Devices
@testable import Downloads
import Foundation
import JSON
import Logging
@testable import Operations
@testable import Pictures
import PrivacyMap
@testable import Reading
import SpatialDatabase
import Testing
import WebServer

/// Photos and nightly files are in the database, so all servers have them without a shared folder.
@Suite(.serialized) struct SharedFileTests {
  let one: TestApp
  let two: TestApp
  let ana: TestAccount

  init() throws {
    one = try TestApp(onPostgreSQLBeside: nil)
    two = try TestApp(onPostgreSQLBeside: one)
    ana = try one.account("ana")
  }

  private func count(_ table: String) throws -> Int64? {
    try one.integer("SELECT count(*) FROM \(table)")
  }

  /// Whether a folder of a server contains a file.
  private func files(_ app: TestApp, _ folder: String) -> [String] {
    FileManager.default.enumerator(atPath: app.folder.appendingPathComponent(folder).path)?
      .allObjects.compactMap { $0 as? String } ?? []
  }

  @Test(.enabled(if: try ImageProgram.isThere()))
  func `a photo of one server is shown by the other, and by none once it is erased`() throws {
    let device = try one.added(as: ana)
    let photo = try one.photo(of: device, as: ana)
    let path = Path.photo(photo)
    let (first, second) = (one.get(path), two.get(path))
    #expect(first.status == .ok && second.status == .ok)
    #expect(first.bytes == second.bytes && first.bytes.starts(with: [0xFF, 0xD8, 0xFF]))
    #expect(first.headers["ETag"] == second.headers["ETag"])
    let tag = try #require(first.headers["ETag"])
    #expect(two.get(path, headers: ["If-None-Match": tag]).status == .notModified)
    #expect(two.get("\(path)?size=thumb").status == .ok)
    #expect(files(one, "media").isEmpty && files(two, "media").isEmpty)
    #expect(try count("media_content") == 2)
    #expect(two.send(.delete, path, as: ana.identity).status == .ok)
    for app in [one, two] { app.clock.advance(by: .seconds(31 * 86_400)) }
    try two.sweep()
    #expect(one.seeing(photo) == .notFound && two.seeing(photo) == .notFound)
    #expect(try count("media_content") == 0)
  }

  @Test(.enabled(if: try ImageProgram.isThere()))
  func `a photo whose row is not stored leaves no content`() throws {
    let device = try one.added(as: ana)
    for _ in 1...12 { _ = try one.photo(of: device, as: ana) }
    #expect(one.sendPhoto(to: device, as: ana.identity).status == .conflict)
    #expect(two.sendPhoto(to: device, key: "k", as: ana.identity).status == .conflict)
    #expect(try count("media_content") == 24 && count("media_file") == 12)
  }

  @Test(.enabled(if: try ImageProgram.isThere()))
  func `lost and modified content is reported`() throws {
    let device = try one.added(as: ana)
    for _ in 1...2 { _ = try one.photo(of: device, as: ana) }
    func findings() throws -> [String] {
      try IndexCheck.mediaFindings(database: two.database, media: "")
    }
    #expect(try findings().isEmpty)
    try one.database.write { connection in
      let names = try connection.rows("SELECT file FROM media_file ORDER BY file") { $0.text(0) }
      try connection.execute(
        "UPDATE media_content SET content = ? WHERE file = ? AND size = 'thumb'",
        [.blob([0xFF]), .text(try #require(names.first))])
      try connection.execute(
        "DELETE FROM media_content WHERE file = ? AND size = 'large'",
        [.text(try #require(names.last))])
    }
    #expect(
      try findings() == ["1 photos have lost their files", "1 photos have modified files"])
  }

  @Test func `a snapshot of one server is downloaded from the other`() throws {
    _ = try RandomWorld(one, count: 60)
    try one.app.snapshots.run()
    let lists = try [one, two].map { try $0.get("/api/snapshots").json }
    #expect(lists[0] == lists[1])
    for name in ["2026-11-21.csv.gz", "2026-11-21.geojson.gz", "2026-11-21.parquet"] {
      let answers = [one, two].map { $0.get("/api/snapshots/\(name)") }
      #expect(answers[0].status == .ok && !answers[0].bytes.isEmpty)
      #expect(answers[0].bytes == answers[1].bytes)
      #expect(answers[0].headers["ETag"] == answers[1].headers["ETag"])
      let part = two.get("/api/snapshots/\(name)", headers: ["Range": "bytes=10-19"])
      #expect(part.bytes == Array(answers[0].bytes[10...19]))
    }
    #expect(files(one, "snapshots").isEmpty && files(two, "snapshots").isEmpty)
    #expect(try IndexCheck.nightlyFindings(database: two.database, snapshots: "").isEmpty)
  }

  @Test func `a hidden device leaves the snapshots of all servers, with the former content`() throws
  {
    let hidden = try one.device(by: ana, name: "Hidden")
    _ = try one.device(by: ana, name: "Kept")
    try one.app.snapshots.run()
    let former = two.get("/api/snapshots/2026-11-21.csv.gz").bytes
    try one.hide(hidden)
    try two.app.snapshots.run()
    for app in [one, two] {
      let bytes = app.get("/api/snapshots/2026-11-21.csv.gz").bytes
      #expect(bytes != former)
      let text = String(decoding: try Gzip.decompress(bytes, limit: 1 << 20), as: UTF8.self)
      #expect(text.contains("Kept") && !text.contains("Hidden"))
    }
    #expect(try count("stored_file") == 3)
  }

  @Test func `an old snapshot is erased with its content`() throws {
    _ = try one.device(by: ana, name: "Kept")
    for day in ["2026-11-21", "2026-11-22", "2027-01-03"] {
      for app in [one, two] { app.clock.set("\(day)T00:30:00Z") }
      _ = try one.device(by: ana, name: "Of \(day)")
      try two.app.snapshots.run()
    }
    #expect(one.get("/api/snapshots/2026-11-21.csv.gz").status == .ok)
    #expect(one.get("/api/snapshots/2026-11-22.csv.gz").status == .gone)
    #expect(try count("stored_file") == 6)
  }

  @Test func `the file with all tiles of one server is sent by the other, also in parts`() throws {
    let first = try one.device(by: ana, name: "First")
    _ = try one.device(by: ana, name: "Second", longitude: 1)
    try one.app.nightlyTiles.run()
    let path = "/api/exports/devices.pmtiles"
    let (whole, other) = (one.get(path), two.get(path))
    #expect(whole.status == .ok && whole.bytes == other.bytes)
    #expect(whole.headers["ETag"] == other.headers["ETag"])
    #expect(whole.headers["Last-Modified"] == other.headers["Last-Modified"])
    let head = two.get(path, headers: ["Range": "bytes=0-126"])
    #expect(head.bytes == Array(whole.bytes.prefix(127)))
    try one.hide(first)
    try two.app.map.index.catchUp(with: two.database)
    try two.app.nightlyTiles.run()
    #expect(one.get(path).bytes != whole.bytes && one.get(path).bytes == two.get(path).bytes)
    #expect(try count("stored_file") == 1 && count("tiles_file") == 1)
  }
}
