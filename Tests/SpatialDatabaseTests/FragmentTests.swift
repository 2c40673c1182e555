import SpatialDatabase
import Testing

@Suite struct BoxSearchTests {
  let test: TestDatabase

  init() throws {
    test = try TestDatabase()
    // Neither number is exact as a 32-bit float: the nearest to 0.1 is larger, to 38.6 smaller.
    try test.addPlace("here", longitude: 0.1, latitude: 38.6)
    try test.addPlace("elsewhere", longitude: -9, latitude: -38)
  }

  private func found(_ west: Double, _ south: Double, _ east: Double, _ north: Double) throws
    -> [String]
  {
    try test.names([.real(west), .real(south), .real(east), .real(north)]) { $0.within("place") }
  }

  @Test func `a point on any edge is in the box`() throws {
    #expect(try found(0.1, 38.6, 0.1, 38.6) == ["here"])
    #expect(try found(0.1, 38, 1, 39) == ["here"])
    #expect(try found(0, 38.6, 1, 39) == ["here"])
    #expect(try found(0, 38, 0.1, 39) == ["here"])
    #expect(try found(0, 38, 1, 38.6) == ["here"])
  }

  @Test func `a point one step outside any edge is not in the box`() throws {
    #expect(try found((0.1).nextUp, 38, 1, 39) == [])
    #expect(try found(0, (38.6).nextUp, 1, 39) == [])
    #expect(try found(0, 38, (0.1).nextDown, 39) == [])
    #expect(try found(0, 38, 1, (38.6).nextDown) == [])
  }

  @Test func `a point on the rounded edge of the R-tree only is not in the box`() throws {
    #expect(try found(Double(Float(0.1)), 38, 1, 39) == [])
    #expect(try found(0, 38, 1, Double(Float(38.6))) == [])
  }

  @Test func `the box of the world contains every point`() throws {
    #expect(try found(-180, -90, 180, 90) == ["elsewhere", "here"])
  }

  @Test func `a box with swapped edges contains nothing`() throws {
    #expect(try found(1, 38, 0, 39) == [])
  }

  @Test func `the query uses the R-tree and then the row id`() throws {
    let plan = try test.database.read { connection in
      try connection.explain(
        "SELECT name FROM place WHERE \(connection.within("place"))", [0, 0, 1, 1])
    }
    #expect(plan.contains { $0.contains("SCAN tree VIRTUAL TABLE INDEX 2:") })
    #expect(plan.contains { $0.contains("SEARCH found USING INTEGER PRIMARY KEY") })
    #expect(plan.contains { $0.contains("SEARCH place USING INTEGER PRIMARY KEY") })
  }

  @Test(arguments: [
    (3, 3, ["here"]), (4, 4, ["beacon"]), (3, 4, ["beacon", "here"]), (2, 2, []), (5, 5, []),
  ])
  func `a third axis restricts the box`(low: Int, high: Int, names: [String]) throws {
    try test.addPlace("beacon", kind: "beacon", longitude: 0.2, latitude: 38.5)
    let found = try test.names([0, 38, 1, 39, SQLValue(low), SQLValue(high)]) {
      $0.within("place", alongWith: "kind")
    }
    #expect(found == names)
  }
}

@Suite struct TextSearchTests {
  let test: TestDatabase

  init() throws {
    test = try TestDatabase()
    for name in ["City Hall camera", "Rua São João", "AND OR NOT", "日本 カメラ"] {
      try test.addPlace(name)
    }
  }

  private func found(_ typed: String) throws -> [String]? {
    guard let text = try test.database.read({ $0.searchText(typed) }) else { return nil }
    return try test.names([.text(text)]) { $0.matches("place") }
  }

  @Test func `every word must occur`() throws {
    #expect(try found("camera hall") == ["City Hall camera"])
    #expect(try found("camera wall") == [])
  }

  @Test func `only the last word may be a prefix`() throws {
    #expect(try found("hall cam") == ["City Hall camera"])
    #expect(try found("cam hall") == [])
  }

  @Test func `diacritics and case do not matter`() throws {
    #expect(try found("sao JOAO") == ["Rua São João"])
  }

  @Test(arguments: [
    "\"", "hall\" OR \"rua", "name:hall", "hall*", "NEAR(a b)", "-hall", "^city", "a\0b", "(((",
  ])
  func `typed text never acts as an operator`(typed: String) throws {
    _ = try found(typed)
    #expect(try found("hall NOT city") == [])
  }

  @Test func `keywords of the query language are ordinary words`() throws {
    #expect(try found("or not and") == ["AND OR NOT"])
  }

  @Test(arguments: ["", " ", "\"*()", "…"])
  func `without a word there is no search query`(typed: String) throws {
    #expect(try found(typed) == nil)
  }

  @Test func `words of other scripts are found too`() throws {
    #expect(try found("カメ") == ["日本 カメラ"])
  }
}

@Suite struct ListSearchTests {
  @Test func `one matching text is enough`() throws {
    let test = try TestDatabase()
    try test.addPlace("both", tags: #"["image", "sound"]"#)
    try test.addPlace("image", tags: #"["image"]"#)
    try test.addPlace("none")
    func found(_ texts: [SQLValue]) throws -> [String] {
      try test.names(texts) { $0.jsonContainsAny("place.tags", count: texts.count) }
    }
    #expect(try found(["sound"]) == ["both"])
    #expect(try found(["sound", "image"]) == ["both", "image"])
    #expect(try found(["imag"]) == [])
    #expect(try found([]) == [])
  }
}

@Suite struct NearnessTests {
  let test: TestDatabase

  init() throws { test = try TestDatabase() }

  private func nearest(_ longitude: Double, _ latitude: Double) throws -> [(String, Double)] {
    try test.database.read { connection in
      let nearness = connection.nearness("place")
      return try connection.rows(
        "SELECT name, \(nearness) FROM place ORDER BY 2",
        connection.nearnessArguments(longitude: longitude, latitude: latitude)
      ) { ($0.text(0), connection.metres(nearness: $0.double(1))) }
    }
  }

  @Test func `the nearest comes first at a high latitude`() throws {
    // At 60° a degree of longitude is half as long as one of latitude.
    try test.addPlace("east", longitude: 1.5, latitude: 60)
    try test.addPlace("north", longitude: 0, latitude: 61)
    #expect(try nearest(0, 60).map(\.0) == ["east", "north"])
  }

  @Test func `the nearest may be across the antimeridian`() throws {
    try test.addPlace("across", longitude: -179.9, latitude: 0)
    try test.addPlace("this side", longitude: 179, latitude: 0)
    #expect(try nearest(179.9, 0).map(\.0) == ["across", "this side"])
  }

  @Test func `a degree on the equator is 111.2 km`() throws {
    try test.addPlace("one", longitude: 1, latitude: 0)
    let metres = try #require(try nearest(0, 0).first?.1)
    #expect(abs(metres - 111_195.08) < 0.01)
  }

  @Test func `a short distance is exact to the metre`() throws {
    try test.addPlace("one", longitude: 100, latitude: 45.000009)
    let metres = try #require(try nearest(100, 45).first?.1)
    #expect(abs(metres - 1.0008) < 0.0001)
  }
}
