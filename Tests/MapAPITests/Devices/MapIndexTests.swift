import PrivacyMap
import SpatialDatabase
import Testing

@testable import MapAPI

/// The index in memory says what the database says, whatever happened to it.
@Suite struct MapIndexTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  private func points(_ index: MapIndex) -> Set<IndexedPoint> {
    var points: Set<IndexedPoint> = []
    index.snapshot.forEach { points.insert($0) }
    return points
  }

  private func expectSame(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let fresh = MapIndex(vocabulary: app.vocabulary)
    try fresh.load(from: app.database)
    #expect(points(app.app.index) == points(fresh), sourceLocation: sourceLocation)
    #expect(app.app.index.sequence == fresh.sequence, sourceLocation: sourceLocation)
    let count = try app.integer("SELECT count(*) FROM device WHERE hidden = 0") ?? 0
    #expect(app.app.index.snapshot.count == Int(count), sourceLocation: sourceLocation)
  }

  @Test func `random adding, editing, hiding, removing, importing and undoing`() throws {
    var numbers = SeededNumbers(seed: 3)
    var devices = try RandomWorld(app, count: 60).entries.map(\.stored)
    var imports: [Int64] = []
    for round in 0..<60 {
      let device = try #require(devices.randomElement(using: &numbers))
      switch Int.random(in: 0..<8, using: &numbers) {
      case 0:
        devices += try RandomWorld(app, count: 3, seed: UInt64(round) + 100).entries.map(\.stored)
      case 1: try app.edit(device) { $0.columns.append(("category", "webcam")) }
      case 2: try app.edit(device) { $0.columns.append(("stale_on", "2027-03-0\(1 + round % 9)")) }
      case 3: try app.hide(device)
      case 4: try app.withdraw(device)
      case 5:
        try app.app.write { connection in try app.writer.remove(device.rowid, connection) }
        devices.removeAll { $0.rowid == device.rowid }
      case 6:
        let rows = (0..<5).map { "\($0),Device \(round),\(Double(round)),\(Double($0))\n" }
        imports.append(try #require(try app.importCSV("id,name,lon,lat\n" + rows.joined()).id))
      default:
        if let run = imports.popLast() { _ = try ImportUndo(app: app.app).undo(run) }
      }
      if round % 10 == 9 { try expectSame() }
    }
    try expectSame()
    #expect(try IndexCheck(database: app.database).findings().isEmpty)
  }

  @Test func `a write that fails leaves the index as it was`() throws {
    let device = try app.device()
    let sequence = app.app.index.sequence
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try app.app.write { connection in
        try app.writer.withdraw(device.rowid, by: DeviceWriter.Author(kind: "undo"), connection)
        throw Stop()
      }
    }
    #expect(app.app.index.sequence == sequence)
    #expect(try app.get(Path.items).ids == [device.id])
    try expectSame()
  }

  @Test func `a snapshot does not change under its reader`() throws {
    try app.device()
    let before = app.app.index.snapshot
    try app.device()
    #expect(before.count == 1)
    #expect(app.app.index.snapshot.count == 2)
  }
}
