internal import PrivacyMap
package import SpatialDatabase

/// The contents of `device_listing` for the rows of a page, read in storage order.
///
/// Rows of one map cell and category are adjacent. So the rows of a city are read with a scan, and
/// the few rows of a street are looked up one by one.
package struct ListedRows {
  private struct Found {
    /// The start of its values in ``bytes``.
    let start: Int
    let count: Int
    let operatorRow: Int64?
  }

  static let selection = """
    SELECT key, operator_rowid, listed FROM device_listing WHERE key BETWEEN ? AND ?
    """
  /// The same of the first rows of a range, to be joined with ``operatorsOf``.
  static let firstRows = """
    SELECT key, operator_rowid, listed, \(ReadOperators.noColumns) FROM device_listing
    WHERE key BETWEEN ? AND ? ORDER BY key LIMIT ?
    """
  static let operatorsOf = """
    SELECT NULL, operator.rowid, NULL, \(ReadOperators.columns) FROM operator WHERE operator.rowid = ?
    """
  private static let table = ClusteredTable(
    rows: selection, firstRows: firstRows, others: operatorsOf)

  /// The values of all rows found.
  private var bytes: [UInt8] = []
  /// The row found for each position on the page.
  private var found: [Found?]
  /// The operators of the rows found.
  private(set) var operators = ReadOperators()

  /// Reads the listings of these rows and their operators, where they are stored under the key that the index has.
  ///
  /// - Parameters:
  ///   - rows: the rows of a page.
  ///   - connection: the connection for all reads.
  /// - Throws: ``DatabaseFault``.
  package init(_ rows: [DeviceStore.Page.Entry], _ connection: borrowing Connection) throws {
    found = Array(repeating: nil, count: rows.count)
    bytes.reserveCapacity(200 * rows.count)
    var wanted: [(listed: ListedPlace, place: Int)] = []
    wanted.reserveCapacity(rows.count)
    for (place, row) in rows.enumerated() {
      if let listed = row.listing { wanted.append((listed, place)) }
    }
    wanted.sort { $0.listed.key < $1.listed.key }
    try connection.forEach(
      of: Self.table, keys: wanted.map(\.listed.key),
      others: Self.distinct(wanted.map { Int64($0.listed.operatorRow) })
    ) { place, row in
      keep(row, at: wanted[place].place)
    } other: { row in
      operators.keep(row.int(1), row, at: 3)
    }
    try operators.read(Self.distinct(found.compactMap { $0?.operatorRow }), connection)
  }

  /// The rows of operators in order and each once, without 0.
  private static func distinct(_ operators: [Int64]) -> [Int64] {
    var rows: [Int64] = []
    for row in operators.sorted() where row != rows.last ?? 0 { rows.append(row) }
    return rows
  }

  /// The number of rows found.
  package var count: Int { found.count { $0 != nil } }

  /// Passes the values of a row and its operator to `body`; returns nil if the row was not found.
  func withListing<R>(
    at place: Int, _ body: (UnsafeBufferPointer<UInt8>, _ operatorRow: Int64?) throws -> R
  ) rethrows -> R? {
    guard let found = found[place] else { return nil }
    return try bytes.withUnsafeBufferPointer { bytes in
      let values = bytes[found.start..<found.start + found.count]
      return try body(UnsafeBufferPointer(rebasing: values), found.operatorRow)
    }
  }

  private mutating func keep(_ row: borrowing Row, at place: Int) {
    let operatorRow = row.optionalInt(1)
    let start = bytes.count
    row.withUTF8(2) { bytes.append(contentsOf: $0) }
    found[place] = Found(start: start, count: bytes.count - start, operatorRow: operatorRow)
  }
}
