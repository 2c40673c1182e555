@testable import App
@testable import Devices
import Import
@testable import Lists
@testable import Operations
import PrivacyMap
import SpatialDatabase
import Testing

@Suite struct ImportUndoTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  private static let list = "id,name,lon,lat,model\n1,One,7.4,46.9,M1\n2,Two,7.5,46.8,\n"

  @discardableResult
  private func importList(_ csv: String = list) throws -> ImportRun.Report {
    try app.importCSV(csv, TestApp.mapping(fields: #", "model": "model""#))
  }

  private func undo(_ report: ImportRun.Report) throws -> ImportUndo.Report {
    try ImportUndo(map: app.app.map).undo(try #require(report.id))
  }

  @Test func `undoing removes the devices from the map and the index`() throws {
    let other = try app.device(name: "Another")
    let report = try importList()

    let undone = try undo(report)

    #expect(undone.withdrawn == 2 && undone.restored == 0 && undone.kept == 0)
    #expect(try app.get(Path.items).ids == [other.id])
    #expect(app.app.index.snapshot.count == 1)
    #expect(try app.text("SELECT state FROM import_run") == "undone")
    #expect(try app.text("SELECT undone_at FROM import_run") == "2026-11-21T12:00:00Z")
  }

  @Test func `importing again after undoing restores the same devices`() throws {
    let report = try importList()
    let ids = try app.get(Path.items).ids
    _ = try undo(report)

    let again = try importList()

    #expect(again.added + again.changed == 2)
    #expect(try app.get(Path.items).ids == ids)
    #expect(try app.integer("SELECT count(*) FROM device") == 2)
    #expect(try importList().unchanged == 2)
  }

  @Test func `devices that return count as added, also in a dry run`() throws {
    let report = try importList()
    _ = try undo(report)
    let dry = try app.importCSV(
      Self.list, TestApp.mapping(fields: #", "model": "model""#), dryRun: true)
    #expect(dry.added == 2 && dry.changed == 0 && dry.unchanged == 0)
    #expect(try app.get(Path.items).matched == 0)
    let again = try importList()
    #expect(again.added == 2 && again.changed == 0 && again.unchanged == 0)
  }

  @Test func `undoing an import that put devices back withdraws them`() throws {
    _ = try undo(importList())
    let undone = try undo(importList())
    #expect(undone.withdrawn == 2 && undone.restored == 0 && undone.kept == 0)
    #expect(try app.get(Path.items).matched == 0)
    #expect(try IndexCheck(database: app.database).findings().isEmpty)
  }

  @Test func `undoing restores the values that an import changed`() throws {
    try importList()
    let report = try importList("id,name,lon,lat,model\n1,Uno,8.0,46.0,M2\n2,Two,7.5,46.8,M9\n")
    #expect(report.changed == 2)
    app.clock.advance(by: .seconds(60))

    let undone = try undo(report)

    #expect(undone.restored == 2 && undone.withdrawn == 0)
    #expect(try app.get(Path.items, ["sortby": "name"]).names == ["One", "Two"])
    #expect(try app.text("SELECT model FROM device WHERE name = 'One'") == "M1")
    #expect(try app.text("SELECT model FROM device WHERE name = 'Two'") == nil)
    #expect(try app.get(Path.items, ["bbox": "7.4,46.9,7.4,46.9"]).matched == 1)
    let place = try app.database.readPrivate { connection in
      try connection.first(
        """
        SELECT device_location.longitude, device_location.latitude FROM device_location
        JOIN device ON device.rowid = device_rowid WHERE name = 'One'
        """
      ) { ($0.double(0), $0.double(1)) }
    }
    #expect(place?.0 == 7.4 && place?.1 == 46.9)
    #expect(try IndexCheck(database: app.database).findings().isEmpty)
  }

  @Test func `fields that a person has changed since are kept`() throws {
    try importList()
    let report = try importList("id,name,lon,lat,model\n1,Uno,7.4,46.9,M2\n2,Two,7.5,46.8,\n")
    let rowid = try #require(try app.integer("SELECT rowid FROM device WHERE name = 'Uno'"))
    let id = try #require(try app.text("SELECT id FROM device WHERE name = 'Uno'"))
    try app.edit(TestDevice(rowid: rowid, id: id)) { $0.columns.append(("name", "Ein Name")) }

    _ = try undo(report)

    #expect(
      try app.text("SELECT name FROM device WHERE rowid = ?", [.integer(rowid)]) == "Ein Name")
    #expect(try app.text("SELECT model FROM device WHERE rowid = ?", [.integer(rowid)]) == "M1")
  }

  @Test func `an added device that a person has edited stays on the map`() throws {
    let report = try importList()
    let rowid = try #require(try app.integer("SELECT rowid FROM device WHERE name = 'One'"))
    try app.edit(TestDevice(rowid: rowid, id: "")) { $0.columns.append(("model", "Better")) }

    let undone = try undo(report)

    #expect(undone.kept == 1 && undone.withdrawn == 1)
    #expect(try app.get(Path.items).names == ["One"])
  }

  @Test func `the public point is computed again from the true point`() throws {
    try importList()
    let report = try importList("id,name,lon,lat,model\n1,One,8.0,46.0,M1\n2,Two,7.5,46.8,\n")
    let rowid = try #require(try app.integer("SELECT rowid FROM device WHERE name = 'One'"))
    let coarse = Precision.kilometre.publicPoint(for: try Coordinate(longitude: 8, latitude: 46))
    try app.edit(TestDevice(rowid: rowid, id: "")) { edit in
      edit.columns += [
        ("precision", "1km"), ("longitude", .real(coarse.longitude)),
        ("latitude", .real(coarse.latitude)),
      ]
    }

    _ = try undo(report)

    let again = Precision.kilometre.publicPoint(
      for: try Coordinate(longitude: 7.4, latitude: 46.9))
    let point = try app.database.read { connection in
      try connection.first("SELECT longitude, latitude FROM device WHERE name = 'One'") {
        [$0.double(0), $0.double(1)]
      }
    }
    #expect(point == [again.longitude, again.latitude])
  }

  @Test func `undoing twice, or an unknown run, is refused with a sentence`() throws {
    let report = try importList()
    _ = try undo(report)
    #expect(throws: ImportNotUndoable.self) { try undo(report) }
    #expect(throws: ImportNotUndoable.self) { try ImportUndo(map: app.app.map).undo(999) }
    #expect(throws: ImportNotUndoable.self) { try ImportUndo(map: app.app.map).undo(-1) }
  }
}
