import Foundation
import PrivacyMap
import Service

/// The settings of the initial map.
extension Configuration {
  /// The value of `FAROL_VIEW`.
  static func view(_ text: String) throws -> InstanceSettings.View {
    let parts = text.split(separator: ",").map { Double($0.trimmingCharacters(in: .whitespaces)) }
    guard parts.count == 3, let longitude = parts[0], let latitude = parts[1], let zoom = parts[2],
      (0...22).contains(zoom),
      let center = try? Coordinate(longitude: longitude, latitude: latitude)
    else {
      throw InvalidSetting(
        name: "FAROL_VIEW",
        problem: "“\(text)” is not longitude, latitude and zoom (0 to 22), as -16.92,32.65,11.")
    }
    return InstanceSettings.View(center: center, zoom: zoom)
  }

  /// The tiles of another server, if configured.
  static func foreignTiles(
    _ options: ServeOptions, _ reader: SettingReader
  ) throws -> InstanceSettings.ForeignTiles? {
    guard let text = reader.text(options.tileURL, "FAROL_TILE_URL") else { return nil }
    let filled = ["{z}", "{x}", "{y}"].reduce(text) { $0.replacingOccurrences(of: $1, with: "0") }
    guard ["{z}", "{x}", "{y}"].allSatisfy(text.contains), let url = URLComponents(string: filled),
      let scheme = url.scheme, ["http", "https"].contains(scheme), let host = url.host,
      !host.isEmpty
    else {
      throw InvalidSetting(
        name: "FAROL_TILE_URL", problem: "“\(text)” is not an http address with {z}, {x} and {y}.")
    }
    guard let attribution = reader.text(options.tileAttribution, "FAROL_TILE_ATTRIBUTION") else {
      throw InvalidSetting(
        name: "FAROL_TILE_ATTRIBUTION",
        problem: "say who is to be credited for the tiles of \(host).")
    }
    return InstanceSettings.ForeignTiles(
      url: text, host: host, origin: "\(scheme)://\(host)\(url.port.map { ":\($0)" } ?? "")",
      attribution: attribution)
  }
}
