package import JSON

/// Names of coordinate systems in lists.
package enum CoordinateSystemName {
  /// Systems whose positions are degrees that differ from WGS 84 by less than two metres.
  private static let degrees: Set<String> = [
    "EPSG:4326", "EPSG:4258", "EPSG:4269", "EPSG:4979", "OGC:CRS84", "OGC:CRS83",
  ]

  /// The authority and the code: `EPSG:25832` for that, `25832`, `urn:ogc:def:crs:EPSG::25832`, and
  /// `http://www.opengis.net/def/crs/EPSG/0/25832`; nil for any other text.
  package static func short(_ text: String) -> String? {
    let parts = text.split { ":/#.".contains($0) }.map(String.init)
    guard let code = parts.last, !code.isEmpty, code.utf8.count <= 10 else { return nil }
    let upper = parts.map { $0.uppercased() }
    if upper.last == "CRS84" || upper.last == "CRS83" { return "OGC:\(upper.last ?? code)" }
    guard code.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    if parts.count == 1 { return "EPSG:\(code)" }
    guard let authority = upper.last(where: { $0 == "EPSG" || $0 == "ESRI" }) else { return nil }
    return "\(authority):\(code)"
  }

  /// The system of `spatialReference` in Esri's JSON.
  package static func ofEsri(_ reference: JSONValue) -> String? {
    guard let number = reference["latestWkid"]?.intValue ?? reference["wkid"]?.intValue else {
      return nil
    }
    // EPSG has no code above 32,767.
    return number > 32_767 ? "ESRI:\(number)" : "EPSG:\(number)"
  }

  /// Whether positions in the system are used unchanged.
  package static func isDegrees(_ short: String) -> Bool { degrees.contains(short) }
}
