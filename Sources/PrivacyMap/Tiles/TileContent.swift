/// Devices drawn as one symbol.
package struct TileCluster: Hashable, Sendable {
  /// Unique among the clusters of the zoom, and stable as long as the cluster exists. Below 2^52,
  /// so that JavaScript represents it exactly.
  package var id: UInt64
  /// The number of devices, at least 2.
  package var count: Int
  /// Units of 1/4096 tile from the tile's west and north edge, 0…4095.
  package var x, y: Int
  /// The bounding box of its members. The cluster separates when the map zooms to this box.
  package var box: FixedBox
  /// All members are at one position, so no zoom separates them. The client shows them as a list.
  package var isStack: Bool
  /// The categories with the most members, in descending order, at most three.
  package var leading: [CategoryCount]
}

/// A category and its number of devices.
package struct CategoryCount: Hashable, Sendable {
  /// A code of ``DeviceProfile/category``.
  package var category: UInt8
  /// At least 1.
  package var count: Int
}

/// One device in a tile.
package struct TileDevice: Hashable, Sendable {
  /// The row of the device.
  package var rowid: UInt32
  /// The public identifier of the device.
  package var id: DeviceID
  /// Units of 1/4096 tile from the tile's west and north edge, 0…4095.
  package var x, y: Int
  /// Codes of ``DeviceProfile``.
  package var category, status, precision: UInt8
  /// As ``IndexedPoint/bearing``.
  package var bearing: UInt16
}

/// The content of one tile.
///
/// A point belongs to exactly one tile of each zoom, without a buffer. Map libraries draw symbols
/// across tile edges and drop points outside the tile, so they would discard a buffer.
package struct TileContent: Hashable, Sendable {
  /// By ascending id.
  package var clusters: [TileCluster]
  /// By ascending rowid.
  package var devices: [TileDevice]

  /// Units along a tile's side.
  package static let extent = 4_096

  /// Cells along the side of a tile. A tile is drawn 512 pixels wide, so a cell is 64 pixels wide.
  /// That is enough for one symbol with a number as a touch target, and a desktop screen shows at
  /// most a few hundred of them.
  package static let cellsPerSide = 8

  /// The maximum number of devices that a cell shows individually. A cell with more devices shows
  /// one cluster.
  ///
  /// The decision depends only on the zoom and the content of the cell. Neighbouring tiles
  /// therefore agree, and panning changes nothing. Eight symbols of 24 pixels are still
  /// distinguishable in a cell. From ``stackZoom`` on, every position is shown, without a limit: a
  /// tile is then at most 611 m wide.
  package static func singles(atZoom z: Int) -> Int {
    switch z {
    case ..<12: 1
    case ..<14: 4
    case ..<stackZoom: 8
    default: .max
    }
  }

  /// From this zoom on, only devices at the same position form a cluster. A map must allow this
  /// zoom. Deeper tiles show nothing new, so a client may overzoom tiles of this zoom.
  package static let stackZoom = 16

  /// Whether the tile has no content.
  package var isEmpty: Bool { clusters.isEmpty && devices.isEmpty }
}
