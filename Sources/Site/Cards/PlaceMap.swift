import PrivacyMap
import Reference

/// The map of a place on a card: its border and its neighbours' borders, on a square.
struct PlaceMap {
  let outlines: [ShareCard.Outline]
  let frame: CardFrame

  /// The side of the map on a card, for which the drawings of borders are chosen.
  private static let pixels = 400.0
  private static let maxBeside = 12

  /// Nil without a border.
  init?(_ place: PlaceStore.Place, _ places: PlaceStore, _ language: String) throws {
    let boxes = FixedBox.halves(of: place.box)
    guard let id = place.id, place.hasBorder, let west = boxes.first, let east = boxes.last else {
      return nil
    }
    func position(_ longitude: Int32, _ latitude: Int32) -> (x: Double, y: Double) {
      (
        WebMercator.x(longitudeUnits: Double(longitude)),
        WebMercator.y(latitudeUnits: Double(latitude))
      )
    }
    var corners = [position(west.west, west.north), position(east.east, east.south)]
    // Across the antimeridian.
    if boxes.count > 1 { corners[1].x += 1 }
    guard let frame = CardFrame(around: corners, enlargedBy: 1.06, minHeight: 1.06e-9) else {
      return nil
    }
    self.frame = frame
    var zoom = 0
    while zoom < 20, Double(512 << zoom) * frame.width < Self.pixels { zoom += 1 }
    func outline(_ id: Int64, isOwn: Bool) throws -> ShareCard.Outline? {
      try places.drawing(of: id, atZoom: zoom).map { shape in
        ShareCard.Outline(
          rings: shape.polygons.joined().map { ring in
            ring.map { frame.place(position($0.longitude, $0.latitude)) }
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
}
