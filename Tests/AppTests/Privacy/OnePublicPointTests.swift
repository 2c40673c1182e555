@testable import App
@testable import Devices
import JSON
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// The public sees a single point of a coarse device, whatever people do.
///
/// The proof is a comparison of two worlds. They are equal except for the true point of a device;
/// both points are in one cell. Users without access to the true point get the same bytes in both
/// worlds, including the ETag of every response. So none of their requests can distinguish the
/// worlds.
@Suite struct OnePublicPointTests {
  /// The true point of a device in one of the worlds, before and after its author moves it.
  struct Places: CustomStringConvertible {
    let precision: Precision
    let first: [Coordinate]
    let second: [Coordinate]

    var description: String { "\(precision.rawValue) \(first[0])" }
  }

  private static let cases: [Places] = {
    var numbers = SeededNumbers(seed: 12)
    func between(_ low: Double, _ high: Double) -> Double {
      Double.random(in: low...high, using: &numbers)
    }
    return Precision.allCases.filter { $0 != .exact }.flatMap { precision in
      (0..<3).map { number in
        // One of them next to the antimeridian.
        let somewhere = Coordinate.clamped(
          longitude: number == 2 ? 179.99999 : between(-180, 180), latitude: between(-75, 75))
        guard let cell = precision.cell(of: somewhere) else { fatalError("a coarse precision") }
        let places = (0..<4).map { _ in
          Coordinate.clamped(
            longitude: between(cell.west + 1e-6, cell.east - 1e-6),
            latitude: between(cell.south + 1e-6, cell.north - 1e-6))
        }
        return Places(
          precision: precision, first: Array(places.prefix(2)), second: Array(places.suffix(2)))
      }
    }
  }()

  @Test(arguments: cases)
  func `two places of one cell give the same bytes, whatever users do`(places: Places) throws {
    let probes = Self.probes(places)
    let one = try World(places.precision, at: places.first, probes: probes)
    let other = try World(places.precision, at: places.second, probes: probes)
    try one.live()
    try other.live()
    #expect(one.reported.count == other.reported.count && one.reported.count > 300)
    // Only the first difference is reported; later ones follow from it.
    let difference = zip(one.reported, other.reported).first { $0 != $1 }
    #expect(
      difference == nil,
      "\(difference?.0.description ?? "") differs from \(difference?.1.description ?? "")")
    // The worlds do differ: permitted users see the difference.
    #expect(try one.truePlace() != other.truePlace())
  }

  /// The positions that strangers query and use for pins: the true points of both worlds, points
  /// near them, and points all over their cell and its neighbours.
  private static func probes(_ places: Places) -> [Coordinate] {
    let middle = places.precision.publicPoint(for: places.first[0])
    let reach = (places.precision.cellSize ?? 0) / 111_195
    var probes = places.first + places.second + [middle]
    for (east, north) in [(1.0, 0.0), (-1, 0), (0, 1), (0, -1), (0.4, 0.4), (-0.4, -0.4)] {
      probes.append(
        .clamped(
          longitude: middle.longitude + east * reach, latitude: middle.latitude + north * reach))
    }
    for place in places.first + places.second {
      probes.append(
        .clamped(longitude: place.longitude + 0.0001, latitude: place.latitude - 0.0001))
    }
    return probes
  }
}

/// A response to a user without access to the true point.
private struct Reported: Equatable, CustomStringConvertible {
  let request: String
  let status: Int
  let headers: [String]
  let bytes: [UInt8]

  var description: String {
    "\(request) \(status) \(headers) \(String(decoding: bytes, as: UTF8.self))"
  }
}

/// One of two worlds that differ in the true point of a device.
private final class World {
  let app: TestApp
  let ana: TestAccount
  let ben: TestAccount
  private let precision: Precision
  private let places: [Coordinate]
  private let probes: [Coordinate]
  private var id = ""
  private(set) var reported: [Reported] = []

  init(_ precision: Precision, at places: [Coordinate], probes: [Coordinate]) throws {
    app = try TestApp()
    ana = try app.account("ana")
    ben = try app.account("ben", role: .contributor)
    self.precision = precision
    self.places = places
    self.probes = probes
  }

  func truePlace() throws -> String {
    app.get(Path.item(id) + "/location", as: ana.identity).text
  }

  /// The events: the device's author places, moves, shows and hides it; a stranger edits, restores,
  /// makes it coarser, gives verdicts and adds devices all around; and all users read everything
  /// after each step.
  func live() throws {
    let category: JSONValue = "doorbell_camera"
    id = try app.added(
      [
        "category": category, "precision": .string(precision.rawValue), "description": "A door",
      ], longitude: places[0].longitude, latitude: places[0].latitude, as: ana)
    look()
    try edit("another word", ["properties": ["description": "The door"]])
    try edit("another category", ["properties": ["category": "webcam"]])
    try edit("back", ["properties": ["category": category]])
    // The author moves it within its cell.
    _ = try app.patch(id, point(places[1]), as: ana.identity)
    look()
    try togglePrecision()
    for (number, probe) in probes.enumerated() { try add(probe, number) }
    look()
    try restore(1)
    try restore(3)
    look()
    claim("present", "confirm")
    claim("data", "dispute")
    // Last, because it removes the true point: a guess, then the public point itself.
    try edit("the public point", ["geometry": try shownGeometry()])
    try edit("a guess", point(probes[0]))
    look()
    try restore(1)
    try edit("the guess again", point(probes[0]))
    try restore(1)
    look()
    _ = try app.patch(id, point(places[0]), as: ana.identity)
    try deleteAndPutBack()
    look()
  }

  private func shownGeometry() throws -> JSONValue {
    try app.get(Path.item(id)).json["geometry"] ?? .null
  }

  private func point(_ place: Coordinate) -> JSONValue {
    [
      "geometry": [
        "coordinates": [.double(place.longitude), .double(place.latitude)]
      ]
    ]
  }

  /// The author makes it coarser and restores it; a stranger makes it coarser and cannot undo that.
  private func togglePrecision() throws {
    for wanted in Precision.allCases where precision.isFiner(than: wanted) {
      for name in [wanted, precision, wanted, precision] {
        _ = try app.patch(
          id, ["properties": ["precision": .string(name.rawValue)]], as: ana.identity)
        look()
      }
      try edit("coarser", ["properties": ["precision": .string(wanted.rawValue)]])
      try edit("finer", ["properties": ["precision": .string(precision.rawValue)]])
      try edit("exact", ["properties": ["precision": "exact"]])
      _ = try app.patch(
        id, ["properties": ["precision": .string(precision.rawValue)]], as: ana.identity)
      look()
    }
  }

  private func edit(_ name: String, _ patch: JSONValue) throws {
    tell("edit \(name)", try app.patch(id, patch, as: ben.identity))
    look()
  }

  private func restore(_ number: Int) throws {
    tell(
      "restore \(number)",
      app.send(
        .post, Path.item(id) + "/history/\(number)/restore", headers: ["If-Match": try app.tag(id)],
        json: [:], as: ben.identity))
  }

  private func claim(_ name: String, _ verdict: String) {
    tell(
      "claim \(name)",
      app.send(
        .post, Path.item(id) + "/claims",
        json: ["claim": .string(name), "verdict": .string(verdict), "basis": "seen"],
        as: ben.identity))
  }

  /// A pin that may be a duplicate: exact, and as coarse as the device.
  private func add(_ place: Coordinate, _ number: Int) throws {
    for wanted in Set([Precision.exact, precision]).sorted(by: { $0.isFiner(than: $1) }) {
      let feature = Sent.feature(
        ["category": "doorbell_camera", "precision": .string(wanted.rawValue)],
        longitude: place.longitude, latitude: place.latitude)
      tell("add \(number) \(wanted)", app.add(feature, as: ben.identity))
    }
  }

  private func deleteAndPutBack() throws {
    try app.app.write { connection in
      let rowid = try connection.integer("SELECT rowid FROM device WHERE id = ?", [.text(id)])
      guard let rowid, let id = DeviceID(text: id) else { return }
      let removal = DeviceRemoval(writer: app.writer)
      let reason = DeviceRemoval.Reason(role: "admin", code: "other")
      _ = try removal.remove(rowid, id, reason, purge: false, connection)
    }
    look()
    try app.app.write { connection in
      guard let id = DeviceID(text: id) else { return }
      _ = try DeviceRemoval(writer: app.writer).undo(id, connection)
    }
  }

  /// Sends every request that any user may send.
  private func look() {
    let item = Path.item(id)
    var targets = [
      Path.items + "?limit=100", Path.items + "?properties=*&limit=100", item, "/devices/\(id)",
      item + "?crs=http://www.opengis.net/def/crs/EPSG/0/3857", item + "/history",
      Path.collection, "/api/settings", "/api/tiles/devices.json",
    ]
    let revision = (try? app.get(item).property("revision"))??.intValue ?? 0
    targets += (1...max(1, revision)).suffix(3).map { "\(item)/history/\($0)" }
    targets.append("\(item)/history/1")
    for probe in probes.prefix(5) {
      let near = "\(probe.longitude),\(probe.latitude)"
      targets.append(Path.items + "?near=\(near)&sortby=distance&limit=100")
      let box =
        "\(probe.longitude - 1e-5),\(probe.latitude - 1e-5),\(probe.longitude + 1e-5),"
        + "\(probe.latitude + 1e-5)"
      if abs(probe.longitude) < 179.9999 { targets.append(Path.items + "?bbox=\(box)") }
    }
    for target in targets { tell(target, app.send(target: target)) }
    tell("claims", app.get(item + "/claims", as: ben.identity))
    tell("location", app.get(item + "/location", as: ben.identity))
    for z in stride(from: 0, through: 18, by: 3) {
      for probe in probes.prefix(5) {
        guard let tile = TileAddress(z: z, containing: probe) else { continue }
        tell("tile \(z)", app.get(Path.tile(z, tile.x, tile.y)))
      }
    }
  }

  private func tell(_ request: String, _ answer: TestAnswer) {
    reported.append(
      Reported(
        request: request, status: answer.status.code,
        headers: ["ETag", "Location", "Link", "Content-Length"].map { answer.headers[$0] ?? "" },
        bytes: answer.bytes))
  }
}
