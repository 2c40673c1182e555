import PrivacyMap

/// The part of the world that a picture shows, in Web Mercator. Places are 0…1 from the upper left corner of the
/// picture.
struct CardFrame: Equatable, Sendable {
  /// The centre, and the size as a part of the world.
  let x, y, width, height: Double

  /// The smallest frame around some places of the projection, enlarged by a factor; nil without places. `aspect` is the
  /// width of the picture through its height.
  init?(
    around places: [(x: Double, y: Double)], enlargedBy factor: Double = 1, aspect: Double = 1,
    minHeight: Double
  ) {
    guard let west = places.map(\.x).min(), let east = places.map(\.x).max(),
      let north = places.map(\.y).min(), let south = places.map(\.y).max()
    else { return nil }
    (x, y) = ((west + east) / 2, (north + south) / 2)
    height = max((south - north) * factor, (east - west) * factor / aspect, minHeight)
    width = height * aspect
  }

  /// Where a place of the projection is in the picture.
  func place(_ place: (x: Double, y: Double)) -> ShareCard.Place {
    // A frame across the antimeridian shows places of both edges of the projection.
    var east = place.x - x
    if abs(east) > 0.5 { east -= east > 0 ? 1 : -1 }
    return ShareCard.Place(x: 0.5 + east / width, y: 0.5 + (place.y - y) / height)
  }

  /// The coordinate of a place in the picture.
  func point(x: Double, y: Double) -> Coordinate {
    WebMercator.point(x: self.x + (x - 0.5) * width, y: self.y + (y - 0.5) * height)
  }

  /// The middle of a cell of a zoom in the projection.
  static func middle(of cell: PointGrid.Cell, zoom: Int) -> (x: Double, y: Double) {
    let tiles = Double(1 << zoom)
    return ((Double(cell.x) + 0.5) / tiles, (Double(cell.y) + 0.5) / tiles)
  }

  /// The cells of a zoom within the picture. The one with the most devices has the weight `maxWeight`.
  func dots(_ cells: [PointGrid.Cell], zoom: Int, maxWeight: Double = 1) -> [ShareCard.Dot] {
    let maximum = Double(max(1, cells.map(\.count).max() ?? 1))
    // Cells at the edge may be outside by a rounding error.
    let visible = -1e-9...1 + 1e-9
    return cells.compactMap { cell in
      let found = place(Self.middle(of: cell, zoom: zoom))
      guard visible.contains(found.x), visible.contains(found.y) else { return nil }
      return ShareCard.Dot(
        x: found.x, y: found.y,
        weight: (Double(cell.count) / maximum).squareRoot() * maxWeight)
    }
  }
}
