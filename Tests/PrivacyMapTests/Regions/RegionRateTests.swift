import Foundation
import Testing

@testable import PrivacyMap

/// The rate of counts inside a border, against those in its box. Only with `FAROL_MEASURE_REGIONS`.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["FAROL_MEASURE_REGIONS"] != nil))
struct RegionRateTests {
  private static let corners = 500
  private static let devices = 1_000_000

  @Test func `a border of 500 corners is counted at no less than half the rate of its box`() throws
  {
    var generator = SeededGenerator(seed: 1)
    var random = RandomWorld(seed: 1, count: 0)
    var builder = PointIndex.Builder(expectedCount: Self.devices)
    for rowid in 0..<UInt32(Self.devices) {
      var point = random.makePoint(rowid: rowid)
      point.position = FixedPosition(
        longitude: Int32.random(in: 60_000_000...120_000_000, using: &generator),
        latitude: Int32.random(in: 440_000_000...500_000_000, using: &generator))
      builder.append(point)
    }
    let index = builder.finish(sequence: 1)
    let ring = (0..<Self.corners).map { corner in
      let angle = Double(corner) / Double(Self.corners) * 2 * .pi
      let reach = Double.random(in: 13_000_000...15_000_000, using: &generator)
      return FixedPosition(
        longitude: 90_000_000 + Int32(reach * cos(angle)),
        latitude: 470_000_000 + Int32(reach * sin(angle)))
    }
    let region = try #require(Region(RegionShape(polygons: [[ring]])))
    let box = PointFilter(boxes: [region.bounds], statuses: [0, 1, 2])
    let inside = PointFilter(statuses: [0, 1, 2]).narrowed(to: region)
    let clock = ContinuousClock()
    let first = clock.measure { _ = index.profileCounts(matching: inside) }
    var times = (box: Duration.seconds(9), inside: Duration.seconds(9))
    for _ in 0..<40 {
      times.box = min(times.box, clock.measure { _ = index.count(matching: box) })
      times.inside = min(times.inside, clock.measure { _ = index.count(matching: inside) })
    }
    let counts = (index.count(matching: box), index.count(matching: inside))
    print(
      "box: \(counts.0) in \(times.box); border: \(counts.1) in \(times.inside); first: \(first); "
        + "memory: \(region.memoryFootprint) bytes")
    #expect(times.inside <= times.box * 2)
  }
}
