@testable import Moderation
import SpatialDatabase
import Testing

/// The rows that go back when a merge is undone.
@Suite struct MergeStoreTests {
  let app: TestApp
  let ana: TestAccount
  let rui: TestAccount
  let restored: TestDevice
  let kept: TestDevice

  init() throws {
    app = try TestApp()
    ana = try app.account("ana")
    rui = try app.account("rui")
    restored = try app.device(by: ana)
    kept = try app.device(by: ana)
  }

  private func moveBack(_ verdict: Int64) throws {
    var moved = MovedRows()
    moved.verdicts = [verdict]
    try app.database.write { connection in
      try MergeStore().moveBack(moved, from: kept.rowid, to: restored.rowid, connection)
    }
  }

  private func device(of verdict: Int64) throws -> Int64? {
    try app.integer("SELECT device_rowid FROM verdict WHERE rowid = ?", [.integer(verdict)])
  }

  @Test func `a verdict goes back to its device`() throws {
    let verdict = try app.verdict(on: kept, by: rui)
    try moveBack(verdict)
    #expect(try device(of: verdict) == restored.rowid)
  }

  @Test func `a verdict stays if its person has given a new one on the restored device`() throws {
    let verdict = try app.verdict(on: kept, by: rui)
    let newer = try app.verdict(on: restored, by: rui, "dispute")
    try moveBack(verdict)
    #expect(try device(of: verdict) == kept.rowid)
    #expect(try device(of: newer) == restored.rowid)
  }

  @Test func `a new verdict of another person keeps none away`() throws {
    let verdict = try app.verdict(on: kept, by: rui)
    _ = try app.verdict(on: restored, by: try app.account("eva"))
    try moveBack(verdict)
    #expect(try device(of: verdict) == restored.rowid)
  }
}
