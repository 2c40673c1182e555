@testable import App
import Foundation
import JSON
@testable import Lists
import PrivacyMap
import SafeFetch
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// The admins of scheduled imports, requests about them, and the log.
@Suite struct ImportScheduleRequestTests: ScheduleTesting {
  let site: ListSite
  let app: TestApp
  let admin: TestAccount

  init() throws {
    site = try ListSite()
    app = try TestApp(settings: site.settings)
    admin = try app.account("root", role: .admin)
  }

  @Test func `a run waits for an import that is in progress`() throws {
    try site.put(TestSchedule.list(3), as: "cameras.csv")
    try add()
    let worker = app.app.imports.worker
    let begun = DispatchSemaphore(value: 0)
    let thread = Thread {
      _ = try? worker.perform(waiting: .zero) { _ in
        begun.signal()
        Thread.sleep(forTimeInterval: 0.5)
      }
    }
    thread.start()
    begun.wait()
    #expect(try worker.perform(waiting: .zero) { _ in true } == nil)
    try runNow()
    #expect(try outcome() == "imported")
  }

  @Test func `a change during a run is not overwritten by its result`() throws {
    try site.put(TestSchedule.list(3), as: "cameras.csv")
    let id = try add()
    let runs = app.app.importSchedules.runs
    let before = try #require(try app.database.read { try runs.store.one(id, $0) })
    #expect(change(["url": "https://lists.example/plain/cameras.csv"]).status == .ok)
    let result = ImportScheduleStore.Result(
      outcome: .imported, file: (version: .init(etag: "\"1\""), digest: "ab"))
    try app.database.write { try runs.record(result, of: before, $0) }
    let after = try #require(try app.database.read { try runs.store.one(id, $0) })
    #expect(after.digest == nil && after.version == .init())
    #expect(
      app.send(.delete, "\(TestSchedule.path)/\(id)", as: admin.identity).status == .noContent)
    try app.database.write { try runs.record(result, of: before, $0) }
  }

  // Admins.

  @Test func `a schedule ends when its admin loses the role, and another admin takes it over`()
    throws
  {
    let other = try app.account("other", role: .admin)
    try add()
    let demoted = app.send(
      .patch, "/api/admin/accounts/\(admin.id)",
      json: try app.proving(["role": "contributor", "reason": "left"]), as: other.identity)
    #expect(demoted.status == .ok)
    var shown = try app.get("\(TestSchedule.path)/1", as: other.identity).json
    #expect(shown["enabled"]?.boolValue == false && shown["ended_by"]?.stringValue == "account")
    let run = app.send(.post, "\(TestSchedule.path)/1/run", json: [:], as: other.identity)
    #expect(run.status == .conflict)
    let resumed = app.send(
      .patch, "\(TestSchedule.path)/1", json: ["enabled": true], as: other.identity)
    #expect(resumed.status == .ok)
    shown = try resumed.json
    #expect(shown["by"]?.stringValue == "other" && shown["enabled"]?.boolValue == true)
  }

  @Test func `a role that is taken on the command line ends a schedule at its next run`() throws {
    try add()
    try app.database.write {
      try $0.execute(
        "UPDATE account SET role = 'contributor' WHERE rowid = ?", [.integer(admin.rowid)])
    }
    let other = try app.account("other", role: .admin)
    try runNext()
    let shown = try app.get("\(TestSchedule.path)/1", as: other.identity).json
    #expect(shown["ended_by"]?.stringValue == "account" && shown["running"]?.boolValue == false)
    #expect(try app.mails.isEmpty)
  }

  @Test func `a schedule outlives its admin's account, and no longer runs`() throws {
    let other = try app.account("other", role: .admin)
    try add()
    try app.database.write { connection in
      let gone = ErasedAccount(rowid: admin.rowid, emailKey: nil, now: app.clock.now)
      try ImportSchedules.erase(gone, connection)
    }
    let shown = try app.get("\(TestSchedule.path)/1", as: other.identity).json
    #expect(shown["ended_by"]?.stringValue == "account" && shown["by"] == .null)
  }

  // Requests.

  @Test(
    arguments: [
      ("url", "http://lists.example/a.csv"), ("url", "https://127.0.0.1/a.csv"),
      ("url", "https://lists.example:8443/a.csv"), ("url", "https://user@lists.example/a"),
      ("url", "file:///etc/passwd"), ("mapping", ["source": "x"]), ("day", 29), ("hour", 24),
      ("every", "minute"), ("name", ""),
      ("mapping", ["extends": "../../etc/passwd"]),
    ] as [(String, JSONValue)])
  func `a request with a wrong value is refused, with the name of the field`(
    field: String, value: JSONValue
  ) throws {
    let answer = app.send(
      .post, TestSchedule.path,
      json: TestSchedule.body("/cameras.csv", JSONObject([(field, value)])),
      as: admin.identity)
    #expect([400, 422].contains(answer.status.code))
    #expect(try answer.json["errors"]?[0]?["field"]?.stringValue == field)
    #expect(try app.integer("SELECT count(*) FROM import_schedule") == 0)
  }

  @Test func `a named mapping can be used`() throws {
    try add("/cameras.csv", ["mapping": ["extends": "osm.json"]])
    #expect(try schedule()["mapping"]?["extends"]?.stringValue == "osm.json")
  }

  @Test func `a second run of a schedule is refused while the first waits`() throws {
    try add()
    let path = "\(TestSchedule.path)/1/run"
    #expect(app.send(.post, path, json: [:], as: admin.identity).status == .accepted)
    #expect(app.send(.post, path, json: [:], as: admin.identity).status == .conflict)
    #expect(try schedule()["running"]?.boolValue == true)
    try app.work()
    #expect(app.send(.post, path, json: [:], as: admin.identity).status == .accepted)
  }

  @Test func `a paused schedule does not run by itself, but on request`() throws {
    try site.put(TestSchedule.list(3), as: "cameras.csv")
    try add("/cameras.csv", ["enabled": false])
    try runNext()
    #expect(try devices() == 0)
    #expect(try schedule()["ended_by"]?.stringValue == "admin")
    try runNow()
    #expect(try devices() == 3)
  }

  @Test func `the number of schedules is limited`() throws {
    for _ in 0..<ImportScheduleStore.maximum { try add() }
    let answer = app.send(.post, TestSchedule.path, json: TestSchedule.body(), as: admin.identity)
    #expect(answer.status == .conflict)
  }

  @Test func `every action is in the log, with the name of a deleted schedule`() throws {
    try site.put(TestSchedule.list(3), as: "cameras.csv")
    try add()
    _ = change(["hour": 5])
    try runNow()
    #expect(app.send(.delete, "\(TestSchedule.path)/1", as: admin.identity).status == .noContent)
    #expect(app.send(.delete, "\(TestSchedule.path)/1", as: admin.identity).status == .notFound)
    let by = "\(admin.rowid)"
    #expect(
      try app.audit().map { [$0[0], $0[1], $0[2]] } == [
        ["add_import_schedule", "import_schedule 1", by],
        ["change_import_schedule", "import_schedule 1", by],
        ["run_import_schedule", "import_schedule 1", by],
        ["import", "import \(try lastImport())", by],
        ["delete_import_schedule", "import_schedule 1", by],
      ])
    // The report of its import remains.
    #expect(try app.integer("SELECT count(*) FROM import_run") == 1)
  }
}
