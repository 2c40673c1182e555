/// The rows of the database that contain the list data of a device, as far as the index knows them.
package struct ListedPlace: Hashable, Sendable {
  /// The key of `device_listing`, see ``ListingKey``.
  package var key: Int64
  /// The row of the operator; 0 if the operator is unknown to the index.
  package var operatorRow: UInt32

  package init(key: Int64, operatorRow: UInt32 = 0) {
    self.key = key
    self.operatorRow = operatorRow
  }
}

/// Computes keys of the table `device_listing`, which stores the list data of devices ordered by place and category.
///
/// Migration 22 defines the key. Triggers in the database compute the same value.
package enum ListingKey {
  /// Cells per degree, on both axes.
  package static let cellsPerDegree = 20.0
  /// Number of cells around the Earth.
  private static let columns: Int64 = 7_200

  /// The key of a device, from its public point and the number of its category.
  package static func of(rowid: UInt32, at position: FixedPosition, category: UInt8) -> Int64 {
    // Uses the same floating-point steps as SQL. If a key rounds differently, the row is read from
    // `device`.
    let row = Int64((position.latitudeDegrees + 90) * cellsPerDegree)
    let column = Int64((position.longitudeDegrees + 180) * cellsPerDegree)
    let place = (row * columns + column) << 6 | Int64(category & 63)
    return place << 32 | Int64(rowid)
  }
}
