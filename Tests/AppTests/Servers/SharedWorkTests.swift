@testable import App
import Dispatch
import Foundation
import Import
import JSON
import Locking
import Logging
@testable import Lists
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
@testable import Watching
import WebServer

/// Work in the background is done by one server at a time, and by another one after it ends.
@Suite(.serialized) struct SharedWorkTests {
  let one: TestApp
  let two: TestApp

  init() throws {
    one = try TestApp(onPostgreSQLBeside: nil)
    two = try TestApp(onPostgreSQLBeside: one)
  }

  /// As some time after a server was killed: it released nothing.
  private func endLeases() throws {
    try one.database.write { try $0.execute("UPDATE lease SET ends_at = 0") }
  }

  private func lease(_ app: TestApp) -> Lease { Lease("test", on: app.database) }

  @Test func `one server at a time holds a lease`() throws {
    let (first, second) = (lease(one), lease(two))
    #expect(try first.hold())
    #expect(try !second.hold() && !second.isHeld)
    #expect(try first.hold() && first.isHeld)
    first.release()
    #expect(!first.isHeld)
    #expect(try second.hold())
    #expect(try !first.hold())
  }

  @Test func `servers that try at once do not both get a lease`() throws {
    let held = Locked(0)
    DispatchQueue.concurrentPerform(iterations: 8) { place in
      if (try? lease([one, two][place % 2]).hold()) == true { held.withLock { $0 += 1 } }
    }
    #expect(held.withLock { $0 } == 1)
  }

  @Test func `a server that lost its lease cannot write as part of the work`() throws {
    let (first, second) = (lease(one), lease(two))
    #expect(try first.hold())
    try one.database.write { try first.confirm($0) }
    try endLeases()
    #expect(try second.hold())
    #expect(throws: Lease.Lost.self) { try one.database.write { try first.confirm($0) } }
    #expect(!first.isHeld)
    try two.database.write { try second.confirm($0) }
  }

  @Test func `a kept lease is renewed until it is released`() throws {
    let first = lease(one)
    #expect(try first.keep())
    try endLeases()
    // As if the last renewal were long ago.
    #expect(try one.integer("SELECT ends_at FROM lease WHERE work = 'test'") == 0)
    try one.database.write { try first.confirm($0) }
    #expect(try !lease(two).hold())
    first.release()
    #expect(try lease(two).hold())
  }

  @Test(.enabled(if: try FarolProgram.isThere()))
  func `an import of the command line is the only one`() throws {
    var program = FarolProgram(folder: two.folder)
    program.environment = [
      "FAROL_DATABASE": try TestEngine.url(of: one.database.path), "FAROL_STATE": two.folder.path,
    ]
    let list = two.folder.appendingPathComponent("list.csv").path
    try Data("id,name,lon,lat\n1,Gate,6.5,46.5\n".utf8).write(to: URL(fileURLWithPath: list))
    let mapping = two.folder.appendingPathComponent("mapping.json").path
    let rules = """
      {"source": {"code": "test", "name": "Test", "licence": "CC0-1.0", "attribution": "Test"},
       "key": "{id}", "fields": {"longitude": "lon", "latitude": "lat",
       "category": "camera_fixed", "name": "name"}}
      """
    try Data(rules.utf8).write(to: URL(fileURLWithPath: mapping))

    let server = Lease("imports", on: one.database)
    #expect(try server.keep())
    let refused = try program.run("import", list, "--mapping", mapping)
    #expect(refused.status == 1)
    #expect(
      refused.errors == "farol: another import is running: try again when it has ended\n")
    #expect(try one.integer("SELECT count(*) FROM import_run") == 0)
    #expect(try program.run("import", list, "--mapping", mapping, "--dry-run").status == 0)
    server.release()
    let done = try program.run("import", list, "--mapping", mapping)
    #expect(done.status == 0, "\(done.errors)")
    #expect(try one.integer("SELECT count(*) FROM device") == 1)
    #expect(try one.integer("SELECT count(*) FROM lease WHERE work = 'imports'") == 0)
    #expect(try program.run("imports", "undo", "1").status == 0)
    #expect(try one.integer("SELECT count(*) FROM device WHERE hidden = 0") == 0)
  }

  @Test func `a change is told once, whichever servers look for it`() throws {
    let ana = try one.account("ana")
    try one.watch(["mail": "at_once"], of: ana)
    try one.device(longitude: 6.5, latitude: 46.5)
    for app in [two, one, two, one] { try app.app.watches.finish() }
    #expect(try one.integer("SELECT count(*) FROM watch_change") == 1)
  }

  @Test func `another server continues with alerts where the first one ended`() throws {
    let ana = try one.account("ana")
    try one.watch(["mail": "at_once"], of: ana)
    try one.device(longitude: 6.5, latitude: 46.5)
    try one.app.watches.finish()
    // One writes another device and is killed before it compares it.
    try one.device(longitude: 6.6, latitude: 46.5)
    try two.app.watches.finish()
    #expect(try one.integer("SELECT count(*) FROM watch_change") == 1)
    try endLeases()
    try two.app.watches.finish()
    #expect(try one.integer("SELECT count(*) FROM watch_change") == 2)
    // It was only slow: it has lost the work and adds nothing.
    try one.device(longitude: 6.7, latitude: 46.5)
    #expect(throws: Lease.Lost.self) { try one.app.watches.worker.matcher.step() }
    try two.app.watches.finish()
    #expect(try one.integer("SELECT count(*) FROM watch_change") == 3)
  }

  @Test func `calls that were accepted are known to the server that takes over`() throws {
    let ana = try one.account("ana")
    try one.provenWebhook("https://hook.example/ok", of: ana)
    let watch = try #require(try one.integer("SELECT rowid FROM watch"))
    try one.app.watches.worker.caller.note(watch, 7)
    try one.app.watches.worker.caller.note(watch, 8)
    #expect(try one.integer("SELECT called_through FROM watch") == 0)
    let caller = two.app.watches.worker.caller
    try caller.takeOver()
    #expect(caller.journal.begin() == [watch: .init(through: 8, calls: 2)])
    try endLeases()
    try two.app.watches.finish()
    #expect(try one.integer("SELECT called_through FROM watch") == 8)
    #expect(try one.integer("SELECT matches FROM watch_sent") == 2)
    #expect(try one.integer("SELECT count(*) FROM webhook_call") == 0)
  }

  @Test func `a server that starts does not end the import of another one`() throws {
    let imports = Lease("imports", on: one.database)
    #expect(try imports.keep())
    try one.database.write { connection in
      try connection.execute(
        "INSERT INTO import_run (file, mapping, state, started_at) VALUES ('a', 'b', 'running', ?)",
        [.text(one.clock.now.text)])
    }
    let third = try TestApp(onPostgreSQLBeside: one)
    #expect(try one.text("SELECT state FROM import_run") == "running")
    // One server is killed. The others notice it by themselves.
    imports.release()
    try third.app.works["end_broken_imports"]?("{}")
    #expect(try one.text("SELECT state FROM import_run") == "failed")
  }

  /// From now on another server takes over before each write of the work.
  private func takeOver(_ work: String) {
    one.database.activity.interpose { connection in
      try connection.execute(
        "UPDATE lease SET holder = 'another server' WHERE work = ?", [.text(work)])
    }
  }

  @Test func `an import whose lease another server has taken over stores nothing`() throws {
    let worker = one.app.imports.worker
    let run = ImportRun(
      map: one.app.map, mapping: try TestApp.mapping(), named: "test",
      options: ImportRun.Options())
    func list(_ id: Int) -> ByteSource {
      let text = "id,name,lon,lat\n\(id),Gate \(id),6.\(id),46.5\n"
      return ByteSource(bytes: Array(text.utf8), name: "list.csv")
    }
    let done = try worker.perform(waiting: .zero) { _ in try run.run(list(1)) }
    #expect(done?.added == 1)
    takeOver("imports")
    #expect(throws: Lease.Lost.self) {
      _ = try worker.perform(waiting: .zero) { _ in try run.run(list(2)) }
    }
    one.database.activity.interpose(nil)
    #expect(try one.count("device") == 1 && one.count("import_run") == 1)
  }

  @Test func `an import that loses its lease between two portions is ended by others`() throws {
    let worker = one.app.imports.worker
    let root = try one.account("root", role: .admin)
    let text = "id,name,lon,lat\n1,Gate,6.5,46.5\n"
    let id = try worker.begin(
      ByteSource(bytes: Array(text.utf8), name: "list.csv"), TestApp.mapping(), named: "test",
      ImportRun.Options(), by: root.rowid
    ) {
      let id = try one.database.write { [now = one.clock.now] connection in
        try ImportRunStore().add(
          file: "list.csv", mapping: "test", by: root.rowid, isDryRun: false, at: now, connection)
      }
      takeOver("imports")
      return id
    }
    worker.rest()
    one.database.activity.interpose(nil)
    #expect(id != nil)
    #expect(try one.count("device") == 0)
    // Not even its end: the server that imports now does that.
    #expect(try one.text("SELECT state FROM import_run") == "running")
    try two.app.works["end_broken_imports"]?("{}")
    #expect(try one.text("SELECT state FROM import_run") == "failed")
  }

  @Test func `a collection whose lease another server has taken over is not published`() throws {
    let form = AccessRequests.all.first { $0.endpoint == "POST /api/admin/collections" }
    let sent = try #require(form).make(AccessScene(one, .admin))
    takeOver("collections")
    #expect(one.respond(to: sent).status == .internalServerError)
    one.database.activity.interpose(nil)
    #expect(try one.count("collection") == 0 && one.count("collection_feature") == 0)
    #expect(one.respond(to: sent).status == .created)
    #expect(try one.count("collection") == 1)
  }

  @Test func `a job whose lease has ended is finished by the server that took it`() throws {
    func runner(_ app: TestApp, _ work: @escaping JobRunner.Work) -> JobRunner {
      JobRunner(
        database: app.database, environment: app.environment,
        logger: Logger(label: "test") { [log = app.log] _ in log }, works: ["slow": work])
    }
    try one.database.write { try JobRunner.schedule("slow", due: one.clock.now, $0) }
    let second = runner(two) { _ in throw HopelessJob(reason: "a test") }
    two.clock.advance(by: .seconds(601))
    let first = runner(one) { _ in _ = try second.runOne() }
    #expect(try first.runOne())
    #expect(try one.text("SELECT last_error FROM job WHERE kind = 'slow'") == "a test")
  }
}
