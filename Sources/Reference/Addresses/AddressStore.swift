package import Logging
import PrivacyMap

/// A street, a house or a postcode that a search text may mean.
struct FoundAddress: Sendable {
  /// The quality of its match; the best first.
  enum Match: Int, Comparable {
    case postcode, address, street, addressOfSimilarNumber, beginningOfPostcode, streetWithoutNumber

    static func < (one: Match, other: Match) -> Bool { one.rawValue < other.rawValue }
  }

  let match: Match
  let name: String
  /// Postcode and town, in the order of its country.
  let locality: String?
  let position: Coordinate
  let box: BoundingBox

  /// Its kind, as responses name it.
  var kind: String {
    switch match {
    case .postcode, .beginningOfPostcode: "postcode"
    case .address, .addressOfSimilarNumber: "address"
    case .street, .streetWithoutNumber: "street"
    }
  }
}

/// The address search of all street maps.
package struct AddressStore: Sendable {
  private let files: [AddressFile]

  /// Opens files that `setup/addresses.py` created. An unreadable file is logged and left out, because the map works
  /// without it.
  package init(paths: [String], logger: Logger) {
    files = paths.compactMap { path in
      do { return try AddressFile(path: path) } catch {
        logger.warning("an address search cannot be read: \(error)")
        return nil
      }
    }
  }

  /// The credits that the licences of the files require.
  var attribution: String? {
    let credits = files.map(\.attribution).filter { !$0.isEmpty }
    return credits.isEmpty
      ? nil
      : credits.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        .joined(separator: " · ")
  }

  /// Two results nearer to each other than this, in metres, with the same name are one: extracts overlap.
  private static let sameWithin = 1_000.0

  /// The best matches first, and of equal ones the nearest to the middle of the map.
  func addresses(_ typed: String, near middle: Coordinate?, limit: Int) throws -> [FoundAddress] {
    guard !files.isEmpty else { return [] }
    let query = AddressQuery(typed)
    let found = try files.flatMap { try $0.addresses(query, near: middle, limit: limit) }
    var ordered = found.enumerated().map { at, one in
      (one, rank: one.match, away: middle.map { one.position.distance(to: $0) } ?? Double(at))
    }.sorted { ($0.rank, $0.away) < ($1.rank, $1.away) }.map(\.0)
    // A street without the number is only better than nothing.
    let isFound = ordered.contains { $0.match < .beginningOfPostcode }
    if isFound { ordered.removeAll { $0.match >= .beginningOfPostcode } }
    var kept: [FoundAddress] = []
    for one in ordered where kept.count < limit {
      let isKnown = kept.contains { other in
        other.name == one.name && other.locality == one.locality
          && other.position.distance(to: one.position) < Self.sameWithin
      }
      if !isKnown { kept.append(one) }
    }
    return kept
  }
}
