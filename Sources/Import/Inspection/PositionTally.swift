internal import Projections
import WrittenValues

/// Determines whether the values of a column are positions.
struct PositionTally {
  private var seen = 0
  private var found = 0
  private var orders: [WrittenPosition.Order?: Int] = [:]
  private(set) var hasLetterO = false
  private let isGeohash: Bool

  /// `isGeohash`: the name of the column says that its values are geohashes, which words may be, too.
  init(isGeohash: Bool) { self.isGeohash = isGeohash }

  /// The number of values after which a column without positions is no longer inspected.
  private static let enough = 200

  /// The position in a value; nil if the value or the column contains no position.
  mutating func read(_ text: String, _ systems: CoordinateSystems) -> WrittenPosition? {
    guard seen < Self.enough || isMost else { return nil }
    seen += 1
    guard PlainNumber.read(text) == nil else { return nil }
    var notation = WrittenPosition.Notation()
    notation.isGeohash = isGeohash
    var position = WrittenPosition.read([text], notation)
    if position == nil {
      notation.isOEast = false
      position = WrittenPosition.read([text], notation)
      if position != nil { hasLetterO = true }
    }
    guard var position else { return nil }
    found += 1
    orders[position.order, default: 0] += 1
    if case .system(let code) = position.numbers, let system = systems.system(code) {
      let (x, y) = position.ordered(nil)
      guard let degrees = system.degrees(x: x, y: y) else { return nil }
      (position.first, position.second) = (degrees.longitude, degrees.latitude)
      position.order = .longitudeFirst
    }
    return position
  }

  /// A third is enough: a list may have other words where a position is unknown.
  var isMost: Bool { found > 0 && found * 3 >= seen }

  /// The order that the notation of most values states.
  var order: WrittenPosition.Order? {
    orders.max { ($0.value, $0.key?.rawValue ?? "") < ($1.value, $1.key?.rawValue ?? "") }?.key
  }
}
