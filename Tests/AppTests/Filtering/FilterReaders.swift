@testable import App
@testable import Devices
import Downloads
import JSON
import PrivacyMap
@testable import Reading
import SpatialDatabase
import Testing
import WebServer

extension TestApp {
  /// Changes a device as an edit by a person would.
  func set(
    _ device: TestDevice, _ columns: [(name: String, value: SQLValue)], _ place: Coordinate? = nil
  ) throws {
    try edit(device) { edit in
      edit.columns += columns
      guard let place else { return }
      edit.place = place
      edit.settlePublicPoint()
    }
  }

  /// Checks that each reader of filters finds the devices with these ids, or as many.
  func check(_ query: [(String, String)], finds expected: [String]) throws {
    let wanted = Set(expected)
    // By the point index if it can, by SQL, and by distance.
    let orders: [[(String, String)]] = [
      [], [("sortby", "-name")], [("near", "6,46"), ("sortby", "distance")],
    ]
    for order in orders {
      let answer = send(target: Request.target(Path.items, query + order))
      try #require(answer.status == .ok, "\(answer.text)")
      #expect(try Set(answer.ids) == wanted, "\(order)")
      #expect(try answer.matched == expected.count, "\(order)")
    }
    let kinds = try send(target: Request.target(Path.items, query + [("with", "kinds")])).json
    let counts = (kinds["kinds"]?.arrayValue ?? []).compactMap { $0["count"]?.intValue }
    #expect(counts.reduce(0, +) == expected.count, "kinds")
    let tile = send(target: Request.target(Path.tile(0, 0, 0), query))
    #expect(try TileReader.deviceCount(tile.plainBytes) == expected.count, "tile")
    #expect(try statistics(query).total == expected.count, "statistics")
    let feed = try send(target: Request.target("/api/feeds/devices.json", query)).json
    let entries = (feed["items"]?.arrayValue ?? []).compactMap { $0["id"]?.stringValue }
    #expect(Set(entries) == Set(expected.map { "urn:uuid:\($0)" }), "feed")
    let file = send(target: Request.target(TestApp.exportPath(.csv), query))
    #expect(try Set(TestTable(file.bytes).column("id")) == wanted, "export")
  }
}
