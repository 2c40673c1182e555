import Devices
import PrivacyMap
import Reference

extension WatchFilter {
  /// The area of a watch as it is compared. A place is the inside of its border, whose box may not have been known when
  /// the watch was stored. A part of a country is the country, and the positions nearest to the part.
  func bordered(_ area: WatchArea) -> (area: WatchArea, regions: [Region]) {
    guard case .place(let id, let name, _) = area, let number = Int64(id),
      let place = try? parameters.places?.area(of: number)
    else { return (area, []) }
    if let country = place.country { return (.country(country), place.regions) }
    guard let box = place.box, !place.regions.isEmpty else { return (area, []) }
    return (.place(id: id, name: name, box: box), place.regions)
  }
}
