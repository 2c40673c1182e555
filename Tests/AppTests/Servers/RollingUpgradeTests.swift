import Foundation
import JSON
import SpatialDatabase
import Testing
import WebServer

/// A server of this version, while a server of a later one changes the database.
@Suite(.serialized) final class RollingUpgradeTests {
  private let app: TestApp
  private let folder: URL

  init() throws {
    app = try TestApp(onPostgreSQLBeside: nil)
    folder = try TestFolder.make()
    try FileManager.default.copyItem(
      at: Repository.root.appendingPathComponent("migrations"),
      to: folder.appendingPathComponent("migrations"))
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Applies one more migration than this version has, as the first upgraded server does.
  private func migrate(_ sql: String, preparing prepare: () throws -> Void = {}) throws {
    let migrations = folder.appendingPathComponent("migrations")
    let last = try FileManager.default.contentsOfDirectory(
      atPath: migrations.appendingPathComponent("postgresql").path
    ).compactMap { Int($0.prefix(4)) }.max()
    let number = ("000" + String((last ?? 0) + 1)).suffix(4)
    try Data(sql.utf8).write(
      to: migrations.appendingPathComponent("postgresql/\(number)_later.sql"))
    let file = app.folder.appendingPathComponent("farol.db")
    let newer = try TestEngine.open(file.path, Database.Configuration())
    #expect(
      try newer.migrate(directory: migrations.path, preparing: prepare) == ["\(number)_later"])
    #expect(try newer.migrate(directory: migrations.path, preparing: prepare) == [])
    try newer.close()
  }

  private func ready() -> Status { app.get("/readyz").status }

  @Test func `it serves and writes on after a migration that adds something`() throws {
    let ana = try app.account("ana")
    try app.device(name: "Before")
    #expect(app.get("/api/account", as: ana.identity).status == .ok)
    try migrate(
      """
      ALTER TABLE device ADD COLUMN later text NOT NULL DEFAULT '';
      ALTER TABLE account ADD COLUMN later bigint;
      CREATE TABLE later (device_rowid bigint REFERENCES device (rowid));
      """)
    #expect(ready() == .ok)
    try app.device(name: "After", longitude: 1)
    let list = app.get("/api/collections/devices/items")
    #expect(try list.json["numberMatched"]?.intValue == 2)
    #expect(app.get("/api/account", as: ana.identity).status == .ok)
    #expect(app.log.lines == [])
  }

  @Test func `it serves reads and refuses writes after a migration that ends its version`() throws {
    try app.device(name: "Before")
    try migrate("-- Stops earlier versions.\nALTER TABLE device ADD COLUMN later text;")
    #expect(ready() == .serviceUnavailable)
    #expect(fault { try app.device(name: "After", longitude: 1) }?.kind == .newerSchema)
    #expect(app.get("/api/collections/devices/items").status == .ok)
    #expect(app.get("/healthz").status == .ok)
    #expect(try app.integer("SELECT count(*) FROM device") == 1)
  }

  @Test func `a newer server prepares itself once, while it has not ended this version`() throws {
    var prepared = 0
    try migrate("-- Stops earlier versions.\nALTER TABLE device ADD COLUMN later text;") {
      prepared += 1
      try app.device(name: "Meanwhile")
    }
    #expect(prepared == 1)
    #expect(try app.integer("SELECT count(*) FROM device") == 1)
    #expect(ready() == .serviceUnavailable)
  }

  /// The fault that `body` throws.
  private func fault(_ body: () throws -> Void) -> DatabaseFault? {
    do { try body() } catch { return error as? DatabaseFault }
    return nil
  }
}
