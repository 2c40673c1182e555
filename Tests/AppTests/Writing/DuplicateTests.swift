import Foundation
import JSON
import Locking
import PrivacyMap
import SpatialDatabase
import Testing
import WebServer

/// A device that may already be on the map is not added twice by accident.
@Suite struct DuplicateTests {
  let app: TestApp
  let ana: TestAccount
  /// Degrees of latitude in a metre, on the sphere that distances are measured on.
  private let metre = 1 / (6_371_008.8 * Double.pi / 180)

  init() throws {
    app = try TestApp()
    ana = try app.account("ana")
  }

  private func candidates(_ answer: TestAnswer) throws -> [String] {
    try (answer.json["candidates"]?.arrayValue ?? []).compactMap { $0["id"]?.stringValue }
  }

  @Test func `a new device within fifty metres of a similar one is a conflict`() throws {
    let there = try app.device(name: "The one", longitude: 7.4, latitude: 46.9)
    let near = Sent.feature(latitude: 46.9 + 49.9 * metre)
    let answer = app.add(near, as: ana.identity)
    #expect(answer.status == .conflict)
    #expect(try answer.json["type"] == "/problems/duplicate")
    #expect(
      try answer.json["candidates"] == [
        [
          "id": .string(there.id), "name": "The one", "category": "camera_fixed",
          "status": "reported", "distance": 50,
          "geometry": ["type": "Point", "coordinates": [7.4, 46.9]],
        ]
      ])
    #expect(try app.get(Path.items).matched == 1)
    #expect(
      app.add(Sent.feature(latitude: 46.9 + 50.1 * metre), as: ana.identity).status == .created)
  }

  @Test func `a reason allows the addition, and is in the history`() throws {
    try app.device(longitude: 7.4, latitude: 46.9)
    let sent = Sent.feature(["duplicate_reason": "The one on the other side of the gate"])
    #expect(app.add(sent, as: ana.identity).status == .created)
    #expect(
      try app.text("SELECT comment FROM revision WHERE account_rowid IS NOT NULL")
        == "The one on the other side of the gate")
    let beside = Sent.feature(longitude: 7.40001).setting("duplicate_reason", to: "Another")
    #expect(app.add(beside, as: ana.identity).status == .created)
    let blank = Sent.feature(["duplicate_reason": " "])
    #expect(app.add(blank, as: ana.identity).status == .conflict)
  }

  @Test func `only devices that sense the same sort of data count as similar`()
    throws
  {
    let categories = [
      ("camera_ptz", Status.conflict), ("doorbell_camera", .conflict), ("alpr", .conflict),
      ("other", .conflict), ("smart_meter", .created), ("wifi_hotspot", .created),
    ]
    for (place, (category, status)) in categories.enumerated() {
      try app.device(longitude: Double(place), latitude: 1)
      let answer = app.add(
        Sent.feature(
          ["category": .string(category), "precision": "exact"], longitude: Double(place),
          latitude: 1), as: ana.identity)
      #expect(answer.status == status, "\(category)")
    }
  }

  @Test func `removed and mistaken devices count too, so that they are not added again`() throws {
    let removed = try app.device(longitude: 1, latitude: 1) { $0.status = .removed }
    let mistaken = try app.device(.beacon, longitude: 2, latitude: 1) { $0.status = .notADevice }
    #expect(
      try candidates(app.add(Sent.feature(longitude: 1, latitude: 1), as: ana.identity))
        == [removed.id])
    #expect(
      try candidates(app.add(Sent.feature(longitude: 2, latitude: 1), as: ana.identity))
        == [mistaken.id])
  }

  @Test func `hidden and withdrawn devices are never revealed`() throws {
    try app.hide(app.device(longitude: 1, latitude: 1))
    try app.withdraw(app.device(longitude: 2, latitude: 1))
    for longitude in [1.0, 2] {
      let answer = app.add(Sent.feature(longitude: longitude, latitude: 1), as: ana.identity)
      #expect(answer.status == .created)
    }
  }

  @Test func `for coarse devices only the same cell counts, however near the true points`()
    throws
  {
    let place = try Coordinate(longitude: 7.4391827, latitude: 46.9518273)
    let cell = try #require(Precision.kilometre.cell(of: place))
    let middle = (cell.south + cell.north) / 2
    let there = try app.device(
      .doorbell, longitude: cell.west + 1e-5, latitude: middle, precision: .kilometre)
    func add(_ longitude: Double, _ category: JSONValue = "doorbell_camera") -> TestAnswer {
      app.add(
        Sent.feature(
          ["category": category, "precision": "1km"], longitude: longitude, latitude: middle),
        as: ana.identity)
    }
    // Two metres away, in the next cell: the response reveals nothing about the device here.
    #expect(add(cell.west - 1e-5).status == .created)
    let answer = add(cell.east - 1e-5)
    #expect(answer.status == .conflict)
    #expect(try candidates(answer) == [there.id])
    #expect(try answer.json["candidates"]?[0]?["distance"] == 0)
    // A square kilometre contains so many other devices that only the same category is compared.
    #expect(add(cell.east - 1e-5, "toy").status == .created)
  }

  @Test func `an exact device in the cell of a coarse one counts by its public point`() throws {
    let place = try Coordinate(longitude: 7.4391827, latitude: 46.9518273)
    let exact = try app.device(longitude: place.longitude, latitude: place.latitude)
    let cell = try #require(Precision.area.cell(of: place))
    let answer = app.add(
      Sent.feature(["precision": "area"], longitude: cell.west + 1e-5, latitude: cell.south + 1e-5),
      as: ana.identity)
    #expect(try candidates(answer) == [exact.id])
  }

  @Test func `neighbours across the antimeridian and at a pole are found`() throws {
    let east = try app.device(longitude: 179.9999, latitude: 0)
    let answer = app.add(Sent.feature(longitude: -179.9999, latitude: 0), as: ana.identity)
    #expect(try candidates(answer) == [east.id])
    let pole = try app.device(longitude: 0, latitude: 90)
    #expect(
      try candidates(app.add(Sent.feature(longitude: 120, latitude: 90), as: ana.identity))
        == [pole.id])
  }

  @Test func `the ten nearest are listed, the nearest first`() throws {
    let there = try (0..<14).map { number in
      try app.device(longitude: 7.4, latitude: 46.9 + Double(number) * metre)
    }
    let answer = app.add(Sent.feature(latitude: 46.9 - 1 * metre), as: ana.identity)
    #expect(try candidates(answer) == there.prefix(10).map(\.id))
  }

  @Test func `of many simultaneous additions of one device one succeeds`() throws {
    let statuses = Locked<[Int]>([])
    DispatchQueue.concurrentPerform(iterations: 12) { number in
      let answer = app.add(
        Sent.feature(latitude: 46.9 + Double(number) * metre), as: ana.identity)
      statuses.withLock { $0.append(answer.status.code) }
    }
    #expect(statuses.withLock { $0.sorted() } == [201] + Array(repeating: 409, count: 11))
  }
}
