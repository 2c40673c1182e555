import PrivacyMap
import Testing

@Suite struct CoordinateTests {
  @Test(
    arguments: [
      ("-9.14,38.71", -9.14, 38.71), ("180,90", 180, 90), ("-180,-90", -180, -90), ("0,0", 0, 0),
      ("+1.5,-.5", 1.5, -0.5), ("1e1,2E-1", 10, 0.2),
    ] as [(String, Double, Double)])
  func `two plain numbers are a coordinate, longitude first`(
    text: String, longitude: Double, latitude: Double
  ) throws {
    let place = try Coordinate(text: text)
    #expect(place.longitude == longitude && place.latitude == latitude)
  }

  @Test(arguments: [
    "", "1", "1,2,3", "a,b", "nan,1", "inf,1", "0x1,1", "1, 2", " 1,2", "1,", ",1", "1e400,1",
    "١,٢", "1_0,2", "1.2.3,4", "--1,2", String(repeating: "1", count: 41) + ",1",
  ])
  func `anything else is not a coordinate`(text: String) {
    #expect(throws: InvalidLocation.self) { try Coordinate(text: text) }
  }

  @Test func `one step past each edge is out of range, and the error names the number`() {
    #expect(throws: InvalidLocation.longitude("180.0000001")) {
      try Coordinate(text: "180.0000001,0")
    }
    #expect(throws: InvalidLocation.longitude("-180.0000001")) {
      try Coordinate(text: "-180.0000001,0")
    }
    #expect(throws: InvalidLocation.latitude("90.0000001")) { try Coordinate(text: "0,90.0000001") }
    #expect(throws: InvalidLocation.latitude("-90.0000001")) {
      try Coordinate(text: "0,-90.0000001")
    }
    #expect(throws: InvalidLocation.longitude("nan")) {
      try Coordinate(longitude: .nan, latitude: 0)
    }
    #expect(throws: InvalidLocation.latitude("inf")) {
      try Coordinate(longitude: 0, latitude: .infinity)
    }
  }

  @Test func `clamping gives the nearest valid coordinate and never fails`() {
    let place = Coordinate.clamped(longitude: 999, latitude: -.infinity)
    #expect(place.longitude == 180 && place.latitude == -90)
    let nowhere = Coordinate.clamped(longitude: .nan, latitude: .nan)
    #expect(nowhere.longitude == 0 && nowhere.latitude == 0)
  }

  @Test func `distances are those of a sphere, across the antimeridian too`() throws {
    let lisbon = try Coordinate(longitude: -9.1393, latitude: 38.7223)
    let porto = try Coordinate(longitude: -8.6291, latitude: 41.1579)
    #expect(abs(lisbon.distance(to: porto) - 274_000) < 2_000)
    #expect(lisbon.distance(to: lisbon) == 0)
    #expect(lisbon.distance(to: porto) == porto.distance(to: lisbon))
    let west = try Coordinate(longitude: 179.9, latitude: 0)
    let east = try Coordinate(longitude: -179.9, latitude: 0)
    #expect(abs(west.distance(to: east) - 22_239) < 1)
    let north = try Coordinate(longitude: 0, latitude: 90)
    let south = try Coordinate(longitude: 77, latitude: -90)
    #expect(abs(north.distance(to: south) - .pi * Earth.meanRadius) < 0.001)
  }
}
