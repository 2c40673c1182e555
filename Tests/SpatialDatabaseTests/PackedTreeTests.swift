import Foundation
import SpatialDatabase
import Testing

/// A bulk-loaded R-tree gives the same results as one built by insertions.
@Suite struct PackedTreeTests {
  private let test: TestDatabase

  init() throws {
    test = try TestDatabase([
      TestDatabase.placeSchema,
      "CREATE VIRTUAL TABLE other_box USING rtree(rowid, west, east, south, north, low, high);",
    ])
  }

  private func points(_ count: Int) -> [PackedTree.Point] {
    // Distributed by steps that share no factor with the total, and not representable as floats.
    return (0..<count).map { number in
      let row = number * 7 % count + 1
      let x = Double(number * 37 % 3_601) / 10.01 - 180
      let y = Double(number / 10 % 1_801) / 10.01 - 90
      return PackedTree.Point(rowid: Int64(row * 3), x: x, y: y, z: Float(number % 12))
    }
  }

  private func pack(_ points: [PackedTree.Point]) throws {
    try test.database.write { try PackedTree.fill("place_box", with: points, $0) }
  }

  private func check() throws -> String? {
    try test.database.write { try $0.text("SELECT rtreecheck('place_box')") }
  }

  @Test(arguments: [0, 1, 2, 50, 51, 52, 53, 1_640, 1_641, 2_041, 5_000])
  func `SQLite finds no fault, and every box equals the inserted one`(
    count: Int
  ) throws {
    let points = points(count)
    try pack(points)
    #expect(try check() == "ok")
    try test.database.write { connection in
      for point in points {
        let (x, y, z) = (
          SQLValue.real(point.x), SQLValue.real(point.y), SQLValue.real(Double(point.z))
        )
        try connection.execute(
          "INSERT INTO other_box VALUES (?, ?, ?, ?, ?, ?, ?)",
          [.integer(point.rowid), x, x, y, y, z, z])
      }
    }
    let differing = try test.database.read { connection in
      try connection.integer(
        """
        SELECT count(*) FROM (
          SELECT * FROM (SELECT * FROM place_box EXCEPT SELECT * FROM other_box)
          UNION ALL SELECT * FROM (SELECT * FROM other_box EXCEPT SELECT * FROM place_box))
        """)
    }
    #expect(differing == 0)
    #expect(
      try test.database.read { try $0.integer("SELECT count(*) FROM place_box") } == Int64(count))
  }

  @Test func `box queries give the same rows as a tree of insertions`() throws {
    let points = points(5_000)
    try pack(points)
    for (west, south, low) in [(-180.0, -90.0, 0.0), (-20.5, 10.25, 3), (100, -50, 11)] {
      let found = try test.database.read { connection in
        try connection.rows(
          """
          SELECT rowid FROM place_box WHERE west >= ? AND east <= ? AND south >= ? AND north <= ?
            AND kind_low >= ? ORDER BY rowid
          """,
          [.real(west), .real(west + 40), .real(south), .real(south + 30), .real(low)]
        ) { $0.int(0) }
      }
      let wanted = points.filter { point in
        (west...west + 40).contains(point.x) && (south...south + 30).contains(point.y)
          && Double(point.z) >= low
      }
      #expect(found == wanted.map(\.rowid).sorted())
    }
  }

  @Test func `later inserts and deletes keep the tree sound`() throws {
    try pack(points(3_000))
    try test.database.write { connection in
      for number in 0..<1_000 {
        let place = SQLValue.real(Double(number) / 100)
        try connection.execute(
          "INSERT INTO place_box VALUES (?, ?, ?, ?, ?, 1, 1)",
          [.integer(Int64(100_000 + number)), place, place, place, place])
      }
      try connection.execute("DELETE FROM place_box WHERE rowid % 2 = 0")
    }
    #expect(try check() == "ok")
    try test.database.write { try $0.execute("DELETE FROM place_box") }
    #expect(try check() == "ok")
    try pack(points(60))
    #expect(try check() == "ok")
  }

  @Test func `its internal tables are protected again afterwards`() throws {
    try pack(points(3))
    let fault = fault {
      try test.database.write { try $0.execute("DELETE FROM place_box_node WHERE nodeno = 9") }
    }
    #expect(fault?.kind == .statement)
  }
}
