import JSON
import WrittenValues

/// Ways of OpenStreetMap JSON that state only the numbers of their nodes. The usual query of overpass turbo (`out body;
/// >; out skel qt;`) gives the nodes after the ways.
struct OSMWaitingWays {
  private var nodes = OSMNodePlaces()
  private var waiting: [SourceRow] = []
  /// More ways than any list of devices has.
  private static let maximum = 100_000

  /// Returns the row, unless it is a way that waits for its nodes.
  mutating func take(_ row: SourceRow) -> SourceRow? {
    if case .point(let longitude, let latitude) = row.place, row.columns["@type"] == "node",
      let id = row.columns["@id"]?.intValue
    {
      nodes.add(Int64(id), longitude, latitude)
    }
    guard !row.nodes.isEmpty, waiting.count < Self.maximum else { return row }
    waiting.append(row)
    return nil
  }

  /// The ways with the middle of their nodes, as far as the file has them.
  var placed: [SourceRow] {
    waiting.map { row in
      var row = row
      var box = PlaceBounds()
      for id in row.nodes {
        if let place = nodes[id] { box.add(place.longitude, place.latitude) }
      }
      if let middle = box.middle {
        row.place = .pointOnShape(longitude: middle.longitude, latitude: middle.latitude)
      }
      return row
    }
  }
}
