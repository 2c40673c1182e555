@testable import App
import JSON
import Logging
@testable import Moderation
@testable import Operations
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// Actions on more devices than fit one transaction, interrupted between two batches.
@Suite struct ActBatchTests {
  let app: TestApp
  let moderator: TestAccount
  let spammer: TestAccount
  let devices: [TestDevice]

  init() throws {
    app = try TestApp()
    moderator = try app.account("mod", role: .moderator)
    let spammer = try app.account("spammer")
    self.spammer = spammer
    let app = app
    devices = try (0..<ModerationActionBatches.size + 30).map {
      try app.device(by: spammer, name: "Spam \($0)")
    }
  }

  private func revert() -> TestAnswer {
    app.act("revert", "account", spammer.id, more: [("all", true)], as: moderator.identity)
  }

  /// Interrupts every action after its first batch, which ends with a turn of the writer or after
  /// ``ModerationActionBatches/size`` devices.
  private func breakOff() throws {
    let last = devices.last?.rowid ?? 0
    try app.refuseInsertions(into: "revision", when: "new.device_rowid = \(last)")
  }

  private func mend() throws { try app.acceptInsertions(into: "revision") }

  private func shown() throws -> Int64? {
    try app.integer("SELECT count(*) FROM device WHERE hidden = 0")
  }

  private func jobs() throws -> Int64? {
    try app.integer("SELECT count(*) FROM job WHERE kind = 'finish_act'")
  }

  private func log() throws -> [String] { try app.audit().map { $0[0] } }

  @Test func `an interrupted action is in the log, and a job completes it`() throws {
    try breakOff()
    #expect(revert().status.code >= 500)
    let left = try #require(try shown())
    #expect((1..<Int64(devices.count)).contains(left))
    #expect(try log() == ["revert"])
    #expect(try jobs() == 1)
    try mend()

    // The job does not start while the request may still be running.
    app.clock.advance(by: .seconds(ModerationActionBatches.timeout - 1))
    try app.work()
    #expect(try shown() == left)
    app.clock.advance(by: .seconds(1))
    try app.work()

    #expect(try shown() == 0)
    #expect(try log() == ["revert"])
    #expect(try jobs() == 0)
    let kept = try app.integer("SELECT count(*) FROM moderation_revision")
    #expect(kept == Int64(devices.count))
  }

  @Test func `an interrupted undo is in the log, and a job completes it`() throws {
    let done = revert()
    #expect(try jobs() == 0)
    try breakOff()
    #expect(try app.undo(done, as: moderator.identity).status.code >= 500)
    let restored = try #require(try shown())
    #expect((1..<Int64(devices.count)).contains(restored))
    #expect(try log() == ["revert", "undo"])
    #expect(try jobs() == 1)
    #expect(try app.undo(done, as: moderator.identity).status == .conflict)
    try mend()
    app.clock.advance(by: .seconds(ModerationActionBatches.timeout))
    try app.work()
    #expect(try shown() == Int64(devices.count))
    #expect(try log() == ["revert", "undo"])
    #expect(try jobs() == 0)
    #expect(try IndexCheck(database: app.database).findings().isEmpty)
  }

  @Test func `an interrupted action that was undone is not continued`() throws {
    try breakOff()
    _ = revert()
    try mend()
    let id = try #require(try app.text("SELECT id FROM moderation_action"))
    let undone = app.send(
      .post, "/api/moderation/actions/\(id)/undo", json: ["reason": "No"], as: moderator.identity)
    #expect(undone.status == .ok)
    #expect(try shown() == Int64(devices.count))
    app.clock.advance(by: .seconds(ModerationActionBatches.timeout))
    try app.work()
    #expect(try shown() == Int64(devices.count))
    #expect(try jobs() == 0)
  }

  @Test func `an invalid payload is abandoned`() throws {
    #expect(throws: HopelessJob.self) { try app.app.moderation.batches.work("{}") }
  }
}
