import Testing

@testable import PrivacyMap

@Suite struct BoxAreaTests {
  @Test func `the box of the world has the area of the Earth`() {
    #expect(abs(FixedBox.world.squareKilometres - 510_065_622) < 1_000)
  }

  @Test func `a degree at the equator has a larger area than one at 60°`() {
    let equator = FixedBox.degrees(west: 0, south: 0, east: 1, north: 1).squareKilometres
    let north = FixedBox.degrees(west: 0, south: 60, east: 1, north: 61).squareKilometres
    // 111.195 km by 111.195 km, slightly less towards the top.
    #expect(abs(equator - 12_364) < 5)
    #expect(abs(north / equator - 0.4924) < 0.001)
  }

  @Test func `halves add up to the whole, and an empty box has no area`() throws {
    let box = FixedBox.degrees(west: 10, south: 40, east: 14, north: 44)
    let west = FixedBox.degrees(west: 10, south: 40, east: 12, north: 44)
    #expect(abs(west.squareKilometres * 2 - box.squareKilometres) < 0.001)
    #expect(FixedBox.nothing.squareKilometres == 0)
    #expect(FixedBox.degrees(west: 190, south: 0, east: 200, north: 1).squareKilometres == 0)
  }
}
