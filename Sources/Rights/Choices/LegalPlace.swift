import PrivacyMap
import Reference

/// The place that determines the law for a device: its country and, where the law differs by state, its
/// state.
struct LegalPlace: Sendable {
  var country: String?
  /// The ISO 3166-2 code of the state; nil if it is unknown or does not matter.
  var region: String?
  /// Whether another state of the country is possible.
  var isRegionUncertain = false
  /// The name of the region in the gazetteer, for regions that have their own language.
  var regionName: String?
}

/// Determines the legal place of devices from the map of countries and the gazetteer.
struct LegalPlaces: Sendable {
  let rights: RightsBook
  let places: PlaceStore?
  let countries: CountryMap?

  /// So many of the nearest towns must be in the same state, or the state is uncertain.
  private static let agreeing = 6

  /// The legal place of a device. The country and the state that a person gives apply only where the record's values
  /// are missing or uncertain.
  func place(
    of device: ChosenDevice, country: String? = nil, region: String? = nil
  ) throws -> LegalPlace {
    var place = LegalPlace(country: device.country(orRather: country))
    guard let country = place.country else { return place }
    let point = Coordinate.clamped(longitude: device.longitude, latitude: device.latitude)
    place.region = countries?.country(at: point).state
    guard rights.dependsOnRegion(country) else { return place }
    let names = try places?.regions(near: point, in: country, count: Self.agreeing) ?? []
    place.regionName = names.first
    guard rights.hasStateLaw(country) else { return place }
    place.region = names.first.flatMap { rights.state(named: $0, in: country) }
    place.isRegionUncertain = names.count < Self.agreeing || Set(names).count > 1
    if place.isRegionUncertain || place.region == nil, let region,
      rights.regime(in: LegalPlace(country: country, region: region)) != nil
    {
      place.region = region
    }
    return place
  }

  /// The countries in which a device near a border may be, the country of its record first.
  func possibleCountries(of device: ChosenDevice) -> [String] {
    guard device.isCountryUncertain else { return [] }
    let point = Coordinate.clamped(longitude: device.longitude, latitude: device.latitude)
    let near = countries?.countries(near: point) ?? []
    return [device.country].compactMap { $0 } + near.filter { $0 != device.country }
  }
}
