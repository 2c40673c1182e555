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

  /// The files and folders of `FAROL_STREETS`.
  static func streets(_ options: ServeOptions, _ reader: SettingReader) throws -> [String]? {
    let streets = reader.text(options.streets, "FAROL_STREETS")?
      .split(separator: ",").map { String($0.trimmingPrefix { $0 == " " }) }
    for path in streets ?? [] where !FileManager.default.isReadableFile(atPath: path) {
      throw InvalidSetting(name: "FAROL_STREETS", problem: "there is no file “\(path)”.")
    }
    return streets
  }

  /// The tiles of another server, if configured.
  static func foreignTiles(
    _ options: ServeOptions, _ reader: SettingReader
  ) throws -> InstanceSettings.ForeignTiles? {
    guard let text = reader.text(options.tileURL, "FAROL_TILE_URL") else { return nil }
    return try foreignTiles(
      text, named: "FAROL_TILE_URL",
      attribution: (
        "FAROL_TILE_ATTRIBUTION", reader.text(options.tileAttribution, "FAROL_TILE_ATTRIBUTION")
      ), deepest: 19)
  }

  /// The tiles at an address; `attribution` is the name of the setting of their credit, and its value.
  private static func foreignTiles(
    _ text: String, named name: String, attribution: (name: String, text: String?), deepest: Int
  ) throws -> InstanceSettings.ForeignTiles {
    let filled = ["{z}", "{x}", "{y}"].reduce(text) { $0.replacingOccurrences(of: $1, with: "0") }
    guard ["{z}", "{x}", "{y}"].allSatisfy(text.contains), let url = URLComponents(string: filled),
      let scheme = url.scheme, ["http", "https"].contains(scheme), let host = url.host,
      !host.isEmpty
    else {
      throw InvalidSetting(
        name: name, problem: "“\(text)” is not an http address with {z}, {x} and {y}.")
    }
    guard let credit = attribution.text else {
      throw InvalidSetting(
        name: attribution.name, problem: "say who is to be credited for the tiles of \(host).")
    }
    return InstanceSettings.ForeignTiles(
      url: text, host: host, origin: "\(scheme)://\(host)\(url.port.map { ":\($0)" } ?? "")",
      attribution: credit, deepest: deepest)
  }

  /// The value of `FAROL_SATELLITE`.
  enum Satellite {
    case file(String)
    case server(InstanceSettings.ForeignTiles)
  }

  static func satellite(_ options: ServeOptions, _ reader: SettingReader) throws -> Satellite? {
    guard let text = reader.text(options.satellite, "FAROL_SATELLITE") else { return nil }
    let deepest = try reader.integer(
      options.satelliteZoom, "FAROL_SATELLITE_ZOOM", in: 0...22, byDefault: 18)
    guard text.hasPrefix("http://") || text.hasPrefix("https://") else {
      guard FileManager.default.isReadableFile(atPath: text) else {
        throw InvalidSetting(name: "FAROL_SATELLITE", problem: "there is no file “\(text)”.")
      }
      return .file(text)
    }
    // A WMTS (OGC 07-057r7, §10.2) names the same numbers differently.
    let names = ["{TileMatrix}": "{z}", "{TileCol}": "{x}", "{TileRow}": "{y}"]
    let template = names.reduce(text) { $0.replacingOccurrences(of: $1.key, with: $1.value) }
    return .server(
      try foreignTiles(
        template, named: "FAROL_SATELLITE",
        attribution: (
          "FAROL_SATELLITE_ATTRIBUTION",
          reader.text(options.satelliteAttribution, "FAROL_SATELLITE_ATTRIBUTION")
        ), deepest: deepest))
  }
}
