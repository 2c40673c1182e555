import Foundation
import PrivacyMap

/// Borders of a street map, made by the script of set-up: the region of Zürich in ``TestPlaces``, which consists of the
/// town Zürich with two districts and a second town.
enum TestBorders {
  static let region: Int64 = 4
  static let town: Int64 = 5
  static let secondTown: Int64 = 3_000_000_101
  static let districts: [Int64] = [3_000_000_102, 3_000_000_103]

  /// Makes the gazetteer and its borders.
  static func make(in folder: URL) throws {
    try TestPlaces.make(in: folder)
    let streets = folder.appendingPathComponent("streets")
    try FileManager.default.createDirectory(at: streets, withIntermediateDirectories: true)
    let features = streets.appendingPathComponent("borders")
    try Data(lines.joined(separator: "\n").utf8).write(to: features)
    defer { try? FileManager.default.removeItem(at: features) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "python3", "-B", Repository.root.appendingPathComponent("setup/borders.py").path, "extract",
      "--places", folder.appendingPathComponent("places.db").path, "--date", "2026-05-01",
      "--output", streets.appendingPathComponent("test.borders.db").path,
    ]
    process.standardInput = try FileHandle(forReadingFrom: features)
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw ScriptFailed() }
  }

  struct ScriptFailed: Error {}

  private typealias Corner = (Double, Double)

  private struct Border {
    let number, level: Int
    let name: String
    let corners: [Corner]
  }

  // Corners that neighbours share.
  private static let between: [Corner] = [(8.7, 47.16), (8.68, 47.3), (8.71, 47.4)]
  private static let beyond: [Corner] = [(8.73, 47.45), (8.7, 47.7)]
  private static let across: [Corner] = [(8.6, 47.39), (8.5, 47.42), (8.35, 47.4)]
  private static let southWest: Corner = (8.35, 47.16)
  private static let northWest: Corner = (8.35, 47.7)

  private static let borders: [Border] = {
    let east: [Corner] = [(8.97, 47.16), (8.97, 47.7)]
    let whole: [Corner] = [southWest, between[0]] + east + [beyond[1], northWest, across[2]]
    let westward: [Corner] = beyond.reversed() + between.dropFirst().reversed()
    let uster: [Corner] = [between[0]] + east + westward
    let south: [Corner] = [southWest] + between + across
    let north: [Corner] = [between[2]] + beyond + [northWest] + across.reversed()
    let town: [Corner] = [southWest] + between + beyond + [northWest, across[2]]
    return [
      Border(number: 100, level: 4, name: "Zürich", corners: whole),
      Border(number: 101, level: 8, name: "Uster", corners: uster),
      Border(number: 102, level: 9, name: "Kreis Süd", corners: south),
      Border(number: 103, level: 9, name: "Kreis Nord", corners: north),
      Border(number: 104, level: 8, name: "Zürich", corners: town),
    ]
  }()

  private static var lines: [String] {
    borders.map { border in
      let corners = border.corners + border.corners.prefix(1)
      let ring = corners.map { corner in "[\(corner.0),\(corner.1)]" }.joined(separator: ",")
      return """
        {"type":"Feature","id":"a\(border.number)",\
        "geometry":{"type":"Polygon","coordinates":[[\(ring)]]},\
        "properties":{"boundary":"administrative","admin_level":"\(border.level)",\
        "name":"\(border.name)"}}
        """
    }
  }

  /// Positions on the borders, next to them and around them.
  static func positions(_ count: Int) -> [Coordinate] {
    var generator = SystemRandomNumberGenerator()
    var sides: [(Corner, Corner)] = []
    for border in borders {
      sides += zip(border.corners, border.corners.dropFirst() + border.corners.prefix(1))
    }
    return (0..<count).compactMap { number in
      let (one, other) = sides[number % sides.count]
      let share = number % 5 == 0 ? 0 : Double.random(in: 0...1, using: &generator)
      let near = number % 3 == 0 ? 0.05 : number % 3 == 1 ? 1e-7 : 0
      func between(_ a: Double, _ b: Double) -> Double {
        let value = a + (b - a) * share + Double.random(in: -1...1, using: &generator) * near
        return (value * 1e7).rounded() / 1e7
      }
      return try? Coordinate(
        longitude: between(one.0, other.0), latitude: between(one.1, other.1))
    }
  }
}
