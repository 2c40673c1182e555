import Foundation
import JSON
import PrivacyMap
@testable import Reference
import SpatialDatabase
import Testing
import WebServer

/// The law that applies at the position of a device.
@Suite struct PlaceOfLawTests {
  private let app: TestApp

  init() throws { app = try TestApp(data: TestFolder.linkCountries) }

  private func rights(
    _ longitude: Double, _ latitude: Double, _ query: TestApp.Parameters = [:],
    of kind: Operator.Kind? = nil
  ) throws -> JSONValue {
    let device = try app.device(longitude: longitude, latitude: latitude) { fields in
      fields.answersFor = kind.map { Operator(name: $0 == .household ? nil : "Somebody", kind: $0) }
    }
    return try #require(try app.get(Path.item(device.id) + "/choices", query).json["rights"])
  }

  @Test func `the law of the country applies, whatever the user states`() throws {
    let coruche = try rights(-8.5, 39, ["country": "DE"])
    #expect(coruche["country"] == "PT" && coruche["country_uncertain"] == false)
    #expect(coruche["authority"]?["code"] == "ptcnpd")
  }

  @Test func `where the country is uncertain the user may state another`() throws {
    let kehl = try rights(7.8085, 48.5762)
    #expect(kehl["country"] == "DE" && kehl["country_uncertain"] == true)
    let strasbourg = try rights(7.8085, 48.5762, ["country": "FR"])
    #expect(strasbourg["country"] == "FR" && strasbourg["country_uncertain"] == true)
    #expect(strasbourg["authority"]?["code"] == "frcnil")
    let nowhere = try rights(7.8085, 48.5762, ["country": "US"])
    #expect(nowhere["regime"] == .null && nowhere["country_uncertain"] == true)
  }

  @Test func `the stated country applies to a choice only where it is uncertain`() throws {
    let ana = try app.account()
    for (place, country) in [((7.8085, 48.5762), "FR"), ((-8.5, 39.0), "PT")] {
      let device = try app.device(longitude: place.0, latitude: place.1)
      let answer = app.send(
        .post, "/api/choices",
        json: ["device": .string(device.id), "kind": "access", "country": "FR"],
        as: ana.identity)
      #expect(try answer.json["country"]?.stringValue == country, "\(answer.text)")
    }
  }

  @Test func `holidays are those of this year and the next two, on working days`() throws {
    let days = try #require(try rights(-8.5, 39)["free_days"]?.arrayValue).compactMap(\.stringValue)
    #expect(days.contains("2026-12-25") && days.contains("2028-06-15"))
    #expect(Set(days.map { $0.prefix(4) }) == ["2026", "2027", "2028"])
    #expect(days == days.sorted() && !days.contains("2026-04-25"))  // a Saturday
    for day in days {
      #expect(try #require(Day(text: day)).isWorkingWeekday, "\(day)")
    }
  }

  @Test(
    arguments: [
      (7.9, 48.0, Operator.Kind?.none, "debawueldb"), (13.405, 52.52, nil, "deberlbdi"),
      (11.5755, 48.1374, .company, "debaylda"), (11.5755, 48.1374, .household, "debaylda"),
      (11.5755, 48.1374, .public, "debayldb"), (11.5755, 48.1374, nil, "debfdi"),
      (11.5755, 48.1374, .unknown, "debfdi"), (-3.7038, 40.4168, nil, "esaepa"),
    ] as [(Double, Double, Operator.Kind?, String)])
  func `in Germany the authority is that of the state, in Bavaria by sector`(
    longitude: Double, latitude: Double, kind: Operator.Kind?, code: String
  ) throws {
    #expect(try rights(longitude, latitude, of: kind)["authority"]?["code"]?.stringValue == code)
  }

  @Test func `the nearest town is found with the R-tree of towns`() throws {
    let folder = try TestFolder.make()
    defer { try? FileManager.default.removeItem(at: folder) }
    try TestPlaces.make(in: folder)
    let path = folder.appendingPathComponent("places.db").path
    let places = try PlaceStore(path: path)
    let near = try places.nearest(
      to: Coordinate(longitude: -9.2, latitude: 38.7), language: "pt")
    #expect(near?.name == "Lisboa")
    #expect(try places.nearest(to: Coordinate(longitude: 0, latitude: 0), language: "en") == nil)
    let plan = try ReadOnlyFile(path: path).read { connection in
      try connection.rows(
        "EXPLAIN QUERY PLAN " + PlaceStore.nearest,
        [-9.7, -8.7, 38.2, 39.2, 38.7, -9.2].map { SQLValue.real($0) }
      ) { $0.text(3) }
    }
    #expect(plan.contains { $0.contains("place_point VIRTUAL TABLE INDEX") })
    #expect(plan.contains { $0.contains("SEARCH place USING INTEGER PRIMARY KEY") })
    #expect(!plan.contains { $0.hasPrefix("SCAN place ") || $0 == "SCAN place" })
  }
}

extension Day {
  /// 1970-01-01 was a Thursday.
  fileprivate var isWorkingWeekday: Bool {
    ![2, 3].contains(((daysSinceEpoch % 7) + 7) % 7)
  }
}
