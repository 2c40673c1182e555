@testable import App
@testable import Devices
import Foundation
@testable import Lists
@testable import Operations
import PrivacyMap
import SpatialDatabase
import Synchronization
import Testing

/// The index in memory agrees with the database after every operation.
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

  @Test func `random changes, imports and undoing keep the index equal`() throws {
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
        if let run = imports.popLast() { _ = try ImportUndo(map: app.app.map).undo(run) }
      }
      if round % 10 == 9 { try expectSame() }
    }
    try expectSame()
    #expect(try IndexCheck(database: app.database).findings().isEmpty)
  }

  @Test(arguments: [1, 2, 3, 7])
  func `loading in parts gives the same index`(parts: Int) throws {
    let devices = try RandomWorld(app, count: 50).entries.map(\.stored)
    try app.hide(devices[20])
    try app.app.write { connection in try app.writer.remove(devices[0].rowid, connection) }
    let index = MapIndex(vocabulary: app.vocabulary)
    try index.load(from: app.database, parts: parts)
    #expect(index.snapshot.count == 48)
    #expect(points(index) == points(app.app.index))
    #expect(index.sequence == app.app.index.sequence)
  }

  @Test func `writes during a load in parts are included`() throws {
    _ = try RandomWorld(app, count: 400)
    let isDone = Atomic(false)
    let writing = Thread {
      while !isDone.load(ordering: .relaxed) { _ = try? app.device() }
    }
    writing.start()
    defer { isDone.store(true, ordering: .relaxed) }
    for _ in 0..<20 {
      let index = MapIndex(vocabulary: app.vocabulary)
      try index.load(from: app.database, parts: 2)
      let (sequence, count) = try app.database.read { connection in
        let sequence = SQLValue.integer(index.sequence)
        return (
          try connection.integer("SELECT max(sequence) FROM change") ?? 0,
          try connection.integer(
            "SELECT count(*) FROM change WHERE sequence <= ?", [sequence]) ?? 0
        )
      }
      // Each change adds one device, so the index has as many devices as its change number.
      #expect(index.snapshot.count == Int(count))
      #expect(index.sequence <= sequence)
    }
  }

  @Test func `its ranges of rows are complete and do not overlap`() {
    for (first, last) in [(1, 1_000), (5, 6), (-3, 3), (7, 7), (Int64.min, Int64.max)] {
      for wanted in 1...5 {
        let parts = RowExtent(count: 1_000, rows: first...last).parts(wanted).map(\.rows)
        #expect(parts.first?.lowerBound == .min)
        #expect(parts.last?.upperBound == .max)
        for (one, next) in zip(parts, parts.dropFirst()) {
          #expect(one.upperBound + 1 == next.lowerBound)
        }
      }
    }
  }

  @Test func `a failed write leaves the index unchanged`() throws {
    let device = try app.device()
    let sequence = app.app.index.sequence
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try app.app.write { connection in
        _ = try app.writer.dismiss(
          device.rowid, as: .withdrawn, by: DeviceWriter.Author(kind: .undo), connection)
        throw Stop()
      }
    }
    #expect(app.app.index.sequence == sequence)
    #expect(try app.get(Path.items).ids == [device.id])
    try expectSame()
  }

  @Test func `changes read within a transaction are not applied twice`() throws {
    let index = app.app.index
    let news = try #require(
      try app.database.write { connection in
        _ = try app.writer.add(
          DeviceFields(name: "One", category: "webcam"),
          at: DeviceWriter.Placement(
            place: .clamped(longitude: 1, latitude: 1), precision: .exact), source: nil,
          by: DeviceWriter.Author(kind: .add), connection)
        return try index.news(connection)
      })
    #expect(index.snapshot.count == 0)
    let other = try app.device()  // takes in both
    try app.app.write { try app.writer.remove(other.rowid, $0) }
    index.take(news)
    #expect(index.snapshot.count == 1)
    try expectSame()
  }

  @Test func `a snapshot does not change while it is read`() throws {
    try app.device()
    let before = app.app.index.snapshot
    try app.device()
    #expect(before.count == 1)
    #expect(app.app.index.snapshot.count == 2)
  }

  @Test func `changes during merges on another thread are in the index`() throws {
    let devices = try RandomWorld(app, count: 40).entries.map(\.stored)
    let index = MapIndex(vocabulary: app.vocabulary, mergeFloor: 4)
    try index.load(from: app.database)
    for round in 0..<150 {
      try app.edit(devices[round % 40]) { $0.columns.append(("category", "webcam")) }
      if round % 3 == 0 { try app.device() }
      // A load replaces the index during a merge.
      if round % 50 == 49 { try index.load(from: app.database) }
      try index.catchUp(with: app.database)
    }
    #expect(index.sequence == app.app.index.sequence)
    #expect(points(index) == points(app.app.index))
    let deadline = ContinuousClock.now + .seconds(30)
    while index.snapshot.isOutgrown, .now < deadline { Thread.sleep(forTimeInterval: 0.01) }
    #expect(!index.snapshot.isOutgrown)
    #expect(index.sequence == app.app.index.sequence)
    #expect(points(index) == points(app.app.index))
  }
}
