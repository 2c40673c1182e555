import PrivacyMap
import Testing

/// The area of countries, compared with the figures of their statistical offices.
@Suite struct CountryAreaTests {
  @Test(arguments: [
    // With the Azores and Madeira (INE, Anuário Estatístico de Portugal 2022).
    ("PT", 92_225.0, 0.01),
    // Without any coast (STATEC, 2022).
    ("LU", 2_586.0, 0.01),
  ])
  func `the land area of a country agrees with its official figure`(
    code: String, expected: Double, tolerance: Double
  ) throws {
    let map = try CountryMapTests.map.get()
    let size = try #require(map.landArea(of: code))
    #expect(abs(size / expected - 1) <= tolerance, "\(size)")
  }

  @Test func `an unknown country code has no area`() throws {
    #expect(try CountryMapTests.map.get().landArea(of: "XX") == nil)
  }

  @Test func `the area agrees with point look-ups`() throws {
    let map = try CountryMapTests.map.get()
    // A box around Luxembourg, which has no coast: look-ups and land are the same there.
    var found = 0
    let side = 120
    for x in 0..<side {
      for y in 0..<side {
        let point = try Coordinate(
          longitude: 5.7 + (Double(x) + 0.5) / Double(side) * 0.9,
          latitude: 49.4 + (Double(y) + 0.5) / Double(side) * 0.85)
        if map.country(at: point).country == "LU" { found += 1 }
      }
    }
    let box = FixedBox.degrees(west: 5.7, south: 49.4, east: 6.6, north: 50.25)
    let expected = box.squareKilometres * Double(found) / Double(side * side)
    let size = try #require(map.landArea(of: "LU"))
    #expect(abs(size / expected - 1) < 0.02, "\(size), \(expected)")
  }
}
