/// Where `device_listing` keeps what a list shows of a device: near those around it of its category.
///
/// The key of a row there, as migration 22 says it; triggers in the database compute the same.
package enum ListingKey {
  /// Cells to a degree, on either axis.
  private static let cellsPerDegree = 20.0
  /// Cells around the earth.
  private static let columns: Int64 = 7_200

  /// The key of a device with a public point and the number of its category.
  package static func of(rowid: UInt32, at position: FixedPosition, category: UInt8) -> Int64 {
    // The same steps in doubles as in SQL. What rounds otherwise is looked up in `device`.
    let row = Int64((position.latitudeDegrees + 90) * cellsPerDegree)
    let column = Int64((position.longitudeDegrees + 180) * cellsPerDegree)
    let place = (row * columns + column) << 6 | Int64(category & 63)
    return place << 32 | Int64(rowid)
  }
}
