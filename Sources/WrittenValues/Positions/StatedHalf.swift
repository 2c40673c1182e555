package import JSON

/// A separate column that states the hemisphere of the number in another column, as in `Latitude;NS`.
package enum StatedHalf {
  private static let northSouth: Set<String> = [
    "ns", "nors", "northsouth", "latns", "nslat", "latdir", "latdirection", "latitudedirection",
    "lathem", "lathemisphere", "latitudehemisphere", "hemisphere", "latref", "latituderef",
    "gpslatituderef", "latsign", "latletter",
  ]
  private static let eastWest: Set<String> = [
    "ew", "eorw", "eastwest", "we", "lonew", "longew", "ewlon", "londir", "longdir", "lngdir",
    "londirection", "longitudedirection", "lonhem", "longhem", "lonhemisphere",
    "longitudehemisphere", "lonref", "longref", "longituderef", "gpslongituderef", "lonsign",
  ]

  /// The column that means south (or west, if not `isUpright`); nil if no column does.
  package static func negative(in columns: JSONObject, isUpright: Bool) -> String? {
    for (name, value) in columns.members {
      guard case .string(let text) = value, text.utf8.count == 1, let letter = text.utf8.first,
        letter & 0xDF == (isUpright ? UInt8(ascii: "S") : UInt8(ascii: "W")),
        (isUpright ? northSouth : eastWest).contains(name.lowercased().filter(\.isLetter))
      else { continue }
      return name
    }
    return nil
  }
}
