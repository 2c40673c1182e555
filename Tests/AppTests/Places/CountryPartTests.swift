@testable import App
@testable import Devices
import Foundation
import JSON
import PrivacyMap
@testable import Reference
import Testing
import WebServer

/// The regions of a country add up to it, with the borders and the map of countries that set-up makes.
@Suite struct CountryPartTests {
  private let app: TestApp
  private let places: PlaceStore

  init() throws {
    app = try TestApp { folder in
      for file in ["countries.bin", "places.db", "borders.db"] {
        try FileManager.default.createSymbolicLink(
          at: folder.appendingPathComponent(file),
          withDestinationURL: Repository.root.appendingPathComponent("data/\(file)"))
      }
    }
    places = try #require(try app.app.instance.places)
  }

  private func ids(_ query: [String: String]) throws -> Set<String> {
    let query = ["limit": "1000"].merging(query) { $1 }
    let answer = app.send(
      .get, target: Request.target(Path.items, query.map { ($0.key, $0.value) }))
    try #require(answer.status == .ok, "\(answer.text)")
    return Set(
      try #require(try answer.json["features"]?.arrayValue).compactMap { $0["id"]?.stringValue })
  }

  /// The country of this code, and the places in it.
  private func country(_ code: String) throws -> (id: Int64, parts: [Int64]) {
    let found = try places.boxes().lazy.compactMap { try? places.place(id: $0.id) }
    let country = try #require(found.first { $0.kind == "country" && $0.country == code })
    let id = try #require(country.id)
    return (
      id, try places.parts(of: id, limit: PlaceDetails.maxParts, language: "en").compactMap(\.id)
    )
  }

  /// Positions in the surroundings of the parts: on land, off the coast and beyond the border.
  private func positions(_ parts: [Int64]) throws -> [Coordinate] {
    try parts.flatMap { part -> [Coordinate] in
      let shape = try #require(try places.drawing(of: part, atZoom: 22))
      let corners = shape.polygons.joined().joined()
      return stride(from: 0, to: corners.count, by: max(1, corners.count / 6)).compactMap {
        number in
        let corner = corners[corners.index(corners.startIndex, offsetBy: number)]
        return try? Coordinate(
          longitude: corner.longitudeDegrees + .random(in: -0.1...0.1),
          latitude: corner.latitudeDegrees + .random(in: -0.1...0.1))
      }
    }
  }

  @Test(arguments: ["CH", "HR", "PT"])
  func `each device of a country is in exactly one of its regions`(code: String) throws {
    let (id, parts) = try country(code)
    #expect(parts.count > 15)
    _ = try app.devices(
      positions(parts).map { position in
        (
          DeviceFields(name: "A device", category: CategoryCode.cameraFixed.rawValue),
          DeviceWriter.Placement(place: position, precision: .exact)
        )
      })
    let whole = try ids(["place": "\(id)"])
    #expect(app.get("/api/places/\(id)/border", ["zoom": "22"]).status == .ok)
    // Some of them are beyond the border or on the open sea.
    let all = try ids([:])
    #expect(whole.count > 40 && whole.count < all.count)
    #expect(try ids(["country": code]) == whole)
    var found: [String: Int64] = [:]
    var outside = 0
    for part in parts {
      let region = try #require(try places.borders.region(of: part))
      let listed = try ids(["place": "\(part)"])
      // With words the database answers instead of the index.
      #expect(try ids(["place": "\(part)", "q": "device"]) == listed)
      #expect(try app.statistics([("place", "\(part)")]).total == listed.count)
      for device in listed { #expect(found.updateValue(part, forKey: device) == nil) }
      outside += try app.outside(region, listed)
      #expect(
        try app.statistics([("place", "\(part)")]).json["square_kilometres"]?.numberValue
          == region.squareKilometres)
    }
    #expect(Set(found.keys) == whole)
    // The borders of the regions alone would not add up. In a country without a sea few points are between the borders
    // of its regions and that of the map of countries, or by chance none.
    #expect(outside > 0 || code == "CH")
  }

  @Test func `a region overseas has the code that the map of countries has there`() throws {
    let (_, parts) = try country("FR")
    let names = try parts.compactMap { try places.place(id: $0)?.name }
    #expect(!names.contains("Martinique") && names.contains("Finistère"))
    let found = try #require(
      try places.boxes().lazy.compactMap { try? places.place(id: $0.id) }
        .first { $0.kind == "region" && $0.name == "Martinique" })
    let device = try app.device(longitude: -61.06, latitude: 14.61)
    let id = try #require(found.id)
    #expect(try ids(["place": "\(id)"]) == [device.id])
  }
}

extension TestApp {
  /// The number of devices whose public point is outside a border.
  fileprivate func outside(_ region: Region, _ devices: Set<String>) throws -> Int {
    try devices.count { device in
      let json = try get(Path.item(device)).json
      let position = json["geometry"]?["coordinates"]?.arrayValue?.compactMap(\.numberValue) ?? []
      let point = try Coordinate(longitude: position[0], latitude: position[1])
      return !region.contains(FixedPosition(point))
    }
  }
}
