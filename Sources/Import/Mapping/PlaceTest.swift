import PrivacyMap
import WrittenValues

/// A condition on the position of a row.
enum PlaceTest: Equatable, Sendable {
  /// The position is in one of these countries (ISO 3166-1 alpha-2).
  case country(Set<String>)
  /// The position is in a known country, which is not one of these.
  case otherCountry(Set<String>)
  /// The position is farther away than this many metres from a box.
  case fartherThan(Double, from: ImportMapping.Bounds)

  /// Reads `country`, `other_country`, or `farther_than` with `from`.
  ///
  /// - Returns: nil if the condition has no such member.
  init?(_ members: [String: MappingNode], in node: MappingNode) throws(InvalidMapping) {
    if let codes = members["country"] {
      self = .country(try Self.codes(codes))
    } else if let codes = members["other_country"] {
      self = .otherCountry(try Self.codes(codes))
    } else if let distance = members["farther_than"] {
      let metres = try distance.number()
      guard metres >= 0 else { throw distance.fault("must be metres, at least 0") }
      guard let from = members["from"] else { throw node.fault("needs from") }
      self = .fartherThan(metres, from: try Self.area(from))
    } else {
      return nil
    }
  }

  private static func codes(_ node: MappingNode) throws(InvalidMapping) -> Set<String> {
    let codes = try node.texts()
    for code in codes
    where code.utf8.count != 2 || !code.utf8.allSatisfy({ (65...90).contains($0) }) {
      throw node.fault("“\(code)” is not a country code of two capital letters")
    }
    return Set(codes)
  }

  /// `[west, south, east, north]`, or a point `[longitude, latitude]`.
  private static func area(_ node: MappingNode) throws(InvalidMapping) -> ImportMapping.Bounds {
    var numbers: [Double] = []
    for edge in try node.list() { numbers.append(try edge.number()) }
    if numbers.count == 2 { numbers += numbers }
    guard numbers.count == 4, numbers[0] <= numbers[2], numbers[1] <= numbers[3],
      numbers[0] >= -180, numbers[2] <= 180, numbers[1] >= -90, numbers[3] <= 90
    else {
      throw node.fault(
        "must be longitude, latitude or west, south, east, north in degrees")
    }
    return ImportMapping.Bounds(
      west: numbers[0], south: numbers[1], east: numbers[2], north: numbers[3])
  }

  /// Whether a position passes. `countries` is nil if set-up has not built the map of countries; then no
  /// position has a country.
  func holds(at position: Coordinate, countries: CountryMap?) -> Bool {
    switch self {
    case .country(let codes):
      return countries?.country(at: position).country.map(codes.contains) ?? false
    case .otherCountry(let codes):
      guard let found = countries?.country(at: position), !found.isUncertain,
        let code = found.country
      else { return false }
      return !codes.contains(code)
    case .fartherThan(let metres, let area):
      return Self.distance(from: position, to: area) > metres
    }
  }

  /// Metres to the nearest point of a box; 0 inside.
  private static func distance(from point: Coordinate, to area: ImportMapping.Bounds) -> Double {
    let latitude = min(max(point.latitude, area.south), area.north)
    // The shorter way may cross the antimeridian.
    let edges = [min(max(point.longitude, area.west), area.east), area.west, area.east]
    return edges.compactMap { longitude in
      (try? Coordinate(longitude: longitude, latitude: latitude)).map { point.distance(to: $0) }
    }.min() ?? 0
  }
}

/// A comparison of a column with numbers.
struct NumberTest: Equatable, Sendable {
  private var atLeast = -Double.infinity
  private var atMost = Double.infinity
  private var above = -Double.infinity
  private var below = Double.infinity
  /// Whether the condition only asks if the value is a number.
  private var isNumber: Bool?
  private var decimal = PlainNumber.Decimal.point

  static let keys = ["at_least", "at_most", "above", "below", "number"]

  /// Reads `number`, or one or more of `at_least`, `at_most`, `above` and `below`.
  ///
  /// - Returns: nil if the condition has no such member.
  init?(_ members: [String: MappingNode]) throws(InvalidMapping) {
    guard Self.keys.contains(where: { members[$0] != nil }) else { return nil }
    isNumber = try members["number"]?.flag()
    atLeast = try members["at_least"]?.number() ?? atLeast
    atMost = try members["at_most"]?.number() ?? atMost
    above = try members["above"]?.number() ?? above
    below = try members["below"]?.number() ?? below
    if let sign = members["decimal"] {
      guard let known = PlainNumber.Decimal(rawValue: try sign.text()) else {
        throw sign.fault("must be “.” or “,”")
      }
      decimal = known
    }
  }

  /// Whether one of the values is such a number. An empty column never is.
  func holds(_ values: [String]) -> Bool {
    values.contains { text in
      guard let number = PlainNumber.read(text, decimal: decimal) else { return isNumber == false }
      return isNumber != false && number >= atLeast && number <= atMost && number > above
        && number < below
    }
  }
}
