import Drawing
import JSON
import PrivacyMap

/// The part of the world around the area of a mapping day, in Web Mercator. Places are 0…1 from the upper left corner
/// of a picture.
struct CardMap: Equatable, Sendable {
  /// The corners of the area.
  let area: [Coordinate]
  let meeting: Coordinate?
  /// Devices on the map.
  var dots: [ShareCard.Dot] = []
  let frame: CardFrame

  /// The size of the map as a multiple of the area, so that it shows some surroundings.
  private static let room = 1.35
  /// The smallest height, as a part of the world: about half a kilometre at the equator.
  private static let minHeight = 1.25e-5
  /// Land is looked up at points of a grid with so many columns.
  private static let columns = 226

  /// Nil if the text of the area is not a polygon in GeoJSON. `aspect` is the picture's width divided by its height.
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
    let frame = CardFrame(
      around: places, enlargedBy: Self.room, aspect: aspect, minHeight: Self.minHeight)
    guard let frame else { return nil }
    self.frame = frame
  }

  /// Everything that the drawing depends on.
  var content: [String] {
    (area + [meeting].compactMap { $0 }).map { "\($0.longitude),\($0.latitude)" }
      + dots.flatMap { ["\($0.x)", "\($0.y)", "\($0.weight)"] }
  }

  /// West, south, east and north, as a `bbox` parameter.
  var box: String {
    let (first, last) = (frame.point(x: 0, y: 1), frame.point(x: 1, y: 0))
    return [first.longitude, first.latitude, last.longitude, last.latitude]
      .map { "\(($0 * 1e6).rounded() / 1e6)" }.joined(separator: ",")
  }

  func place(of point: Coordinate) -> ShareCard.Place {
    frame.place(WebMercator.place(of: point))
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
        let isLand = column < Self.columns && countries.isLand(at: frame.point(x: x, y: y))
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
}
