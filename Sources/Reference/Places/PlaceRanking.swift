import Foundation
import PrivacyMap

/// The order of the places that match a search text.
///
/// The score of a place is the sum of its match (``PlaceStore``), its size in powers of ten of its population,
/// its nearness to the middle of the map, and its country for readers of European Portuguese. So «São Vicente»
/// is the town of Madeira on a map of Madeira, and the city of Brazil elsewhere.
struct PlaceRanking {
  /// The middle of the map.
  var near: Coordinate?
  var language: String

  /// A place, its names in English and Portuguese, and the bonus of the best match of all its names.
  struct Candidate {
    let place: PlaceStore.Place
    /// The first name is the one that cities give as their region.
    let names: [String]
    let bonus: Double
  }

  /// The bonus of a place with exactly the typed name, in English or Portuguese.
  static let exactName = 3.0
  /// The bonus of a place that has exactly the typed name in another language or had it long ago.
  static let exactAlternate = 2.0

  /// The bonus of a place within ``close``: as much as five hundred times the population, so that Portugal's Lagos
  /// comes before Nigeria's there. It falls with the logarithm of the distance and ends at ``far``.
  private static let nearby = 2.7
  private static let close = 25_000.0  // metres
  private static let far = 500_000.0  // metres

  /// A reader of European Portuguese means Portugal's Santarém, which has an eighth of the people of Brazil's.
  private static let ownCountry = 0.9

  /// The best `limit` candidates, best first. Equal ones keep their order.
  func best(_ candidates: [Candidate], limit: Int) -> [PlaceStore.Place] {
    var scores = candidates.map(score)
    for (index, region) in candidates.enumerated() where region.place.kind == "region" {
      let cities = zip(candidates, scores).filter { Self.isMeant($0.0, insteadOf: region) }
      if let best = cities.map(\.1).max() { scores[index] = min(scores[index], best - 0.001) }
    }
    return zip(candidates, scores).enumerated()
      .sorted { ($1.element.1, $0.offset) < ($0.element.1, $1.offset) }
      .prefix(limit).map(\.element.0.place)
  }

  private func score(_ candidate: Candidate) -> Double {
    let place = candidate.place
    return candidate.bonus + log10(Double(max(place.population, 1))) + nearness(of: place)
      + (language == "pt" && place.country == "PT" ? Self.ownCountry : 0)
  }

  private func nearness(of place: PlaceStore.Place) -> Double {
    guard let near else { return 0 }
    // The position of a country or a region is one point of a wide area.
    if place.kind != "city", place.box.contains(near) { return Self.nearby }
    let distance = max(near.distance(to: place.position), Self.close)
    return max(0, Self.nearby * (1 - log(distance / Self.close) / log(Self.far / Self.close)))
  }

  /// Whether a text that names a region means a city instead: «Zürich», «New York», «Washington», but not
  /// «Oklahoma» for its largest city, or for a village of that name elsewhere.
  private static func isMeant(_ city: Candidate, insteadOf region: Candidate) -> Bool {
    let (town, area) = (city.place, region.place)
    guard town.kind == "city", town.country == area.country else { return false }
    let isInside = region.names.first == town.region
    if city.bonus >= region.bonus, region.names.first.map(city.names.contains) == true {
      return isInside || (town.population >= 300_000 && town.population >= area.population / 20)
    }
    // Known by the name of its region: a city of a million, or a third of the people of the region.
    return isInside && city.bonus >= exactAlternate
      && (town.population >= 1_000_000 || town.population >= area.population / 3)
  }
}
