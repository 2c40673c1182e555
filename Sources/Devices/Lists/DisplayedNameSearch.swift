import Reference
import PrivacyMap
import Service
package import SpatialDatabase

/// Devices by the names that pages display, such as "Fixed camera near Lindenhof".
extension DeviceNames {
  /// The number of devices around a town to compare.
  private static let maxCompared = 2_000
  /// Towns of one name.
  private static let maxTowns = 5

  /// Whether pages of any language display a device under a name.
  package func isDisplayed(
    _ id: String, as name: String, _ connection: borrowing Connection
  ) throws -> Bool {
    for language in catalogue.languages
    where try shown(of: id, in: language, connection) == name {
      return true
    }
    return false
  }

  /// The ids of public devices that pages of any language display under a name with a town.
  package func devices(
    displayedAs name: String, in index: MapIndex, limit: Int, _ connection: borrowing Connection
  ) throws -> [String] {
    var found: [String] = []
    for language in catalogue.languages {
      for town in try towns(in: name, language) {
        let near = index.snapshot.nearest(
          to: town, matching: PointFilter(), within: Double(Self.near), limit: Self.maxCompared)
        for device in near where found.count < limit {
          let id = try connection.text(
            "SELECT id FROM device WHERE rowid = ?", [.integer(Int64(device.rowid))])
          guard let id, !found.contains(id) else { continue }
          if try shown(of: id, in: language, connection) == name { found.append(id) }
        }
      }
    }
    return found
  }

  /// The positions of the towns that may end a displayed name.
  private func towns(in name: String, _ language: String) throws -> [Coordinate] {
    let mark = "\u{0}"
    let pattern = catalogue.text(
      Message("name.near", ["name": mark, "place": mark]), in: language)
    let between = pattern.split(separator: Character(mark)).first.map(String.init) ?? ""
    var towns: [Coordinate] = []
    var rest = Substring(name)
    while !between.isEmpty, let words = rest.firstRange(of: between) {
      rest = rest[words.upperBound...]
      let town = String(rest)
      let found = try places?.places(named: town, limit: Self.maxTowns, language: language) ?? []
      towns += found.filter { $0.name == town }.map(\.position)
    }
    return towns
  }
}
