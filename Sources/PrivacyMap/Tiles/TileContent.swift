/// Devices drawn as one mark.
package struct TileCluster: Hashable, Sendable {
  /// Unlike every other cluster's of the zoom, the same for as long as it stands; below 2^52, so
  /// exact in JavaScript.
  package var id: UInt64
  /// How many devices, at least 2.
  package var count: Int
  /// Units of 1/4096 tile from the tile's west and north edge, 0…4095.
  package var x, y: Int
  /// What its members span. Zoomed to that, it opens.
  package var box: FixedBox
  /// Its members stand at one spot, so no zoom takes them apart: it opens as a list.
  package var isStack: Bool
  /// The categories with most members, most first, at most three.
  package var leading: [CategoryCount]
}

/// A category and how many devices of it.
package struct CategoryCount: Hashable, Sendable {
  /// A code of ``DeviceProfile/category``.
  package var category: UInt8
  /// At least 1.
  package var count: Int
}

/// One device in a tile.
package struct TileDevice: Hashable, Sendable {
  /// The device's row.
  package var rowid: UInt32
  /// What the world calls it.
  package var id: DeviceID
  /// Units of 1/4096 tile from the tile's west and north edge, 0…4095.
  package var x, y: Int
  /// Codes of ``DeviceProfile``.
  package var category, status, precision: UInt8
  /// As ``IndexedPoint/bearing``.
  package var bearing: UInt16
}

/// What is drawn in one tile.
///
/// A point belongs to exactly one tile of each zoom, without a margin: map libraries draw marks
/// across the edges of tiles and drop points outside of them, so a margin would only be thrown
/// away.
package struct TileContent: Hashable, Sendable {
  /// By rising id.
  package var clusters: [TileCluster]
  /// By rising rowid.
  package var devices: [TileDevice]

  /// Units along a tile's side.
  package static let extent = 4_096

  /// Cells along a tile's side. A tile is drawn 512 pixels wide, so a cell is 64: wide enough for
  /// one mark with a number that a thumb can hit, and at most a few hundred of them on a desktop.
  package static let cellsPerSide = 8

  /// The most devices that a cell shows one by one; where there are more it shows one cluster.
  ///
  /// Only the zoom and what lies in the cell itself decide, so neighbouring tiles agree and a pan
  /// changes nothing. Eight marks of 24 pixels can still be told apart in a cell. From
  /// ``stackZoom`` on every spot is shown, however many there are: a tile is then at most 611 m
  /// wide.
  package static func singles(atZoom z: Int) -> Int {
    switch z {
    case ..<12: 1
    case ..<14: 4
    case ..<stackZoom: 8
    default: .max
    }
  }

  /// From this zoom on only devices at one spot stay together. A map has to let people zoom in as
  /// far; tiles deeper than this show nothing new, so a client may stretch these.
  package static let stackZoom = 16

  /// Whether there is nothing to draw.
  package var isEmpty: Bool { clusters.isEmpty && devices.isEmpty }
}
