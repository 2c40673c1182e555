@testable import App
import Compression
@testable import Devices
import Foundation
import Import
import JSON
import PrivacyMap
@testable import Downloads
@testable import Operations
import Secrets
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// All public data of one day.
@Suite struct SnapshotTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  private func make() throws { try app.app.snapshots.run() }

  private func nextNight() { app.clock.advance(by: .seconds(86_400)) }

  @Test func `a stop ends the making, and nothing is left of it`() throws {
    try app.device()
    app.app.stopping.begin()
    #expect(throws: Interrupted.self) { try make() }
    #expect(try app.count("snapshot") == 0)
    let drafts = app.app.snapshots.folder.files.drafts
    #expect(try FileManager.default.contentsOfDirectory(atPath: drafts).isEmpty)
  }

  private func file(_ name: String) -> TestAnswer { app.get("/api/snapshots/\(name)") }

  private func list() throws -> [JSONValue] {
    try #require(try app.get("/api/snapshots").json["snapshots"]?.arrayValue)
  }

  private func names(_ day: String) throws -> [String] {
    let bytes = try Gzip.decompress(file("\(day).geojson.gz").bytes, limit: 1 << 24)
    let features = try #require(try JSONValue(parsing: bytes)["features"]?.arrayValue)
    return features.compactMap { $0["properties"]?["name"]?.stringValue }
  }

  private func table(_ day: String) throws -> TestTable {
    TestTable(try Gzip.decompress(file("\(day).csv.gz").bytes, limit: 1 << 24))
  }

  @Test func `one snapshot is made each night, whatever changes in between`() throws {
    try app.device(name: "First")
    try make()
    try app.device(name: "Second")
    try make()
    nextNight()
    try make()
    #expect(try list().compactMap { $0["date"]?.stringValue } == ["2026-11-22", "2026-11-21"])
    #expect(try names("2026-11-21") == ["First"])
    #expect(try names("2026-11-22") == ["First", "Second"])
    #expect(try table("2026-11-22").column("name") == ["First", "Second"])
  }

  @Test func `a night without a server has no snapshot, the next one has`() throws {
    try app.device()
    try make()
    for _ in 0..<3 { nextNight() }
    try make()
    #expect(try list().compactMap { $0["date"]?.stringValue } == ["2026-11-24", "2026-11-21"])
    #expect(file("2026-11-22.csv.gz").status == .notFound)
  }

  @Test func `the checksum is that of the file`() throws {
    _ = try RandomWorld(app, count: 50)
    try make()
    let files = try #require(try list().first?["files"]?.arrayValue)
    #expect(files.count == 3)
    for entry in files {
      let url = try #require(entry["url"]?.stringValue)
      let answer = app.follow(url)
      let sha256 = Digest.sha256(answer.bytes).map {
        String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
      }
      #expect(entry["sha256"]?.stringValue == sha256.joined())
      #expect(entry["bytes"]?.intValue == answer.bytes.count)
      #expect(answer.headers["Content-Length"] == "\(answer.bytes.count)")
      #expect(entry["devices"]?.intValue == 50)
    }
  }

  @Test func `a snapshot has devices of every status, and no hidden ones`() throws {
    try app.device(name: "Removed") { $0.status = .removed }
    try app.device(name: "No device") { $0.status = .notADevice }
    try app.hide(try app.device(name: "Hidden"))
    try make()
    #expect(try names("2026-11-21") == ["Removed", "No device"])
  }

  @Test(arguments: [("category", "alpr"), ("country", "CH"), ("operator_kind", "public")])
  func `a filtered export equals the filtered snapshot`(name: String, value: String) throws {
    _ = try RandomWorld(app, count: 200)
    try make()
    let all = try table("2026-11-21")
    let column = try all.column(name)
    let standing = Set(DeviceStatus.standing.map(\.rawValue))
    let states = try all.column("status")
    let expected = all.records.indices.filter {
      column[$0] == value && standing.contains(states[$0])
    }
    .map { all.records[$0] }
    let export = TestTable(
      app.send(target: "/api/exports/devices.csv?\(name)=\(value)").bytes)
    #expect(export.records == expected)
  }

  @Test func `differences between two snapshots are listed by device`() throws {
    let changed = try app.device(name: "Changed")
    let removed = try app.device(name: "Removed")
    try app.device(name: "Same")
    try make()
    nextNight()
    try app.edit(changed) { $0.columns.append(("name", "Changed now")) }
    try app.withdraw(removed)
    try app.device(name: "Added")
    try make()
    let lines = try file("2026-11-21..2026-11-22.jsonl").text.split(separator: "\n").map {
      try JSONValue(parsing: Array($0.utf8))
    }
    #expect(lines.compactMap { $0["change"]?.stringValue } == ["changed", "added", "removed"])
    #expect(
      lines.compactMap { $0["feature"]?["properties"]?["name"]?.stringValue } == [
        "Changed now", "Added",
      ])
    #expect(lines.last?["id"]?.stringValue == removed.id)
    #expect(file("2026-11-21..2026-11-21.jsonl").bytes.isEmpty)
    #expect(file("2026-11-20..2026-11-21.jsonl").status == .notFound)
  }

  @Test func `a hidden or deleted device is removed from all files, with a note`() throws {
    let hidden = try app.device(name: "Hidden")
    let last = try app.device(name: "Kept, \"quoted\"\nand long")
    try make()
    let before = try #require(try list().first?["files"]?.arrayValue?.first)
    try app.hide(hidden)
    try make()
    #expect(try names("2026-11-21") == ["Kept, \"quoted\"\nand long"])
    #expect(try table("2026-11-21").column("id") == [last.id])
    let after = try #require(try list().first?["files"]?.arrayValue?.first)
    #expect(after["edition"]?.intValue == 2 && after["withdrawn"]?.intValue == 1)
    #expect(after["devices"]?.intValue == 1)
    #expect(before["sha256"] != after["sha256"])
    // Nothing remains to be done.
    try make()
    #expect(try list().first?["files"]?.arrayValue?.first?["edition"]?.intValue == 2)
  }

  private func rows(_ name: String) throws -> [JSONObject] {
    let reader = ImportReader(
      ByteSource(bytes: file(name).bytes, name: name), options: ImportReader.Options())
    var rows: [JSONObject] = []
    try reader.forEachRow { rows.append($0.columns) }
    return rows
  }

  @Test func `a GeoParquet file keeps every other value when a device is removed`() throws {
    let world = try RandomWorld(app, count: 120)
    let hidden = try app.device(name: "Hidden")
    try make()
    let name = "2026-11-21.parquet"
    let before = try rows(name)
    let whole = file(name)
    #expect(whole.headers["Content-Type"] == ExportFormat.parquet.declaredType)
    try app.hide(hidden)
    try make()
    let after = try rows(name)
    #expect(before.count == 121 && after.count == 120)
    let others = before.filter { $0["name"]?.stringValue != "Hidden" }
    #expect(after == others)
    let entry = try #require(
      try list().first?["files"]?.arrayValue?.first { $0["format"]?.stringValue == "parquet" })
    #expect(entry["devices"]?.intValue == 120 && entry["withdrawn"]?.intValue == 1)
    #expect(entry["edition"]?.intValue == 2)
    let tag = try #require(file(name).headers["ETag"])
    #expect(tag != whole.headers["ETag"])
    // A file without the removed devices stays.
    nextNight()
    try make()
    try app.hide(try #require(world.entries.first).stored)
    try make()
    #expect(try rows("2026-11-22.parquet").count == 119)
    #expect(try rows(name).count == 119)
  }

  @Test func `the last device of a collection can be removed too`() throws {
    try app.device(name: "One")
    let last = try app.device(name: "Two")
    try make()
    try app.hide(last)
    try make()
    #expect(try names("2026-11-21") == ["One"])
  }

  @Test func `a deletion removes the device, a merge does not`() throws {
    let admin = try app.account("root", role: .admin)
    let id = try app.added(["name": "Deleted"], as: admin)
    try app.device(name: "Kept")
    try make()
    let answer = app.send(
      .delete, Path.item(id), headers: ["If-Match": try app.tag(id)],
      json: ["reason": "A home", "code": "personal_data"], as: admin.identity)
    try #require(answer.status == .noContent, "\(answer.text)")
    try make()
    #expect(try names("2026-11-21") == ["Kept"])
  }

  @Test func `a device made coarser is coarse in earlier snapshots too`() throws {
    let person = try app.account()
    let id = try app.added(["name": "Coarser"], longitude: 7.43217, as: person)
    try make()
    #expect(try table("2026-11-21").column("longitude") == ["7.43217"])
    #expect(
      try app.patch(id, ["properties": ["precision": "1km"]], as: person.identity).status == .ok)
    try make()
    #expect(try table("2026-11-21").records.isEmpty)
  }

  @Test func `old ones are deleted after five weeks, except the first of each month`() throws {
    try app.device()
    try make()
    nextNight()
    try make()
    let kept = try list().map { $0["kept_until"]?.stringValue }
    #expect(kept == ["2026-12-27", nil])
    app.clock.set("2027-01-03T00:30:00Z")
    try make()
    #expect(try list().compactMap { $0["date"]?.stringValue } == ["2027-01-03", "2026-11-21"])
    #expect(file("2026-11-22.csv.gz").status == .gone)
    #expect(file("2026-11-21.csv.gz").status == .ok)
  }

  @Test(.enabled(if: !TestEngine.isPostgreSQL, "about files in a folder"))
  func `an unwritable folder is reported, and the snapshot made again`() throws {
    try app.device()
    let blocked = app.folder.appendingPathComponent("snapshots")
    try Data("not a folder".utf8).write(to: blocked)
    let trouble = #expect(throws: (any Error).self) { try make() }
    #expect(trouble.map { "\($0)" }?.isEmpty == false)
    #expect(try list().isEmpty)
    try FileManager.default.removeItem(at: blocked)
    try make()
    #expect(try list().count == 1)
    let left = try FileManager.default.contentsOfDirectory(atPath: blocked.path)
    #expect(
      left.sorted() == ["2026-11-21.csv.gz", "2026-11-21.geojson.gz", "2026-11-21.parquet"])
  }

  private var folder: String { app.folder.appendingPathComponent("snapshots").path }

  private func lose(_ day: String, _ format: String) throws {
    guard app.database.holdsFiles else {
      return try FileManager.default.removeItem(atPath: "\(folder)/\(day).\(format).gz")
    }
    try app.database.write { connection in
      try connection.execute(
        """
        DELETE FROM stored_file WHERE sha256 = (
          SELECT sha256 FROM snapshot_file WHERE day = ? AND format = ?)
        """, [.text(day), .text(format)])
    }
  }

  @Test(arguments: ["csv", "geojson"])
  func `a missing file is reported and stops nothing`(format: String) throws {
    let hidden = try app.device(name: "Hidden")
    try app.device(name: "Kept")
    try make()
    try lose("2026-11-21", format)
    nextNight()
    try app.hide(hidden)
    try make()
    #expect(
      try list().compactMap { $0["date"]?.stringValue } == ["2026-11-22", "2026-11-21"])
    // The other file has lost the device nevertheless; the missing file is not offered.
    let files = try #require(try list().last?["files"]?.arrayValue)
    #expect(
      files.compactMap { $0["format"]?.stringValue }
        == ["csv", "geojson", "parquet"].filter { $0 != format })
    #expect(files.first?["devices"]?.intValue == 1)
    #expect(file("2026-11-21.\(format).gz").status == .notFound)
    #expect(file("2026-11-22.\(format).gz").status == .ok)
    #expect(app.log.lines.contains { $0.contains("2026-11-21.\(format).gz") })
  }

  @Test(.enabled(if: !TestEngine.isPostgreSQL, "about files in a folder"))
  func `devices hidden meanwhile are removed from a file that returns`() throws {
    let hidden = try app.device(name: "Hidden")
    try app.device(name: "Kept")
    try make()
    let (there, away) = ("\(folder)/2026-11-21.geojson.gz", "\(app.folder.path)/away")
    try FileManager.default.moveItem(atPath: there, toPath: away)
    try app.hide(hidden)
    try make()
    try FileManager.default.moveItem(atPath: away, toPath: there)
    try make()
    #expect(try names("2026-11-21") == ["Kept"])
  }

  @Test(.enabled(if: !TestEngine.isPostgreSQL, "about files in a folder"))
  func `a damaged file that needs a removal is no longer offered`() throws {
    try make()
    nextNight()
    let hidden = try app.device(name: "Hidden")
    try app.device(name: "Kept")
    try make()
    let path = "\(folder)/2026-11-22.geojson.gz"
    let whole = try #require(FileManager.default.contents(atPath: path))
    try whole.prefix(whole.count / 2).write(to: URL(fileURLWithPath: path))
    nextNight()
    try app.hide(hidden)
    try make()
    #expect(file("2026-11-22.geojson.gz").status == .notFound)
    #expect(file("2026-11-22..2026-11-23.jsonl").status == .notFound)
    #expect(try table("2026-11-22").column("name") == ["Kept"])
    #expect(try names("2026-11-23") == ["Kept"])
    // Kept for the operator to inspect, as long as the snapshot would have been.
    #expect(FileManager.default.fileExists(atPath: path + ".damaged"))
    app.clock.set("2027-01-03T00:30:00Z")
    try make()
    #expect(!FileManager.default.fileExists(atPath: path + ".damaged"))
  }

  @Test(.enabled(if: !TestEngine.isPostgreSQL, "about files in a folder"))
  func `a damaged file is never served, and set aside within an hour`() throws {
    try app.device(name: "Kept")
    try make()
    let tag = try #require(file("2026-11-21.geojson.gz").headers["ETag"])
    let path = "\(folder)/2026-11-21.geojson.gz"
    let whole = try #require(FileManager.default.contents(atPath: path))
    // Of the same size, and shorter.
    var other = whole
    other[whole.count / 2] ^= 1
    for content in [other, whole.prefix(whole.count / 2)] {
      try content.write(to: URL(fileURLWithPath: path))
      let answer = file("2026-11-21.geojson.gz")
      #expect(answer.status == .notFound && answer.headers["ETag"] != tag)
      #expect(
        try IndexCheck.nightlyFindings(database: app.database, snapshots: folder) == [
          "the nightly file 2026-11-21.geojson.gz is damaged: its content differs from its record"
        ])
    }
    #expect(file("2026-11-21.csv.gz").status == .ok)
    try make()
    #expect(FileManager.default.fileExists(atPath: path + ".damaged"))
    #expect(app.log.lines.contains { $0.contains("2026-11-21.geojson.gz") })
    #expect(try IndexCheck.nightlyFindings(database: app.database, snapshots: folder).count == 1)
    // An operator copies it back from elsewhere.
    try whole.write(to: URL(fileURLWithPath: path))
    #expect(file("2026-11-21.geojson.gz").headers["ETag"] == tag)
    #expect(try IndexCheck.nightlyFindings(database: app.database, snapshots: folder).isEmpty)
  }

  @Test(arguments: ["x", "2026-11-21.zip", "..%2F..%2Fetc", "2026-13-01.csv.gz", "2026-11-21.csv"])
  func `an invalid name returns 404`(name: String) throws {
    try make()
    #expect([.notFound, .badRequest].contains(app.send(target: "/api/snapshots/\(name)").status))
  }

  @Test func `a client with the current file gets 304`() throws {
    try app.device()
    try make()
    let tag = try #require(file("2026-11-21.csv.gz").headers["ETag"])
    let again = app.get("/api/snapshots/2026-11-21.csv.gz", headers: ["If-None-Match": tag])
    #expect(again.status == .notModified)
  }
}
