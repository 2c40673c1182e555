/// The names for the codes of ``DeviceProfile`` in tiles, in the order of the codes.
package struct TileVocabulary: Sendable {
  /// `camera_fixed`, …
  package var categories: [String]
  /// `reported`, …
  package var statuses: [String]
  /// `exact`, …
  package var precisions: [String]

  /// Creates a vocabulary. A code past the end of its list is left out of the tile.
  package init(categories: [String], statuses: [String], precisions: [String]) {
    self.categories = categories
    self.statuses = statuses
    self.precisions = precisions
  }
}

/// Encodes tiles as Mapbox Vector Tiles 2.1 (`application/vnd.mapbox-vector-tile`).
///
/// Layer `clusters`: `count` (uint); `category_1`…`category_3` with `count_1`…`count_3`, the
/// leading categories; `west`, `south`, `east`, `north` (double, degrees), the bounding box of the
/// members; `stack` (true or absent): all members are at one position, and the client shows a list.
///
/// Layer `devices`: `id` (UUID), `category`, `status`, `precision` (string), and `bearing` (uint,
/// whole degrees) if known. The feature id is the row.
package enum VectorTile {
  /// The bytes of a tile. Empty for an empty tile.
  package static func encode(_ content: TileContent, _ vocabulary: TileVocabulary) -> [UInt8] {
    var tile = ProtobufWriter()
    if !content.clusters.isEmpty {
      tile.field(Tag.tileLayer, clusterLayer(content.clusters, vocabulary))
    }
    if !content.devices.isEmpty {
      tile.field(Tag.tileLayer, deviceLayer(content.devices, vocabulary))
    }
    return tile.bytes
  }

  private static func clusterLayer(
    _ clusters: [TileCluster], _ vocabulary: TileVocabulary
  ) -> [UInt8] {
    var layer = VectorTileLayer(name: "clusters")
    let count = layer.key("count")
    let leading = (1...3).map { (layer.key("category_\($0)"), layer.key("count_\($0)")) }
    let edges = ["west", "south", "east", "north"].map { layer.key($0) }
    let stack = layer.key("stack")
    for cluster in clusters {
      layer.begin(id: cluster.id)
      layer.tag(count, .unsigned(UInt64(cluster.count)))
      for (keys, part) in zip(leading, cluster.leading) {
        guard let code = vocabulary.categories[safely: part.category] else { continue }
        layer.tag(keys.0, .text(code))
        layer.tag(keys.1, .unsigned(UInt64(part.count)))
      }
      let box = cluster.box
      for (key, edge) in zip(edges, [box.west, box.south, box.east, box.north]) {
        layer.tag(key, .double(Double(edge) / FixedPosition.unitsPerDegree))
      }
      if cluster.isStack { layer.tag(stack, .bool(true)) }
      layer.end(x: cluster.x, y: cluster.y)
    }
    return layer.encoded()
  }

  private static func deviceLayer(
    _ devices: [TileDevice], _ vocabulary: TileVocabulary
  ) -> [UInt8] {
    var layer = VectorTileLayer(name: "devices")
    let id = layer.key("id")
    let category = layer.key("category")
    let status = layer.key("status")
    let precision = layer.key("precision")
    let bearing = layer.key("bearing")
    for device in devices {
      layer.begin(id: UInt64(device.rowid))
      layer.tag(id, uuid: device.id)
      if let code = vocabulary.categories[safely: device.category] {
        layer.tag(category, .text(code))
      }
      if let code = vocabulary.statuses[safely: device.status] { layer.tag(status, .text(code)) }
      if let code = vocabulary.precisions[safely: device.precision] {
        layer.tag(precision, .text(code))
      }
      if device.bearing != IndexedPoint.noBearing {
        layer.tag(bearing, .unsigned(UInt64(device.bearing)))
      }
      layer.end(x: device.x, y: device.y)
    }
    return layer.encoded()
  }

  /// Field numbers of `vector_tile.proto`, version 2.1.
  enum Tag {
    static let tileLayer: UInt64 = 3
    static let layerName: UInt64 = 1
    static let layerFeature: UInt64 = 2
    static let layerKey: UInt64 = 3
    static let layerValue: UInt64 = 4
    static let layerExtent: UInt64 = 5
    static let layerVersion: UInt64 = 15
    static let featureID: UInt64 = 1
    static let featureTags: UInt64 = 2
    static let featureType: UInt64 = 3
    static let featureGeometry: UInt64 = 4
    static let valueText: UInt64 = 1
    static let valueDouble: UInt64 = 3
    static let valueUnsigned: UInt64 = 5
    static let valueBool: UInt64 = 7
  }
}

extension [String] {
  fileprivate subscript(safely code: UInt8) -> String? {
    Int(code) < count ? self[Int(code)] : nil
  }
}
