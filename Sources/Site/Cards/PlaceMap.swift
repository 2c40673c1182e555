import PrivacyMap
import Reference

/// The map of a place on a card: its border, those beside it and the cells with devices, on a square.
struct PlaceMap {
  let outlines: [ShareCard.Outline]
  private let square: Square

  /// A square on the Web Mercator projection, whose world has sides of 1.
  private struct Square {
    let x, y, side: Double

    func dot(_ x: Double, _ y: Double, weight: Double = 0) -> ShareCard.Dot {
      ShareCard.Dot(x: 0.5 + (x - self.x) / side, y: 0.5 + (y - self.y) / side, weight: weight)
    }
  }

  /// The side of the map on a card, for which the drawings of borders are chosen.
  private static let pixels = 400.0

  /// Nil without a border, and for one that crosses the antimeridian.
  init?(_ place: PlaceStore.Place, _ places: PlaceStore, _ language: String) throws {
    guard let id = place.id, place.hasBorder, place.box.west <= place.box.east else { return nil }
    let box = FixedBox.halves(of: place.box)
    guard let bounds = box.first, box.count == 1 else { return nil }
    let west = WebMercator.x(longitudeUnits: Double(bounds.west))
    let east = WebMercator.x(longitudeUnits: Double(bounds.east))
    let north = WebMercator.y(latitudeUnits: Double(bounds.north))
    let south = WebMercator.y(latitudeUnits: Double(bounds.south))
    let square = Square(
      x: (west + east) / 2, y: (north + south) / 2,
      side: max(east - west, south - north, 1e-9) * 1.06)
    self.square = square
    var zoom = 0
    while zoom < 20, Double(512 << zoom) * square.side < Self.pixels { zoom += 1 }
    func outline(_ id: Int64, isOwn: Bool) throws -> ShareCard.Outline? {
      try places.drawing(of: id, atZoom: zoom).map { shape in
        ShareCard.Outline(
          rings: shape.polygons.joined().map { ring in
            ring.map { corner in
              square.dot(
                WebMercator.x(longitudeUnits: Double(corner.longitude)),
                WebMercator.y(latitudeUnits: Double(corner.latitude)))
            }
          }, isOwn: isOwn)
      }
    }
    let beside = try places.neighbours(of: place, limit: Self.maxBeside, language: language)
      .filter(\.hasBorder).compactMap(\.id)
    // The place itself covers the lines of its neighbours.
    outlines =
      try beside.compactMap { try outline($0, isOwn: false) }
      + [outline(id, isOwn: true)].compactMap { $0 }
  }

  private static let maxBeside = 12

  /// The middles of cells of a zoom.
  func dots(_ cells: [PointGrid.Cell], zoom: Int) -> [ShareCard.Dot] {
    let side = Double(1 << zoom)
    let maximum = Double(cells.map(\.count).max() ?? 1)
    return cells.map { cell in
      square.dot(
        (Double(cell.x) + 0.5) / side, (Double(cell.y) + 0.5) / side,
        weight: (Double(cell.count) / maximum).squareRoot() * 0.6)
    }
  }
}
