import PrivacyMap

/// Positions as geohashes: `u173zq1x2` is a cell whose middle counts.
///
/// Many words are geohashes, so a mapping must say that a column has them.
package enum Geohash {
  private static let alphabet = Array("0123456789bcdefghjkmnpqrstuvwxyz".utf8)

  package static func position(_ text: String) -> WrittenPosition? {
    let letters = Array(text.lowercased().utf8)
    guard (3...12).contains(letters.count) else { return nil }
    var west = -180.0
    var east = 180.0
    var south = -90.0
    var north = 90.0
    var isLongitude = true
    for letter in letters {
      guard let value = alphabet.firstIndex(of: letter) else { return nil }
      for bit in stride(from: 4, through: 0, by: -1) {
        let isUpper = value >> bit & 1 == 1
        if isLongitude {
          let middle = (west + east) / 2
          if isUpper { west = middle } else { east = middle }
        } else {
          let middle = (south + north) / 2
          if isUpper { south = middle } else { north = middle }
        }
        isLongitude.toggle()
      }
    }
    // Cells of 38 × 19 m, 153 × 153 m, 1.2 × 0.6 km, and larger ones.
    let precision: Precision? =
      switch letters.count {
      case 8...: nil
      case 7: .hundredMetres
      case 6: .kilometre
      default: .area
      }
    return WrittenPosition(
      first: (west + east) / 2, second: (south + north) / 2, order: .longitudeFirst,
      numbers: .degrees, precision: precision)
  }
}
