import JSON

/// Geometries in well-known text (OGC 06-103r4, clause 7), also with the number of a coordinate system before them, as
/// PostGIS writes it: `SRID=25832;POINT (691603 5334760)`.
struct WellKnownText {
  /// Names of geometries and their names in GeoJSON.
  private static let names = [
    "POINT": "Point", "LINESTRING": "LineString", "POLYGON": "Polygon", "MULTIPOINT": "MultiPoint",
    "MULTILINESTRING": "MultiLineString", "MULTIPOLYGON": "MultiPolygon",
    "GEOMETRYCOLLECTION": "GeometryCollection",
  ]

  private var rest: Substring.UTF8View

  /// The geometry as GeoJSON, and the number of its coordinate system in EPSG; nil for any other text.
  static func geometry(_ text: String) -> (geometry: JSONValue, system: Int?)? {
    var body = text[...].drop(while: \.isWhitespace)
    var system: Int?
    if body.prefix(5).uppercased() == "SRID=", let end = body.firstIndex(of: ";") {
      system = Int(body[body.index(body.startIndex, offsetBy: 5)..<end])
      guard system != nil else { return nil }
      body = body[body.index(after: end)...]
    }
    var parser = WellKnownText(rest: body.utf8)
    guard let geometry = parser.geometry(depth: 0) else { return nil }
    parser.skipBlanks()
    return parser.rest.isEmpty ? (geometry, system) : nil
  }

  /// Words that begin geometries, including unsupported ones.
  private static let words: Set<String> = Set(names.keys).union([
    "SRID", "CIRCULARSTRING", "CIRCLE", "COMPOUNDCURVE", "CURVE", "CURVEPOLYGON", "MULTICURVE",
    "MULTISURFACE",
    "SURFACE", "POLYHEDRALSURFACE", "TIN", "TRIANGLE", "GEOMETRY", "BOX", "ENVELOPE", "BBOX",
  ])

  /// Whether a text begins like a geometry.
  static func isLikely(_ text: String) -> Bool {
    let word = text.drop(while: \.isWhitespace).prefix(while: \.isLetter)
    return words.contains(word.uppercased())
  }

  private mutating func geometry(depth: Int) -> JSONValue? {
    guard depth < 4, let type = Self.names[word()] else { return nil }
    skipBlanks()
    if let first = rest.first, first != UInt8(ascii: "(") {
      // The dimensions, which a map does not need.
      let word = word()
      guard ["Z", "M", "ZM"].contains(word) else { return nil }
    }
    var json = JSONObject()
    json["type"] = .string(type)
    if type == "GeometryCollection" {
      guard take("(") else { return nil }
      var members: [JSONValue] = []
      repeat {
        guard let member = geometry(depth: depth + 1) else { return nil }
        members.append(member)
      } while take(",")
      guard take(")") else { return nil }
      json["geometries"] = .array(members)
      return .object(json)
    }
    guard let found = parenthesis(depth: 0) else { return nil }
    switch type {
    case "Point": json["coordinates"] = found[0] ?? .null
    // MULTIPOINT ((1 2), (3 4)) is the same as MULTIPOINT (1 2, 3 4).
    case "MultiPoint" where found[0]?[0]?.arrayValue != nil:
      json["coordinates"] = .array((found.arrayValue ?? []).compactMap { $0[0] })
    default: json["coordinates"] = found
    }
    return .object(json)
  }

  /// Positions or further parentheses, separated by commas.
  private mutating func parenthesis(depth: Int) -> JSONValue? {
    guard depth < 4, take("(") else { return nil }
    var members: [JSONValue] = []
    repeat {
      skipBlanks()
      if rest.first == UInt8(ascii: "(") {
        guard let member = parenthesis(depth: depth + 1) else { return nil }
        members.append(member)
      } else {
        guard let position = position() else { return nil }
        members.append(position)
      }
    } while take(",")
    return take(")") ? .array(members) : nil
  }

  private mutating func position() -> JSONValue? {
    var numbers: [JSONValue] = []
    while let number = number() { numbers.append(.double(number)) }
    return (2...4).contains(numbers.count) ? .array(numbers) : nil
  }

  private mutating func number() -> Double? {
    skipBlanks()
    let text = rest.prefix { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
        UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
        true
      default: false
      }
    }
    guard !text.isEmpty, text.count <= 40, let number = Double(Substring(text)), number.isFinite
    else { return nil }
    rest = rest[text.endIndex...]
    return number
  }

  private mutating func word() -> String {
    skipBlanks()
    let letters = rest.prefix { (0x41...0x5A).contains($0 & 0xDF) }
    guard letters.count <= 20 else { return "" }
    rest = rest[letters.endIndex...]
    return Substring(letters).uppercased()
  }

  private mutating func take(_ sign: Unicode.Scalar) -> Bool {
    skipBlanks()
    guard rest.first == UInt8(ascii: sign) else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func skipBlanks() {
    rest = rest[(rest.firstIndex { $0 != 0x20 && !(0x09...0x0D).contains($0) } ?? rest.endIndex)...]
  }
}
