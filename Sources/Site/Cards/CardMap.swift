import Drawing
import JSON
import PrivacyMap

/// The part of the world around the area of a mapping day, in Web Mercator. Places are 0…1 from the upper left corner of
/// a picture.
struct CardMap: Equatable, Sendable {
  typealias Place = ShareCard.Place

  /// The corners of the area.
  let area: [Coordinate]
  let meeting: Coordinate?
  /// Devices on the map.
  var dots: [ShareCard.Dot] = []
  private let middle: (x: Double, y: Double)
  private let width, height: Double

  /// How much of the surroundings is shown, as a multiple of the area.
  private static let room = 1.35
  /// The smallest height, as a part of the world: about half a kilometre at the equator.
  private static let minHeight = 1.25e-5
  /// Land is looked up at points of a grid with so many columns.
  private static let columns = 226

  /// Nil if the text of the area is no polygon in GeoJSON. `aspect` is the width of the picture through its height.
  init?(area text: String, meeting: Coordinate?, aspect: Double) {
    guard let json = try? JSONValue(parsing: Array(text.utf8)),
      let ring = json["coordinates"]?.arrayValue?.first?.arrayValue
    else { return nil }
    area = ring.compactMap { corner in
      guard let pair = corner.arrayValue, pair.count == 2, let longitude = pair[0].numberValue,
        let latitude = pair[1].numberValue
      else { return nil }
      return Coordinate.clamped(longitude: longitude, latitude: latitude)
    }
    self.meeting = meeting
    let places = (area + [meeting].compactMap { $0 }).map(WebMercator.place)
    guard let west = places.map(\.x).min(), let east = places.map(\.x).max(),
      let north = places.map(\.y).min(), let south = places.map(\.y).max()
    else { return nil }
    middle = ((west + east) / 2, (north + south) / 2)
    height = max((south - north) * Self.room, (east - west) * Self.room / aspect, Self.minHeight)
    width = height * aspect
  }

  static func == (one: CardMap, other: CardMap) -> Bool {
    one.area == other.area && one.meeting == other.meeting && one.dots == other.dots
  }

  /// Everything that the drawing depends on.
  var content: [String] {
    (area + [meeting].compactMap { $0 }).map { "\($0.longitude),\($0.latitude)" }
      + dots.flatMap { ["\($0.x)", "\($0.y)", "\($0.weight)"] }
  }

  /// West, south, east and north, as a `bbox` parameter.
  var box: String {
    let (first, last) = (point(x: 0, y: 1), point(x: 1, y: 0))
    return [first.longitude, first.latitude, last.longitude, last.latitude]
      .map { "\(($0 * 1e6).rounded() / 1e6)" }.joined(separator: ",")
  }

  func place(of point: Coordinate) -> Place { place(WebMercator.place(of: point)) }

  /// The dots of cells of a grid.
  func dots(_ cells: [PointGrid.Cell], zoom: Int) -> [ShareCard.Dot] {
    let tiles = Double(1 << zoom)
    let maximum = Double(max(1, cells.map(\.count).max() ?? 1))
    return cells.compactMap { cell in
      let found = place(((Double(cell.x) + 0.5) / tiles, (Double(cell.y) + 0.5) / tiles))
      guard (0...1).contains(found.x), (0...1).contains(found.y) else { return nil }
      return ShareCard.Dot(
        x: found.x, y: found.y, weight: (Double(cell.count) / maximum).squareRoot())
    }
  }

  /// The land as rectangles within a panel of a picture.
  func land(_ countries: CountryMap?, in panel: Rectangle) -> [Rectangle] {
    guard let countries else { return [panel] }
    let side = panel.width / Double(Self.columns)
    return (0..<Int(panel.height / side)).flatMap { row -> [Rectangle] in
      let y = (Double(row) + 0.5) * side / panel.height
      var found: [Rectangle] = []
      var start: Int?
      for column in 0...Self.columns {
        let x = (Double(column) + 0.5) / Double(Self.columns)
        let isLand = column < Self.columns && countries.isLand(at: point(x: x, y: y))
        if isLand, start == nil { start = column }
        guard !isLand, let from = start else { continue }
        start = nil
        found.append(
          Rectangle(
            x: panel.x + Double(from) * side, y: panel.y + Double(row) * side,
            width: Double(column - from) * side, height: side))
      }
      return found
    }
  }

  private func place(_ square: (x: Double, y: Double)) -> Place {
    Place(x: 0.5 + (square.x - middle.x) / width, y: 0.5 + (square.y - middle.y) / height)
  }

  private func point(x: Double, y: Double) -> Coordinate {
    WebMercator.point(x: middle.x + (x - 0.5) * width, y: middle.y + (y - 0.5) * height)
  }
}
