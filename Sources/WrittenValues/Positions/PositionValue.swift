import JSON

/// Reads positions in any notation of a single value.
extension WrittenPosition {
  /// Names of members with a coordinate.
  private static let latitudes = ["latitude", "lat", "y"]
  private static let longitudes = ["longitude", "lon", "lng", "long", "x"]

  /// Reads the texts of a column: one in any notation, or the numbers of a list.
  ///
  /// - Returns: nil if it is not a position.
  package static func read(_ texts: [String], _ notation: Notation) -> WrittenPosition? {
    if texts.count == 1, let text = texts.first { return read(text, notation) }
    guard (2...4).contains(texts.count), let first = PlainNumber.read(texts[0]),
      let second = PlainNumber.read(texts[1])
    else { return nil }
    return WrittenPosition(first: first, second: second)
  }

  private static func read(_ text: String, _ notation: Notation) -> WrittenPosition? {
    let text = String(text.trimming(\.isWhitespace))
    guard let first = text.first, text.utf8.count <= 1 << 20 else { return nil }
    if notation.isGeohash { return Geohash.position(text) }
    if first == "{" || first == "[", let json = try? JSONValue(parsing: Array(text.utf8)) {
      return read(json)
    }
    if let found = WellKnownText.geometry(text) ?? WellKnownBinary.geometry(text) {
      return onGeometry(found.geometry, in: found.system.flatMap { $0 > 0 ? "EPSG:\($0)" : nil })
    }
    return MapLink.position(text) ?? PlusCode.position(text) ?? GridReference.position(text)
      ?? DegreesText.pair(text, notation) ?? withHeight(text)
      ?? behindAddress(text, notation)
  }

  /// Two degrees and a height, `38.7223, -9.1393, 12`, or, without commas, also the metres of accuracy, as OpenDataKit
  /// writes them. Degrees have at least three decimals here, which minutes have not.
  private static func withHeight(_ text: String) -> WrittenPosition? {
    let hasCommas = text.contains(",")
    let parts = text.split { hasCommas ? $0 == "," : $0 == " " }
    let numbers = parts.compactMap { PlainNumber.read($0.trimming(\.isWhitespace)) }
    guard numbers.count == parts.count, numbers.count == 3 || numbers.count == 4 && !hasCommas,
      parts.prefix(2).allSatisfy({
        ($0.split(separator: ".").last?.count ?? 0) >= 3 && $0.contains(".")
      })
    else { return nil }
    var position = WrittenPosition(first: numbers[0], second: numbers[1])
    // A text of KML has the longitude first, and other lists the latitude.
    if hasCommas { position.needsOrder = true }
    if numbers.count == 4, numbers[3] > 0 {
      position.precision = StatedPrecision.precision(metres: numbers[3])
    }
    return position
  }

  /// A pair in parentheses, or in the last line, behind an address, as Socrata writes locations.
  private static func behindAddress(_ text: String, _ notation: Notation) -> WrittenPosition? {
    if text.last == ")", let start = text.lastIndex(of: "(") {
      // A geometry in a form that is not read has another order.
      guard !WellKnownText.isLikely(text) else { return nil }
      return DegreesText.pair(String(text[start...]), notation)
    }
    guard let line = text.lastIndex(where: \.isNewline) else { return nil }
    return DegreesText.pair(String(text[text.index(after: line)...]), notation)
  }

  /// A geometry of GeoJSON, a list of numbers, or an object whose members are the coordinates.
  private static func read(_ json: JSONValue) -> WrittenPosition? {
    if let numbers = json.arrayValue {
      guard (2...4).contains(numbers.count), let first = number(numbers[0]),
        let second = number(numbers[1])
      else { return nil }
      return WrittenPosition(first: first, second: second)
    }
    if json["type"]?.stringValue != nil, json["coordinates"] != nil || json["geometries"] != nil {
      return onGeometry(json, in: nil)
    }
    guard let latitude = member(of: json, latitudes), let longitude = member(of: json, longitudes)
    else { return nil }
    let system = json["spatialReference"].flatMap(CoordinateSystemName.ofEsri)
    return WrittenPosition(
      first: longitude, second: latitude, order: .longitudeFirst,
      numbers: system.map { .system($0) } ?? .ofList)
  }

  private static func member(of json: JSONValue, _ names: [String]) -> Double? {
    names.lazy.compactMap { json[$0].flatMap(number) }.first
  }

  private static func number(_ json: JSONValue) -> Double? {
    json.numberValue ?? json.stringValue.flatMap { PlainNumber.read($0) }
  }

  private static func onGeometry(_ geometry: JSONValue, in system: String?) -> WrittenPosition? {
    let numbers = system.map { Numbers.system($0) } ?? .ofList
    switch GeoJSONGeometry.place(geometry) {
    case .point(let x, let y):
      return WrittenPosition(first: x, second: y, order: .longitudeFirst, numbers: numbers)
    case .pointOnShape(let x, let y):
      return WrittenPosition(
        first: x, second: y, order: .longitudeFirst, numbers: numbers, isOnShape: true)
    case .none, .unusable: return nil
    }
  }
}
