import Foundation
import Locking
@testable import SpatialDatabase
import TestPostgreSQL
import Testing

/// A database that is behind what a server has seen is not used.
@Suite(.serialized) final class ContinuityTests {
  private let folder = NSTemporaryDirectory() + "farol-" + UUID().uuidString
  private let known = Known()

  /// The changes that the databases contain.
  private final class Known: Sendable {
    let changes = Locked<Set<String>>(["1-a"])
  }

  init() throws {
    try FileManager.default.createDirectory(
      atPath: folder + "/postgresql", withIntermediateDirectories: true)
    try Data(
      """
      CREATE TABLE setting (name text PRIMARY KEY, value text NOT NULL, changed_at text NOT NULL);
      CREATE TABLE change (sequence bigint);
      CREATE TABLE thing (name text);
      """.utf8
    ).write(to: URL(fileURLWithPath: folder + "/postgresql/0001_begin.sql"))
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func database(_ url: String, serves: Bool = true) throws -> Database {
    var configuration = Database.Configuration.small
    if serves {
      configuration.continuity = Database.Continuity(file: folder + "/farol.seen") {
        [known] change, connection in
        // The connection can be used.
        _ = try connection.integer("SELECT count(*) FROM change")
        return known.changes.withLock { $0.contains(change) }
      }
    }
    let database = try Database(
      server: url, path: folder + "/farol", configuration: configuration)
    _ = try database.migrate(directory: folder)
    return database
  }

  private func refusal(_ body: () throws -> Void) -> DatabaseFault? {
    do {
      try body()
      return nil
    } catch { return error as? DatabaseFault }
  }

  private static func count(_ database: Database) throws -> Int64? {
    try database.read { try $0.integer("SELECT count(*) FROM thing") }
  }

  @Test func `an older state has an objection, and an accepted one has none`() {
    let seen = SeenState(
      system: "7", database: "1", timeline: 6, accepted: "\"2027-01-02\"", change: "9-x")
    func objection(
      has: Bool = true, isStandby: Bool = false, _ change: (inout SeenState) -> Void = { _ in }
    ) -> String? {
      var found = seen
      change(&found)
      return seen.objection(to: found, isStandby: isStandby) { _ in has }
    }
    #expect(objection() == nil)
    #expect(objection { $0.timeline = 7 } == nil)
    #expect(objection { $0.timeline = 5 } == "its timeline is 5, and this server has seen 6")
    #expect(objection(isStandby: true) { $0.timeline = 0 } == nil)
    // A new cluster, as after a major upgrade, begins with timeline 1.
    #expect(objection { ($0.system, $0.timeline) = ("8", 1) } == nil)
    #expect(objection(has: false) == "it lacks change 9, which this server has seen")
    #expect(objection(has: false) { $0.timeline = 7 } != nil)
    #expect(objection(has: false) { ($0.system, $0.timeline) = ("8", 1) } != nil)
    // Another database of the same cluster was chosen.
    #expect(objection(has: false) { $0.database = "2" } == nil)
    #expect(objection(has: false) { ($0.accepted, $0.timeline) = ("\"2027-01-03\"", 1) } == nil)
    #expect(objection { $0.accepted = "" }?.contains("restored to an earlier time") == true)
  }

  @Test func `an old primary that wakes is not used, and reads and writes say why`() throws {
    let cluster = try TestPostgreSQL()
    let name = try cluster.newDatabaseName()
    let hosts = "host=\(cluster.folder),\(cluster.folder)&port=5432,5433"
    let url = cluster.url(name).replacing("host=\(cluster.folder)", with: hosts)
    let database = try database(url)
    defer { try? database.close() }
    try database.write { try $0.execute("INSERT INTO thing VALUES ('before')") }
    try cluster.startStandby()
    #expect(try Self.count(database) == 1)

    // The primary is gone without knowing that it is replaced.
    try cluster.stop(crashing: true)
    try cluster.promoteStandby()
    try database.write { try $0.execute("INSERT INTO thing VALUES ('after')") }
    #expect(try Self.count(database) == 2)
    #expect(database.behind == nil)

    // It wakes; the new primary is not reachable.
    try cluster.start()
    try cluster.stopStandby()
    for _ in 0..<2 {
      #expect(refusal { _ = try Self.count(database) }?.kind == .behind)
    }
    #expect(refusal { try database.write { _ in } }?.kind == .behind)
    #expect(refusal { try database.apart([("SELECT 1", [])]) }?.kind == .behind)
    #expect(refusal { _ = try database.snapshot(limit: .seconds(5)) }?.kind == .behind)
    let sentence = try #require(database.behind)
    #expect(sentence.contains("its timeline is 1, and this server has seen 2. Nothing is read"))
    #expect(WriteFailure(try #require(refusal { try database.write { _ in } })) == .behind)

    // A restart of the server does not forget it.
    #expect(refusal { _ = try self.database(url) }?.message == sentence)

    // The operator decides for the old side.
    let command = try self.database(url, serves: false)
    try command.acceptState()
    try command.close()
    #expect(try Self.count(database) == 1)
    #expect(database.behind == nil)
  }

  @Test func `of two primaries the one with the higher timeline is used`() throws {
    let cluster = try TestPostgreSQL()
    let name = try cluster.newDatabaseName()
    try database(cluster.url(name)).close()
    try cluster.startStandby()
    try cluster.promoteStandby()
    let hosts = "host=\(cluster.folder),\(cluster.folder)&port=5432,5433"
    let several = cluster.url(name).replacing("host=\(cluster.folder)", with: hosts)
    let fault = refusal { _ = try self.database(several) }
    #expect(fault?.kind == .unreachable)
    #expect(fault?.message.contains("has become the primary: timeline 2") == true)
  }

  @Test func `a change that was noted must be in the database of the next start`() throws {
    let url = try TestPostgreSQL.shared.get().newDatabase()
    let first = try database(url)
    first.note(seen: "1-a")
    try first.close()
    try database(url).close()
    known.changes.withLock { $0 = [] }
    let fault = refusal { _ = try self.database(url) }
    #expect(fault?.kind == .behind)
    #expect(fault?.message.contains("it lacks change 1, which this server has seen") == true)
    // Commands have seen nothing.
    try database(url, serves: false).close()
  }

  @Test func `each accepted state is later than the one before`() throws {
    let url = try TestPostgreSQL.shared.get().newDatabase()
    let database = try database(url)
    defer { try? database.close() }
    func accepted() throws -> String? {
      try database.acceptState()
      return try database.read { try $0.text("SELECT value FROM setting") }
    }
    let first = try #require(try accepted())
    // A clock that was ahead.
    try database.write { connection in
      try connection.execute("UPDATE setting SET value = '\"9999-01-01T00:00:00Z\"'")
    }
    let (second, third) = (try accepted(), try accepted())
    #expect(try #require(second) > first)
    #expect(second == "\"9999-01-01T00:00:00Z+\"")
    #expect(third == "\"9999-01-01T00:00:00Z++\"")
  }

  @Test func `needless rights are named`() throws {
    let server = try TestPostgreSQL.shared.get()
    let name = try server.newDatabaseName()
    let superuser = try database(server.url(name), serves: false)
    defer { try? superuser.close() }
    #expect(
      try superuser.serverWarnings().map { $0.contains("(SUPERUSER, CREATEROLE, ") } == [true])
    let role = "modest_\(name)"
    try superuser.write { connection in
      try connection.execute("CREATE ROLE \(role) LOGIN CREATEROLE IN ROLE pg_read_server_files")
      try connection.execute("GRANT ALL ON SCHEMA main TO \(role)")
      try connection.execute("GRANT SELECT ON ALL TABLES IN SCHEMA main TO \(role)")
    }
    var configuration = Database.Configuration.small
    configuration.readOnly = true
    let modest = try Database(
      server: server.url(name, user: role), path: folder + "/modest", configuration: configuration)
    defer { try? modest.close() }
    #expect(
      try modest.serverWarnings().map { $0.contains("(CREATEROLE, pg_read_server_files)") }
        == [true])
    try superuser.write { connection in
      try connection.execute("ALTER ROLE \(role) NOCREATEROLE")
      try connection.execute("REVOKE pg_read_server_files FROM \(role)")
    }
    #expect(try modest.serverWarnings() == [])
    try modest.close()
    try superuser.write { connection in
      try connection.execute("DROP OWNED BY \(role)")
      try connection.execute("DROP ROLE \(role)")
    }
  }

  @Test func `a user that may create no role needs one that a superuser has made`() throws {
    let server = try TestPostgreSQL.shared.get()
    let name = try server.newDatabaseName()
    let role = "owner_\(name)"
    let superuser = try database(server.url(name), serves: false)
    defer { try? superuser.close() }
    try superuser.write { connection in
      try connection.execute("CREATE ROLE \(role) LOGIN")
      try connection.execute("ALTER SCHEMA main OWNER TO \(role)")
      for table in ["setting", "change", "thing", "migration"] {
        try connection.execute("ALTER TABLE main.\(table) OWNER TO \(role)")
      }
    }
    let modest = try Database(
      server: server.url(name, user: role), path: folder + "/modest", configuration: .small)
    let reader = try #require(
      try superuser.read {
        try $0.text(
          "SELECT 'farol_reader_' || oid FROM pg_database WHERE datname = current_database()")
      })
    let missing = refusal { try modest.forbidReading(["thing"]) }
    #expect(missing?.kind == .unreadable)
    #expect(
      missing?.message.contains(
        "has no role \(reader): run operations/postgresql/create-reader.sql") == true)
    try superuser.write { try $0.execute("CREATE ROLE \(reader) NOLOGIN") }
    let foreign = refusal { try modest.forbidReading(["thing"]) }
    #expect(foreign?.message.contains("may not use the role \(reader)") == true)
    try superuser.write { try $0.execute("GRANT \(reader) TO \(role)") }
    try modest.forbidReading(["thing"])
    #expect(refusal { _ = try Self.count(modest) } != nil)
    #expect(try modest.read { try $0.integer("SELECT count(*) FROM change") } == 0)
    try modest.close()
    try superuser.write { connection in
      try connection.execute("REASSIGN OWNED BY \(role) TO CURRENT_USER")
      try connection.execute("DROP OWNED BY \(role), \(reader)")
      try connection.execute("DROP ROLE \(role)")
    }
  }
}
