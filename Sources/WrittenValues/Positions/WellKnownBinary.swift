import JSON

/// Geometries in well-known binary (OGC 06-103r4, clause 8) in hexadecimal digits, with the extensions of PostGIS
/// (EWKB): the form of a database column in an export.
struct WellKnownBinary {
  private static let names: [UInt32: String] = [
    1: "Point", 2: "LineString", 3: "Polygon", 4: "MultiPoint", 5: "MultiLineString",
    6: "MultiPolygon", 7: "GeometryCollection",
  ]
  /// Flags of PostGIS in the number of the type.
  private static let (hasZ, hasM, hasSystem): (UInt32, UInt32, UInt32) = (1 << 31, 1 << 30, 1 << 29)

  private var rest: ArraySlice<UInt8>
  private var isBig = false
  private var system: Int?

  /// The geometry as GeoJSON, and the number of its coordinate system in EPSG; nil for any other text.
  static func geometry(_ text: String) -> (geometry: JSONValue, system: Int?)? {
    var digits = Array(text.utf8)
    if digits.starts(with: Array("\\x".utf8)) || digits.starts(with: Array("0x".utf8)) {
      digits.removeFirst(2)
    }
    // The shortest point has 21 bytes; each begins with the order of its bytes.
    guard digits.count >= 42, digits.count.isMultiple(of: 2), digits[0] == UInt8(ascii: "0"),
      let bytes = bytes(digits)
    else { return nil }
    var parser = WellKnownBinary(rest: bytes[...])
    guard let geometry = parser.geometry(depth: 0), parser.rest.isEmpty else { return nil }
    return (geometry, parser.system)
  }

  private static func bytes(_ digits: [UInt8]) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2)
    for place in stride(from: 0, to: digits.count, by: 2) {
      guard let high = value(digits[place]), let low = value(digits[place + 1]) else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  private mutating func geometry(depth: Int) -> JSONValue? {
    guard depth < 4, let order = rest.popFirst(), order < 2 else { return nil }
    isBig = order == 0
    guard let code = number() else { return nil }
    if code & Self.hasSystem != 0 {
      guard let number = number() else { return nil }
      system = Int(number)
    }
    let kind = code & 0x0FFF_FFFF
    // ISO adds a thousand for each of Z and M.
    let dimensions = kind / 1_000
    guard dimensions <= 3, let type = Self.names[kind % 1_000] else { return nil }
    let more =
      (code & Self.hasZ != 0 || dimensions == 1 || dimensions == 3 ? 1 : 0)
      + (code & Self.hasM != 0 || dimensions >= 2 ? 1 : 0)
    var json = JSONObject()
    json["type"] = .string(type)
    switch type {
    case "Point": json["coordinates"] = position(more)
    case "LineString": json["coordinates"] = list { $0.position(more) }
    case "Polygon": json["coordinates"] = list { $0.list { $0.position(more) } }
    case "GeometryCollection": json["geometries"] = list { $0.geometry(depth: depth + 1) }
    default: json["coordinates"] = list { $0.geometry(depth: depth + 1)?["coordinates"] }
    }
    return json.members.count == 2 ? .object(json) : nil
  }

  private mutating func list(_ element: (inout Self) -> JSONValue?) -> JSONValue? {
    // An element has at least four bytes.
    guard let count = number(), Int(count) * 4 <= rest.count else { return nil }
    var elements: [JSONValue] = []
    for _ in 0..<count {
      guard let found = element(&self) else { return nil }
      elements.append(found)
    }
    return .array(elements)
  }

  private mutating func position(_ more: Int) -> JSONValue? {
    guard let x = double(), let y = double() else { return nil }
    for _ in 0..<more { guard double() != nil else { return nil } }
    return x.isFinite && y.isFinite ? .array([.double(x), .double(y)]) : nil
  }

  private mutating func number() -> UInt32? {
    take(4).map { $0.reduce(0) { $0 << 8 | UInt32($1) } }
  }

  private mutating func double() -> Double? {
    take(8).map { Double(bitPattern: $0.reduce(0) { $0 << 8 | UInt64($1) }) }
  }

  /// The next bytes, the highest first.
  private mutating func take(_ count: Int) -> [UInt8]? {
    guard rest.count >= count else { return nil }
    let bytes = rest.prefix(count)
    rest = rest.dropFirst(count)
    return isBig ? Array(bytes) : bytes.reversed()
  }
}
