import Devices
import PrivacyMap
import Reference

extension WatchFilter {
  /// The area of a watch as it is compared: that of a place is the inside of its border. Its box is then that of the border,
  /// which may not have been known when the watch was stored.
  func bordered(_ area: WatchArea) -> (area: WatchArea, region: Region?) {
    guard case .place(let id, let name, _) = area, let number = Int64(id) else {
      return (area, nil)
    }
    switch try? parameters.places?.area(of: number) {
    case .region(let region, let box): return (.place(id: id, name: name, box: box), region)
    case .country(let code): return (.country(code), nil)
    case .box, nil: return (area, nil)
    }
  }
}
