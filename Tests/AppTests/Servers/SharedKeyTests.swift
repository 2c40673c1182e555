import Dispatch
import Foundation
import Locking
@testable import Service
import SpatialDatabase
import TestPostgreSQL
import Testing

/// Servers on one PostgreSQL database start only with the same `farol.key`.
@Suite(.enabled(if: try FarolProgram.isThere()), .serialized)
final class SharedKeyTests {
  private let folder: URL
  private let url: String

  init() throws {
    folder = try TestFolder.make()
    url = try TestPostgreSQL.shared.get().newDatabase()
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// A server with a separate folder.
  private func server(_ name: String) throws -> FarolProgram {
    let own = folder.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
    return FarolProgram(
      folder: own, environment: ["FAROL_DATABASE": url, "FAROL_STATE": own.path])
  }

  private func key(of server: FarolProgram) -> URL {
    server.folder.appendingPathComponent("farol.key")
  }

  private func expectStart(_ server: FarolProgram) throws {
    #expect(try server.serve().stop() == 0)
  }

  /// Tries to start a server; its last line must contain some words. A warning about the rights of the database role may
  /// come before.
  private func expectRefusal(
    _ server: FarolProgram, _ words: String, _ location: SourceLocation = #_sourceLocation
  ) throws {
    let refused = #expect(throws: FarolProgram.NotServing.self, sourceLocation: location) {
      _ = try server.serve().stop()
    }
    let lines = (refused?.said ?? "").split(separator: "\n")
    #expect(lines.count <= 2, "\(lines)", sourceLocation: location)
    #expect(lines.last?.contains(words) == true, "\(lines)", sourceLocation: location)
  }

  @Test func `a server starts with the key of the first one only`() throws {
    let (one, two) = (try server("one"), try server("two"))
    try expectStart(one)
    let bytes = try Data(contentsOf: key(of: one))
    try expectStart(one)

    try expectRefusal(two, "farol.key is missing: copy it from another server on this database")
    #expect(!FileManager.default.fileExists(atPath: key(of: two).path))
    try Data(repeating: 7, count: 32).write(to: key(of: two))
    try expectRefusal(two, "farol.key is not the key of the other servers")
    try Data([1, 2, 3]).write(to: key(of: two))
    try expectRefusal(two, "farol.key cannot be used as a key")
    try bytes.write(to: key(of: two))
    try expectStart(two)

    let database = try Database(server: url, path: folder.path + "/a")
    defer { try? database.close() }
    let stored = try database.read { connection in
      try connection.text("SELECT value FROM setting WHERE name = 'key_digest'")
    }
    #expect(stored?.utf8.count == 66)
    let beginning = bytes.prefix(8).map { String(format: "%02x", $0) }.joined()
    #expect(stored?.contains(beginning) == false)
  }

  @Test func `a key that no server has any more can be replaced`() throws {
    let (one, two) = (try server("one"), try server("two"))
    try expectStart(one)
    try FileManager.default.removeItem(at: key(of: one))
    try expectRefusal(one, "run farol settle --key-only")
    #expect(try two.run("settle", "--key-only", "list.jsonl").status == 2)
    #expect(try two.run("settle", "--key-only").status == 0)
    try expectStart(one)
    try expectRefusal(two, "farol.key is missing")
    // After a restore to an earlier time, no mail waits.
    #expect(try two.run("settle").status == 0)
    try expectStart(two)
    try expectRefusal(one, "farol.key is not the key of the other servers")
  }

  @Test func `a copy of SQLite gets the key of its first server`() throws {
    let file = FarolProgram(folder: folder.appendingPathComponent("one"))
    try FileManager.default.createDirectory(at: file.folder, withIntermediateDirectories: true)
    #expect(try file.run("migrate").status == 0)
    #expect(try file.run("copy", file.database, url).status == 0)
    let there = try server("two")
    try expectStart(there)
    // Back, and to another database with the key of the file: one server never compares keys.
    let back = folder.appendingPathComponent("back.db").path
    #expect(try file.run("copy", url, back).status == 0)
    var again = FarolProgram(folder: folder)
    again.environment["FAROL_DATABASE"] = back
    try Data(repeating: 7, count: 32).write(to: URL(fileURLWithPath: back + ".key"))
    #expect(try again.serve().stop() == 0)
  }

  @Test func `of servers that start at once with keys of their own, one has the key`() throws {
    let first = try Database(server: url, path: folder.path + "/0")
    defer { try? first.close() }
    _ = try first.migrate(directory: Repository.root.appendingPathComponent("migrations").path)
    let right = Locked(0)
    DispatchQueue.concurrentPerform(iterations: 4) { [folder, url] number in
      let now = TestClock().now
      guard let database = try? Database(server: url, path: "\(folder.path)/\(number + 1)") else {
        return
      }
      defer { try? database.close() }
      let seal = MailSeal(of: database) { now }
      if (try? seal.prepare()) != nil { right.withLock { $0 += 1 } }
    }
    #expect(right.withLock { $0 } == 1)
  }

  @Test func `a mail waits for a database that cannot tell whether the key is right`() throws {
    let database = try Database(server: url, path: folder.path + "/a")
    _ = try database.migrate(directory: Repository.root.appendingPathComponent("migrations").path)
    let now = TestClock().now
    let link = try MailSeal(of: database) { now }.seal("/reset#token=a", to: "ana@example.org")
    let later = MailSeal(of: database) { now }
    try database.close()
    #expect(throws: DatabaseFault.self) { try later.open(link, to: "ana@example.org") }
  }
}
