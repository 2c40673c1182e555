@testable import Service
import SpatialDatabase
import Testing

@Suite struct AuditTests {
  let app: TestApp

  init() throws {
    app = try TestApp()
    try app.database.write { connection in
      try AuditStore(environment: app.environment).note(
        "hide", target: "device 1", by: "command line", reason: "a test", connection)
    }
  }

  @Test func `an action is logged with actor, target, reason and time`() throws {
    let row = try app.database.read { connection in
      try connection.first("SELECT actor, action, target, reason, acted_at FROM audit") { row in
        (0..<5).map { row.text($0) }
      }
    }
    #expect(row == ["command line", "hide", "device 1", "a test", "2026-11-21T12:00:00Z"])
  }

  @Test(arguments: [
    "UPDATE audit SET reason = 'none'", "DELETE FROM audit", "DELETE FROM audit WHERE rowid = 1",
    "REPLACE INTO audit (rowid, actor, action, acted_at) VALUES (1, 'x', 'y', 'z')",
  ])
  func `log entries cannot be changed or deleted`(sql: String) throws {
    #expect(throws: DatabaseFault.self) { try app.database.write { try $0.execute(sql) } }
    #expect(try app.text("SELECT reason FROM audit") == "a test")
  }
}
