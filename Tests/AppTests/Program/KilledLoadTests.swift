import Foundation
import SpatialDatabase
import Testing

/// A bulk load that is killed leaves a consistent database.
@Suite(.enabled(if: try FarolProgram.isThere()), .serialized)
final class KilledLoadTests {
  private let program: FarolProgram

  init() throws { program = FarolProgram(folder: try TestFolder.make()) }

  deinit { try? FileManager.default.removeItem(at: program.folder) }

  private func schema() throws -> [String] {
    var configuration = Database.Configuration()
    configuration.readOnly = true
    let database = try Database(path: program.database, configuration: configuration)
    defer { try? database.close() }
    return try database.read { connection in
      try connection.rows("SELECT name || ifnull(sql, '') FROM sqlite_schema ORDER BY 1") {
        $0.text(0)
      }
    }
  }

  private func devices() throws -> Int64 {
    var configuration = Database.Configuration()
    configuration.readOnly = true
    let database = try Database(path: program.database, configuration: configuration)
    defer { try? database.close() }
    return try database.read { try $0.integer("SELECT count(*) FROM device") ?? 0 }
  }

  @Test func `after a killed load the next start makes the database consistent`() throws {
    #expect(try program.run("migrate").status == 0)
    let before = try schema()
    let load = try program.start("generate", "--devices", "1000000")
    // A child of a Dispatch thread has SIGTERM blocked.
    defer { if load.isRunning { kill(load.processIdentifier, SIGKILL) } }
    let end = ContinuousClock.now + .seconds(120)
    while try devices() == 0, .now < end { Thread.sleep(forTimeInterval: 0.1) }
    kill(load.processIdentifier, SIGKILL)
    load.waitUntilExit()

    #expect(try devices() > 0)
    // Without three indexes and two triggers.
    #expect(try schema().count == before.count - 5)
    let server = try program.serve()
    #expect(server.get("/api/collections/devices/items?limit=1").contains("\"FeatureCollection\""))
    #expect(server.stop() == 0)
    #expect(try schema() == before)
    #expect(try program.run("check").status == 0)
  }
}
