@testable import App
import Foundation
@testable import Operations
import PrivacyMap
import Service
import SpatialDatabase
import Testing

/// A database of every past schema, with data in it, migrates to the current one.
@Suite struct SchemaHistoryTests {
  private static let all = Repository.root.appendingPathComponent("migrations")
  private static let names = Result {
    try FileManager.default.contentsOfDirectory(atPath: all.path).filter { $0.hasSuffix(".sql") }
      .sorted()
  }
  static var newest: Int { (try? names.get().count) ?? 0 }

  /// Rows of every table that a person or an import writes to, as first written: each from the
  /// schema on that created its table.
  private static let rows: [(since: Int, sql: String)] = [
    (
      1,
      """
      INSERT INTO category (code, number, position, icon, household, stale_months, collects, dpv,
        osm, origin) VALUES ('camera_fixed', 1, 1, 'camera', 0, 24, '[]', '[]', '{}', 'seed')
      """
    ),
    (
      2,
      """
      INSERT INTO source (rowid, code, name, licence, attribution, share_alike)
      VALUES (1, 'test', 'Test', 'CC0-1.0', 'Test', 0)
      """
    ),
    (2, "INSERT INTO operator (rowid, name, kind) VALUES (1, 'The city', 'public')"),
    (
      2,
      """
      INSERT INTO device (rowid, id, revision, name, category, status, longitude, latitude,
        precision, operator_rowid, stale_on, created_at, updated_at, public_point)
      VALUES (1, printf('%036d', 1), 2, 'Harbour', 'camera_fixed', 'removed', 7.5, 46.5, 'exact', 1,
        '2028-01-01', '2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z', MakePoint(7.5, 46.5, 4326))
      """
    ),
    (2, "INSERT INTO device_location VALUES (1, 7.5, 46.5)"),
    (
      2,
      "INSERT INTO device_text (rowid, name, operator, description) VALUES (1, 'Harbour', 'The city', '')"
    ),
    (
      2,
      "INSERT INTO device_choice (device_rowid, position, kind) VALUES (1, 0, 'access')"
    ),
    (2, "INSERT INTO device_key (namespace, key, device_rowid) VALUES ('osm', 'node/1', 1)"),
    (2, "INSERT INTO device_tag VALUES (1, '{}')"),
    (
      3,
      """
      INSERT INTO import_run (rowid, file, mapping, state, started_at)
      VALUES (1, 'list.csv', 'osm', 'done', '2026-01-01T00:00:00Z')
      """
    ),
    (
      3,
      """
      INSERT INTO revision (device_rowid, number, kind, made_at, import_rowid)
      VALUES (1, 1, 'import', '2026-01-01T00:00:00Z', 1)
      """
    ),
    (
      3,
      """
      INSERT INTO revision (device_rowid, number, kind, made_at, comment, before)
      VALUES (1, 2, 'edit', '2026-01-02T00:00:00Z', 'It is gone', '{"status":"reported"}')
      """
    ),
    (
      3,
      "INSERT INTO change (device_rowid, kind, changed_at) VALUES (1, 'added', '2026-01-01T00:00:00Z')"
    ),
    (4, "INSERT INTO job (kind, due_at) VALUES ('test', '2030-01-01T00:00:00Z')"),
    (
      4,
      """
      INSERT INTO audit (actor, action, target, acted_at)
      VALUES ('command line', 'test', 'device 1', '2026-01-01T00:00:00Z')
      """
    ),
    (
      5,
      """
      INSERT INTO account (rowid, id, username, username_key, email, email_key, password_hash,
        locale, created_at, terms_accepted_at, confirmed_at)
      VALUES (1, printf('%036d', 2), 'ana', 'ana', 'ana@example.org', 'ana@example.org',
        '$argon2id$x', 'pt', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z')
      """
    ),
    (
      6,
      """
      INSERT INTO verdict (device_rowid, claim, account_rowid, verdict, basis, counts, made_at)
      VALUES (1, 'present', 1, 'dispute', 'seen', 1, '2026-01-02T00:00:00Z')
      """
    ),
    (
      6,
      """
      INSERT INTO photo (id, device_rowid, account_rowid, position, alt, state, file, width, height,
        created_at) VALUES (printf('%036d', 3), 1, 1, 1, 'A pole', 'public', 'f', 8, 6,
        '2026-01-02T00:00:00Z')
      """
    ),
    (
      7,
      """
      INSERT INTO flag (id, kind, target_type, target_id, device_rowid, account_rowid, locale,
        reason, created_at) VALUES (printf('%036d', 4), 'flag', 'device', printf('%036d', 1), 1, 1,
        'pt', 'gone', '2026-01-02T00:00:00Z')
      """
    ),
    (
      7,
      """
      INSERT INTO tombstone (id, deleted_at, role, reason)
      VALUES (printf('%036d', 5), '2026-01-02T00:00:00Z', 'admin', 'other')
      """
    ),
    (
      10,
      "INSERT INTO media_file (file, photo_id, bytes) VALUES ('f', printf('%036d', 3), 14)"
    ),
    (
      12,
      """
      INSERT INTO choice (rowid, id, account_rowid, device_id, device, kind, language, first_period,
        deadline_basis, created_at, updated_at)
      VALUES (1, printf('%036d', 6), 1, printf('%036d', 1), '{}', 'access', 'pt', 'P1M',
        'courtesy', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z')
      """
    ),
    (
      12,
      """
      INSERT INTO choice_event (choice_rowid, event, at, said_by, noted_at)
      VALUES (1, 'sent', '2026-01-01T00:00:00Z', 'person', '2026-01-01T00:00:00Z')
      """
    ),
    (
      14,
      """
      INSERT INTO data_request (id, asker_rowid, reason, fields, days, subscribe, asked_at, lapses_at)
      VALUES (printf('%036d', 7), 1, 'a test', '[]', 30, 0, '2026-01-01T00:00:00Z',
        '2026-02-01T00:00:00Z')
      """
    ),
    (
      17,
      """
      INSERT INTO research_access (id, account_rowid, project, purpose, wanted_until, asked_at)
      VALUES (printf('%036d', 8), 1, 'A study', 'To learn', '2027-01-01', '2026-01-01T00:00:00Z')
      """
    ),
    (
      19,
      """
      INSERT INTO collection (id, state, title, description, licence, attribution, file, properties,
        created_at) VALUES ('houses', 'ready', 'Houses', '', 'CC0-1.0', 'Test', 'list', '[]',
        '2026-01-01T00:00:00Z')
      """
    ),
  ]

  /// The tables that have rows in a schema.
  private static func tables(_ schema: Int) -> [String] {
    rows.filter { $0.since <= schema }.compactMap { row in
      let words = row.sql.split { $0 == " " || $0 == "\n" }
      return words.count > 2 ? String(words[2]) : nil
    }
  }

  private func folder(upTo schema: Int, in folder: URL) throws -> URL {
    let early = folder.appendingPathComponent("migrations-\(schema)")
    try FileManager.default.createDirectory(at: early, withIntermediateDirectories: true)
    for name in try Self.names.get().prefix(schema) {
      try FileManager.default.copyItem(
        at: Self.all.appendingPathComponent(name), to: early.appendingPathComponent(name))
    }
    return early
  }

  @Test(.onlySQLite("about the migrations of SQLite"), arguments: 1...newest)
  func `a database of this schema loses no data in the migrations`(schema: Int) throws {
    let folder = try TestFolder.make()
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("farol.db")
    let early = try self.folder(upTo: schema, in: folder)
    let database = try Database(path: file.path)
    _ = try database.migrate(directory: early.path)
    try database.write { connection in
      for row in Self.rows where row.since <= schema { try connection.execute(row.sql) }
    }
    try database.close()

    let app = try TestApp.start(
      file, front: TestFolder.front, clock: TestClock(), log: TestLog())
    defer {
      app.stop()
      try? app.database.close()
    }
    for table in Set(Self.tables(schema)).subtracting(["category"]) {
      let wanted = Self.tables(schema).count { $0 == table }
      let found = try app.database.readPrivate { connection in
        try connection.integer("SELECT count(*) FROM \(table)")
      }
      #expect(found == Int64(wanted), "\(table)")
    }
    #expect(try app.database.read { try $0.integer("PRAGMA user_version") } == Int64(Self.newest))
    // Changes had no sequence before schema 3.
    let unnoted = schema == 2 ? ["1 devices are missing from the change sequence"] : []
    #expect(try IndexCheck(database: app.database).findings().map(\.description) == unnoted)
    guard schema >= 3 else { return }
    let (comment, ended) = try app.database.read { connection in
      (
        try connection.text("SELECT comment FROM revision WHERE number = 2"),
        try connection.text("SELECT ended_at FROM device")
      )
    }
    // Schema 28 removes the texts whose author had been deleted before.
    #expect(comment == (schema < 28 ? nil : "It is gone"))
    #expect(ended == (schema < 16 ? "2026-01-02T00:00:00Z" : "2026-01-01T00:00:00Z"))
  }

  @Test func `true points of revisions move to a private table`() throws {
    let folder = try TestFolder.make()
    defer { try? FileManager.default.removeItem(at: folder) }
    let database = try Database(path: folder.appendingPathComponent("farol.db").path)
    defer { try? database.close() }
    _ = try database.migrate(directory: try self.folder(upTo: 5, in: folder).path)
    try database.write { connection in
      for row in Self.rows where row.since <= 5 { try connection.execute(row.sql) }
      try connection.execute(
        """
        INSERT INTO revision (device_rowid, number, kind, made_at, before)
        VALUES (1, 3, 'edit', '2026-01-03T00:00:00Z', '{"place":[1.5,2.5],"name":"Quay"}')
        """)
    }
    _ = try database.migrate(directory: Self.all.path)
    let place = try database.read { connection in
      try connection.first("SELECT number, longitude, latitude FROM revision_location") {
        [$0.double(0), $0.double(1), $0.double(2)]
      }
    }
    #expect(place == [3, 1.5, 2.5])
    let before = try database.read { try $0.text("SELECT before FROM revision WHERE number = 3") }
    #expect(before == #"{"name":"Quay"}"#)
  }
}

/// A migration that is killed leaves the earlier schema, and the next start runs it.
@Suite(.enabled(if: try FarolProgram.isThere()), .serialized)
final class BrokenMigrationTests {
  private let folder: URL

  init() throws { folder = try TestFolder.make() }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// A home folder with one more migration, which takes about a second.
  private func home() throws -> URL {
    let home = folder.appendingPathComponent("home")
    let migrations = home.appendingPathComponent("migrations")
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    for name in ["public", "seed"] {
      try FileManager.default.createSymbolicLink(
        at: home.appendingPathComponent(name),
        withDestinationURL: Repository.root.appendingPathComponent(name))
    }
    try FileManager.default.copyItem(
      at: Repository.root.appendingPathComponent("migrations"), to: migrations)
    let slow = """
      CREATE TABLE slow (a TEXT NOT NULL);
      INSERT INTO slow
      WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 400000)
      SELECT hex(randomblob(40)) FROM number;
      """
    let number = SchemaHistoryTests.newest + 1
    let name = String(repeating: "0", count: 4 - "\(number)".count) + "\(number)_slow.sql"
    try Data(slow.utf8).write(to: migrations.appendingPathComponent(name))
    return home
  }

  private func size(_ path: String) -> Int {
    (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
  }

  @Test func `a killed migration leaves the earlier schema, and is run again`() throws {
    var program = FarolProgram(folder: folder)
    #expect(try program.run("migrate").status == 0)
    let before = try version()
    let home = try home()

    let process = Process()
    process.executableURL = FarolProgram.path
    process.arguments = ["migrate"]
    process.environment = ["FAROL_DATABASE": program.database, "FAROL_HOME": home.path]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    // Rows that do not fit into memory go into the log before the commit.
    while process.isRunning, size(program.database + "-wal") < 2_000_000 { usleep(2_000) }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    try #require(process.terminationReason == .uncaughtSignal, "it was done before it was killed")

    #expect(try program.run("check").status == 0)
    #expect(try version() == before)
    #expect(try tables().contains("device"))
    #expect(try !tables().contains("slow"))

    program.environment["FAROL_HOME"] = home.path
    let server = try program.serve()
    #expect(server.get("/readyz").contains("\"ready\""))
    #expect(server.stop() == 0)
    #expect(try version() == before + 1)
    #expect(try tables().contains("slow"))
  }

  private func read<T>(_ body: (Connection) throws -> T) throws -> T {
    var configuration = Database.Configuration()
    configuration.readOnly = true
    let database = try Database(
      path: folder.appendingPathComponent("farol.db").path, configuration: configuration)
    defer { try? database.close() }
    return try database.read(body)
  }

  private func version() throws -> Int64 {
    try read { try $0.integer("PRAGMA user_version") } ?? 0
  }

  private func tables() throws -> Set<String> {
    Set(
      try read { try $0.rows("SELECT name FROM sqlite_schema WHERE type = 'table'") { $0.text(0) } }
    )
  }
}
