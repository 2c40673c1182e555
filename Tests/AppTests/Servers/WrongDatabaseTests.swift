import Foundation
import SpatialDatabase
import TestPostgreSQL
import Testing

/// `farol serve` with a PostgreSQL database that it cannot use: one sentence gives the reason, and nothing is changed.
@Suite(.enabled(if: try FarolProgram.isThere()), .serialized)
final class WrongDatabaseTests {
  private var program: FarolProgram

  init() throws { program = FarolProgram(folder: try TestFolder.make()) }

  deinit { try? FileManager.default.removeItem(at: program.folder) }

  /// The lines that a server writes which cannot start. None if it starts.
  private func refusal(_ url: String, home: URL = Repository.root) throws -> [String] {
    do {
      _ = try server(url, home: home).stop()
      return []
    } catch let refused as FarolProgram.NotServing {
      return refused.said.split(separator: "\n").map(String.init)
    }
  }

  private func server(
    _ url: String, home: URL = Repository.root, clock: String = "+0"
  ) throws -> RunningFarol {
    program.environment = [
      "FAROL_DATABASE": url, "FAROL_STATE": program.folder.path, "FAROL_HOME": home.path,
      "FAROL_TEST_CLOCK": clock,
    ]
    return try program.serve()
  }

  private func expectRefusal(
    _ url: String, _ words: String, home: URL = Repository.root,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let lines = try refusal(url, home: home)
    #expect(lines.count == 1, "\(lines)", sourceLocation: location)
    #expect(lines.first?.contains(words) == true, "\(lines)", sourceLocation: location)
    #expect(!lines.joined().contains("hushhush"), sourceLocation: location)
  }

  @Test(arguments: [
    ("postgresql://farol@127.0.0.1:1/farol", "127.0.0.1:1/farol cannot be reached"),
    ("postgresql://farol:hushhush%@127.0.0.1/farol", "% in the password must be written as %25"),
    ("postgresql://farol:hush@hush@127.0.0.1/farol", "must be written as %40"),
    ("postgresql://farol:hushhush@127.0.0.1:none/farol", "not a valid URL"),
  ])
  func `a wrong address is named without the password`(url: String, words: String) throws {
    try expectRefusal(url, words)
  }

  @Test func `a database that does not exist is named`() throws {
    try expectRefusal(
      try TestPostgreSQL.shared.get().url("nowhere"), "has no database of this name")
  }

  @Test func `a wrong password is refused without repeating it`() throws {
    let server = try TestPostgreSQL.shared.get()
    let database = try Database(server: try server.newDatabase(), path: program.folder.path + "/a")
    // The rules of the cluster ask this role for a password.
    try database.write { connection in
      try connection.execute("DROP ROLE IF EXISTS guest")
      try connection.execute("CREATE ROLE guest LOGIN PASSWORD 'right'")
    }
    try database.close()
    try expectRefusal(
      server.url("postgres", user: "guest") + "&password=hushhush",
      "refused the user or the password")
  }

  @Test func `a database without PostGIS is told how to get it`() throws {
    try expectRefusal(
      try TestPostgreSQL.shared.get().url("postgres"),
      "has no PostGIS: run CREATE EXTENSION postgis in it as a superuser")
  }

  @Test func `an older schema is migrated at the start, and a newer one is refused`() throws {
    let url = try TestPostgreSQL.shared.get().newDatabase()
    #expect(try server(url).stop() == 0)
    let (later, newest) = try laterHome()
    // The older schema.
    #expect(try server(url, home: later).stop() == 0)
    try expectRefusal(
      url,
      "has schema \(newest) and this Farol knows \(newest - 1). Use the Farol that made it, or a later one."
    )
    let database = try Database(server: url, path: program.folder.path + "/a")
    let (schema, colours) = try database.readPrivate { connection in
      (
        try connection.integer("SELECT max(CAST(left(name, 4) AS BIGINT)) FROM migration"),
        try connection.integer("SELECT count(colour) FROM device")
      )
    }
    #expect(schema == Int64(newest) && colours == 0)
    try database.close()
  }

  /// The installation of a later Farol with one more migration, and its number.
  private func laterHome() throws -> (home: URL, newest: Int) {
    let home = program.folder.appendingPathComponent("later")
    let files = FileManager.default
    try files.createDirectory(at: home, withIntermediateDirectories: true)
    for name in ["public", "seed"] {
      try files.createSymbolicLink(
        at: home.appendingPathComponent(name),
        withDestinationURL: Repository.root.appendingPathComponent(name))
    }
    let migrations = home.appendingPathComponent("migrations")
    try files.copyItem(at: Repository.root.appendingPathComponent("migrations"), to: migrations)
    let folder = migrations.appendingPathComponent("postgresql")
    let names = try files.contentsOfDirectory(atPath: folder.path)
    let newest = (names.compactMap { Int($0.prefix(4)) }.max() ?? 0) + 1
    let name =
      String(repeating: "0", count: max(0, 4 - "\(newest)".count)) + "\(newest)_add_colour.sql"
    try Data("ALTER TABLE device ADD COLUMN colour text".utf8).write(
      to: folder.appendingPathComponent(name))
    return (home, newest)
  }

  @Test func `a standby is refused, and used once it is the primary`() throws {
    let cluster = try TestPostgreSQL()
    let url = try cluster.newDatabase()
    #expect(try server(url).stop() == 0)
    try cluster.demote()
    try expectRefusal(url, "is a standby or read-only; Farol needs the primary")
    try cluster.promote()
    #expect(try server(url).stop() == 0)
  }

  @Test(arguments: [("+3600", "ahead of"), ("-3600", "behind")])
  func `a clock that differs from that of the database is in the log`(
    shift: String, words: String
  ) throws {
    let url = try TestPostgreSQL.shared.get().newDatabase()
    let running = try server(url, clock: shift)
    #expect(running.stop() == 0)
    #expect(
      running.start.contains(" s \(words) that of the database: set both by NTP"),
      "\(running.start)")
  }
}
