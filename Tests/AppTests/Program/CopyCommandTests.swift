@testable import App
@testable import Downloads
import Foundation
import JSON
import PrivacyMap
@testable import Reading
import Service
import SpatialDatabase
import TestPostgreSQL
import Testing

/// `farol copy` between an SQLite file and a PostgreSQL database.
@Suite(
  .enabled(if: try FarolProgram.isThere()), .onlySQLite("copies between both engines itself"),
  .serialized)
final class CopyCommandTests {
  private let program: FarolProgram
  private let server: TestPostgreSQL

  init() throws {
    program = FarolProgram(folder: try TestFolder.make())
    server = try TestPostgreSQL.shared.get()
  }

  deinit { try? FileManager.default.removeItem(at: program.folder) }

  private func path(_ name: String) -> String {
    program.folder.appendingPathComponent(name).path
  }

  /// A copy of the database of an instance in which every feature has been used.
  private func fullDatabase(hasPhoto: Bool = true) throws -> String {
    let app = try TestApp()
    _ = try RandomWorld(app, count: 40)
    let ana = try app.account("ana")
    let ben = try app.account("ben", isNew: true)
    _ = try app.token(ana.rowid, Set(Scope.allCases.prefix(1)))
    let device = try app.device(
      by: ana, name: "Ünïcode “駅前” 'quoted'; \u{1F4F7}\n\\0 ?", longitude: -0.0)
    try app.edit(device, by: ben, "description", "changed")
    let verdict = try app.verdict(on: device, by: ben)
    try app.review("verdict", of: device, by: ben, verdict: verdict)
    if hasPhoto {
      // Its files are missing.
      let photo = try app.photo(of: device, by: ana)
      try app.review("photo", of: device, by: ana, photo: photo)
    }
    app.flag("device", device.id, note: "It is gone", as: ana.identity)
    try app.withdraw(try app.device(by: ana, name: "Withdrawn", longitude: 179.999_999_9))
    _ = try TestCollection.load(TestCollection.points, into: app, id: "houses")
    try app.database.write { connection in
      // Issued numbers, which must not be issued again.
      try connection.execute(
        "INSERT INTO change (sequence, device_rowid, kind, changed_at) VALUES (9000, 1, 'added', ?)",
        [.text(app.clock.now.text)])
      try connection.execute("DELETE FROM change WHERE sequence = 9000")
      try connection.execute(
        "INSERT INTO idempotency (account_rowid, key, digest, status, made_at) VALUES (?, 'k', ?, 200, ?)",
        [.integer(ana.rowid), .blob([UInt8](224...255)), .text(app.clock.now.text)])
    }
    let copy = path("full.db")
    try app.database.checkpoint(truncate: true)
    try FileManager.default.copyItem(
      atPath: app.folder.appendingPathComponent("farol.db").path, toPath: copy)
    return copy
  }

  /// All rows of each table as texts, sorted. Without the tables in which SpatiaLite and the migrations note times, those
  /// that virtual tables store their rows in, and statistics for query plans.
  private func rows(_ path: String) throws -> [String: [String]] {
    var configuration = Database.Configuration()
    configuration.readOnly = true
    let database = try Database(path: path, configuration: configuration)
    defer { try? database.close() }
    return try database.read(limit: .none) { connection in
      let names = try connection.rows(
        """
        SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'virtual')
          AND name NOT LIKE 'sqlite_stat%'
          AND name NOT IN ('migration', 'sqlite_schema', 'geometry_columns_time', 'spatialite_history',
            'ElementaryGeometries', 'KNN', 'KNN2', 'SpatialIndex', 'geometry_columns_statistics')
        """
      ) { $0.text(0) }
      var found: [String: [String]] = [:]
      for name in names {
        found[name] = try connection.rows("SELECT * FROM \"\(name)\"") { row in
          (0..<row.columnCount).map { "\(row.value($0))" }.joined(separator: " | ")
          // A table without issued numbers may be missing there.
        }.filter { name != "sqlite_sequence" || !$0.hasSuffix("integer(0)") }.sorted()
      }
      return found
    }
  }

  @Test func `a database that went to PostgreSQL and back has the same rows in each table`() throws
  {
    let (first, second) = (try fullDatabase(), path("second.db"))
    let url = try server.newDatabase()
    let there = try program.run("copy", first, url)
    #expect(there.status == 0, "\(there.errors)")
    let back = try program.run("copy", url, second)
    #expect(back.status == 0, "\(back.errors)")
    let (before, after) = (try rows(first), try rows(second))
    #expect(before.keys.sorted() == after.keys.sorted())
    for (table, rows) in before { #expect(rows == after[table], "\(table)") }
    #expect(before.values.filter { !$0.isEmpty }.count > 30)
    // Equal rows have equal checksums on both engines.
    #expect(there.output == back.output)
    #expect(there.output.contains("device: 42 rows, checksum "))
  }

  @Test func `farol check finds nothing in the copies`() throws {
    let (first, second) = (try fullDatabase(hasPhoto: false), path("second.db"))
    let url = try server.newDatabase()
    _ = try program.run("copy", first, url)
    _ = try program.run("copy", url, second)
    for database in [url, second] {
      let outcome = try program.run("check", "--database", database)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.output.hasSuffix(": no damage, no orphans, no drift\n"))
    }
  }

  /// An instance with a photo, snapshots and the file with all tiles, and its folder.
  private func instanceWithFiles() throws -> String {
    let app = try TestApp()
    let ana = try app.account("ana")
    let device = try app.device(by: ana, name: "Gate")
    _ = try app.keptPhoto(of: device)
    try app.app.snapshots.run()
    try app.app.nightlyTiles.run()
    try app.database.checkpoint(truncate: true)
    let folder = path("first")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for name in ["farol.db", "media", "snapshots"] {
      try FileManager.default.copyItem(
        atPath: app.folder.appendingPathComponent(name).path, toPath: "\(folder)/\(name)")
    }
    return folder
  }

  /// The content of all files below a folder, by their paths.
  private func content(of folder: String) throws -> [String: Data] {
    let paths = FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? []
    return Dictionary(
      uniqueKeysWithValues: paths.compactMap { path in
        FileManager.default.contents(atPath: "\(folder)/\(path)").map { (path, $0) }
      })
  }

  @Test func `photos, snapshots and the file with all tiles move into the database and back`()
    throws
  {
    let (first, second) = (try instanceWithFiles(), path("second"))
    try FileManager.default.createDirectory(atPath: second, withIntermediateDirectories: true)
    let url = try server.newDatabase()
    let there = try program.run("copy", "\(first)/farol.db", url)
    #expect(there.status == 0, "\(there.errors)")
    #expect(there.output.hasSuffix("\n1 photos and 4 files of snapshots and tiles copied\n"))
    let check = try program.run("check", "--database", url)
    #expect(check.status == 0, "\(check.errors)")
    let back = try program.run("copy", url, "\(second)/farol.db")
    #expect(back.status == 0, "\(back.errors)")
    #expect(back.output == there.output)
    for folder in ["media", "snapshots"] {
      let files = try content(of: "\(first)/\(folder)")
      #expect(files.count { $0.value.count > 0 } >= 2)
      #expect(try content(of: "\(second)/\(folder)") == files)
    }
    // The folders of the first one are still there.
    try FileManager.default.removeItem(atPath: "\(first)/farol.db")
    #expect(try program.run("copy", url, "\(first)/farol.db").status == 0)
  }

  @Test func `a copy that fails leaves no files, and none is replaced`() throws {
    let (first, second) = (try instanceWithFiles(), path("second"))
    let url = try server.newDatabase()
    #expect(try program.run("copy", "\(first)/farol.db", url).status == 0)
    let snapshots = "\(second)/snapshots"
    try FileManager.default.createDirectory(atPath: snapshots, withIntermediateDirectories: true)
    let other = "\(snapshots)/2026-11-21.geojson.gz"
    try Data("another".utf8).write(to: URL(fileURLWithPath: other))
    let back = try program.run("copy", url, "\(second)/farol.db")
    #expect(back.status == 1)
    #expect(back.errors.contains("has another content"), "\(back.errors)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: other)) == Data("another".utf8))
    #expect(!FileManager.default.fileExists(atPath: "\(second)/farol.db"))
    #expect(!FileManager.default.fileExists(atPath: "\(snapshots)/2026-11-21.csv.gz"))
    #expect(try content(of: "\(second)/media").allSatisfy { $0.value.isEmpty })
  }

  @Test func `missing files are counted and stop nothing`() throws {
    let first = try instanceWithFiles()
    try FileManager.default.removeItem(atPath: "\(first)/media")
    let there = try program.run("copy", "\(first)/farol.db", try server.newDatabase())
    #expect(there.status == 0, "\(there.errors)")
    #expect(there.output.contains("0 photos and 4 files of snapshots and tiles copied\n1 of them "))
  }

  @Test func `a server on the copy gives the numbers after those of the original`() throws {
    let url = try server.newDatabase()
    #expect(try program.run("copy", try fullDatabase(), url).status == 0)
    let database = try Database(server: url, path: path("state"))
    defer { try? database.close() }
    try database.write { connection in
      try connection.execute(
        "INSERT INTO change (device_rowid, kind, changed_at) VALUES (1, 'changed', '2026-11-27T08:00:00Z')"
      )
      #expect(connection.lastInsertedRowID == 9_001)
      try connection.execute("INSERT INTO operator (name, kind) VALUES ('New', 'company')")
      #expect(
        connection.lastInsertedRowID == (try connection.integer("SELECT max(rowid) FROM operator")))
    }
  }

  @Test func `triggers and foreign keys of the copy work`() throws {
    let url = try server.newDatabase()
    #expect(try program.run("copy", try fullDatabase(), url).status == 0)
    let database = try Database(server: url, path: path("state"))
    defer { try? database.close() }
    #expect(throws: DatabaseFault.self) {
      try database.write {
        try $0.execute("DELETE FROM category WHERE code IN (SELECT category FROM device)")
      }
    }
    try database.write { connection in
      try connection.execute("DELETE FROM device")
      #expect(try connection.integer("SELECT count(*) FROM device_box") == 0)
      #expect(try connection.integer("SELECT count(*) FROM device_location") == 0)
    }
  }

  @Test func `a target that is not empty is refused and left unchanged`() throws {
    let source = try fullDatabase()
    let url = try server.newDatabase()
    #expect(try program.run("copy", source, url).status == 0)
    let again = try program.run("copy", source, url)
    #expect(again.status == 1)
    #expect(again.errors.contains("is not empty"))
    let file = path("there.db")
    try Data("a letter".utf8).write(to: URL(fileURLWithPath: file))
    let back = try program.run("copy", url, file)
    #expect(back.status == 1)
    #expect(back.errors.contains("exists"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == Data("a letter".utf8))
  }

  @Test func `a source with an earlier schema is refused with a sentence`() throws {
    let earlier = try EarlierDatabase.make(in: program.folder, before: "0030")
    try earlier.close()
    let url = try server.newDatabase()
    let outcome = try program.run("copy", program.database, url)
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("it has schema 29"))
    #expect(outcome.errors.contains("farol migrate"))
    // The target is still empty.
    #expect(try program.run("copy", try fullDatabase(), url).status == 0)
  }

  @Test func `a failed copy leaves no tables and no file`() throws {
    let source = try fullDatabase()
    let database = try Database(path: source)
    try database.write { connection in
      try connection.execute(
        "UPDATE operator SET contact = 'a' || char(0) || 'b' WHERE name IS NOT NULL")
    }
    try database.close()
    let url = try server.newDatabase()
    let outcome = try program.run("copy", source, url)
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("the table operator: "))
    #expect(outcome.errors.contains("U+0000"))
    #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
    let empty = try program.run("copy", url, path("back.db"))
    #expect(empty.status == 1)
    #expect(empty.errors.contains("contains no data of Farol"))
    let files = try FileManager.default.contentsOfDirectory(atPath: program.folder.path)
    #expect(!files.contains { $0.hasPrefix("back.db") }, "\(files)")
  }

  @Test func `wrong locations are refused with one sentence without the password`() throws {
    let source = try fullDatabase()
    let url = try server.newDatabase()
    let plain = server.url("postgres")
    let cases = [
      (source, source, "same database"), (url, url, "same database"),
      (source, path("other.db"), "both files"), (source, plain, "no PostGIS"),
      (path("missing.db"), url, "no such file"),
      (source, "postgresql://farol:hushhush@127.0.0.1:1/farol", "127.0.0.1"),
    ]
    for (from, to, words) in cases {
      let outcome = try program.run("copy", from, to)
      #expect(outcome.status == 1, "\(words)")
      #expect(outcome.errors.contains(words), "\(outcome.errors)")
      #expect(outcome.errors.split(separator: "\n").count == 1)
      #expect(!(outcome.output + outcome.errors).contains("hushhush"))
    }
  }
}
