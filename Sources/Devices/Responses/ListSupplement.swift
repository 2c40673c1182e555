import JSON
import PrivacyMap
import Reference
import Service
import SpatialDatabase

/// Facts about a list of devices that a page shows with it, so that one request is enough.
enum ListSupplement: String, CaseIterable {
  /// The number of devices of each category in the whole list.
  case kinds
  /// The town nearest to each device of the page.
  case places

  /// The devices of a page for which ``places`` names a town. More would take too long.
  static let maxPlaces = 50

  static let parameter = Parameter.query(
    "with", .codes(allCases.map(\.rawValue)),
    "Further members of the response: `kinds` has the number of devices of each category in the whole list, `places` "
      + "the town nearest to each of the first \(maxPlaces) devices of the page, or null.")

  /// Reads `with`.
  static func read(_ text: String?) throws -> [ListSupplement] {
    guard let text else { return [] }
    let codes = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let found = try codes.map { code in
      guard let one = ListSupplement(rawValue: code) else {
        throw InvalidInput.unknownCode("with", code)
      }
      return one
    }
    return allCases.filter(found.contains)
  }

  /// The members as the schema of a list declares them.
  static var schemas: [(String, JSONSchema)] {
    [
      (
        "kinds",
        .list(of: ["category": .text, "count": .integer(from: 1)]).optional
      ), ("places", NearestPlace.schema.optional),
    ]
  }

  /// Writes the member.
  func write(
    _ page: DeviceStore.Page, of filter: DeviceFilter, store: DeviceStore, places: PlaceStore?,
    language: String, to json: inout JSONWriter, _ connection: borrowing Connection
  ) throws {
    json.key(rawValue)
    switch self {
    case .kinds:
      let counts = try store.categoryCounts(filter, connection)
      json.value(
        .array(
          counts.map { ["category": .string($0.category), "count": .integer(Int64($0.count))] }))
    case .places:
      let positions = try DeviceStore.positions(
        of: page.rows.prefix(Self.maxPlaces), connection)
      let found =
        try places?.nearestPlaces(to: positions, language: language) ?? positions.map { _ in nil }
      json.value(NearestPlace.json(found))
    }
  }
}
