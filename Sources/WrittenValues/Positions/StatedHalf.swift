package import JSON

/// A column of its own that says in which half of the earth the number of another column is, as in `Latitude;NS`.
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

  /// The column that says south (or west, if not `isUpright`); nil if none does.
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
