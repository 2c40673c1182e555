@testable import App
import Devices
import Foundation
import JSON
import PrivacyMap
import Reading
@testable import Service
import Testing
@testable import Watching
import WebServer

/// The areas of watches.
@Suite struct WatchAreaTests {
  let app: TestApp
  let ana: TestAccount

  init() throws {
    app = try TestApp()
    ana = try app.account("ana")
  }

  private func point(_ longitude: Double, _ latitude: Double) -> Coordinate {
    .clamped(longitude: longitude, latitude: latitude)
  }

  private func polygon(_ ring: [[Double]]) -> JSONValue {
    ["type": "polygon", "coordinates": [.array(ring.map { .array($0.map { .double($0) }) })]]
  }

  private func add(_ area: JSONValue) -> TestAnswer {
    app.post(TestApp.watches, TestApp.watch(["area": area]), as: ana.identity)
  }

  private func fault(_ area: JSONValue) throws -> String? {
    try add(area).json["errors"]?[0]?["detail"]?.stringValue
  }

  /// A ring around a point with this number of corners.
  private func ring(_ corners: Int) -> [[Double]] {
    let found = (0..<corners).map { place -> [Double] in
      let angle = 2 * Double.pi * Double(place) / Double(corners)
      return [6 + cos(angle), 46 + sin(angle)]
    }
    return found + found.prefix(1)
  }

  @Test func `a polygon has its corners up to the limit`() throws {
    #expect(add(polygon(ring(200))).status == .created)
    #expect(add(polygon(ring(201))).status == .unprocessableContent)
    #expect(try fault(polygon(ring(1_000)))?.contains("1000 corners; at most 200") == true)
    // No area has a body of this size.
    #expect(add(polygon(ring(10_000))).status == .contentTooLarge)
  }

  @Test func `a polygon that cannot be watched is refused with the reason`() throws {
    let square = [[6.0, 46], [7, 46], [7, 47], [6, 47], [6, 46]]
    #expect(add(polygon(square)).status == .created)
    let holes: JSONValue = [
      "type": "polygon",
      "coordinates": [[[6, 46], [7, 46], [7, 47], [6, 46]], [[6.1, 46.1]]],
    ]
    for (area, words) in [
      (holes, "hole"),
      (polygon([[6, 46], [7, 47], [7, 46], [6, 47], [6, 46]]), "crosses"),
      (polygon([[6, 46], [7, 46], [6.5, 46], [6, 47], [6, 46]]), "twice"),
      (polygon([[6, 46], [7, 46], [6, 46], [6, 47], [6, 46]]), "twice"),
      (polygon([[179, 1], [-179, 1], [-179, 2], [179, 1]]), "antimeridian"),
      (polygon([[0, 80], [90, 80], [0, 90], [0, 80]]), "pole"),
      // Around a pole, a side is shorter across the antimeridian.
      (polygon([[-120, 80], [0, 80], [120, 80], [-120, 80]]), "antimeridian"),
      (polygon([[6, 46], [7, 46], [7, 47]]), "repeats the first"),
      (polygon([[6, 46], [7, 46], [6, 46]]), "three corners"),
      (polygon([[6, 46], [7, 96], [7, 47], [6, 46]]), "96"),
    ] {
      let reported = try fault(area) ?? ""
      #expect(reported.contains(words), "\(words): \(reported)")
    }
  }

  @Test func `a ring that touches itself at a corner crosses itself`() {
    let corners = [(0.0, 0.0), (4, 0), (4, 4), (2, 0), (0, 4)].map { point($0.0, $0.1) }
    #expect(throws: Ring.Fault.crossesItself) { try Ring.check(corners) }
    let apart = [(0.0, 0.0), (4, 0), (4, 4), (2, 0.1), (0, 4)].map { point($0.0, $0.1) }
    #expect(throws: Never.self) { try Ring.check(apart) }
  }

  @Test func `a polygon contains what is inside its edges, also in a bay`() {
    let area = WatchArea.polygon(
      [(0.0, 0.0), (4, 0), (4, 4), (2, 1), (0, 4)].map { point($0.0, $0.1) })
    #expect(area.contains(point(1, 1)))
    #expect(area.contains(point(3, 2)))
    #expect(!area.contains(point(2, 2)))
    #expect(!area.contains(point(-0.001, 1)))
    #expect(!area.contains(point(4.001, 1)))
  }

  @Test func `a circle contains points up to its radius, across the antimeridian and at a pole`() {
    let circle = WatchArea.circle(centre: point(179.99, 0), radius: 5_000)
    #expect(circle.contains(point(-179.98, 0)))
    #expect(!circle.contains(point(-179.96, 0)))
    let pole = WatchArea.circle(centre: point(0, 89.99), radius: 10_000)
    #expect(pole.contains(point(180, 89.95)))
    #expect(pole.bounds?.contains { $0.contains(point(180, 89.95)) } == true)
  }

  @Test func `the boxes of a circle contain every point of it`() throws {
    var numbers = SeededNumbers(seed: 3)
    for _ in 0..<2_000 {
      let centre = point(
        .random(in: -180...180, using: &numbers), .random(in: -90...90, using: &numbers))
      let circle = WatchArea.circle(
        centre: centre, radius: .random(in: 50...1_000_000, using: &numbers))
      let bounds = try #require(circle.bounds)
      for _ in 0..<20 {
        let near = point(
          centre.longitude + .random(in: -20...20, using: &numbers),
          centre.latitude + .random(in: -9...9, using: &numbers))
        guard circle.contains(near) else { continue }
        #expect(bounds.contains { $0.contains(near) }, "\(circle) \(near)")
      }
    }
  }

  @Test func `a change in a box has one of the keys of the box`() throws {
    var numbers = SeededNumbers(seed: 5)
    var boxes: [BoundingBox] = [.world]
    for _ in 0..<500 {
      let width = pow(10, Double.random(in: -5...2, using: &numbers))
      let west = Double.random(in: -180...180, using: &numbers)
      let south = Double.random(in: -90...90, using: &numbers)
      boxes.append(
        try BoundingBox(
          west: west, south: south, east: min(180, west + width), north: min(90, south + width)))
    }
    let keys = boxes.map { Set(ChangeKey.keys(of: .box($0))) }
    #expect(keys.allSatisfy { (1...16).contains($0.count) })
    for box in boxes {
      for place in [point(box.west, box.south), point(box.east, box.north)] {
        let cells = ChangeKey.cells(around: place)
        for (number, other) in boxes.enumerated() where other.contains(place) {
          #expect(!keys[number].isDisjoint(with: cells), "\(other) \(place)")
        }
      }
    }
  }

  @Test func `the index forgets the keys of a watch that ends, but not those of another`() {
    var index = WatchIndex()
    let entry = WatchIndex.Entry(
      rowid: 2, since: 0,
      watch: Matching.Watch(
        area: .country("PT"), regions: [], events: [.added], properties: [],
        number: index.number(of: "{}"),
        filter: LiveFilter(DeviceFilter(), vocabulary: Vocabulary(categories: [], terms: [:]))),
      mailsAtOnce: true, host: nil)
    index.put(1, keys: [7, 8], nil)
    index.put(2, keys: [8, 9], entry)
    #expect(index.watched([6, 7, 8, 9]) == [7, 8, 9])
    #expect(index.candidates([7, 8]).map(\.rowid) == [2])
    index.remove(1)
    #expect(index.watched([7, 8, 9]) == [8, 9])
    index.put(2, keys: [9], nil)
    #expect(index.watched([7, 8, 9]) == [9])
    #expect(index.candidates([9]).isEmpty)
    index.remove(2)
    #expect(index.count == 0 && index.watched([7, 8, 9]) == [])
  }
}
