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

  /// A row to read: its key, and its position on the page.
  private struct Wanted {
    let listed: ListedPlace
    let place: Int
    var key: Int64 { listed.key }
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
  /// The minimum number of rows of one cell and category for a scan.
  private static let run = 4
  /// Rows skipped per wanted row before the scan gives up and the rest is looked up one by one: a
  /// step costs about a fifth of a lookup.
  private static let skippedPerRow = 4

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
  ///   - isDense: whether the rows are most of those that are stored between them. On PostgreSQL only then is a scan tried,
  ///     because it cannot be ended before all its rows are sent.
  ///   - isLast: whether the read usually ends with this.
  /// - Throws: ``DatabaseFault``.
  package init(
    _ rows: [DeviceStore.Page.Entry], _ connection: borrowing Connection, isDense: Bool = false,
    isLast: Bool = false
  ) throws {
    found = Array(repeating: nil, count: rows.count)
    bytes.reserveCapacity(200 * rows.count)
    var wanted: [Wanted] = []
    wanted.reserveCapacity(rows.count)
    for (place, row) in rows.enumerated() {
      if let listed = row.listing { wanted.append(Wanted(listed: listed, place: place)) }
    }
    wanted.sort { $0.key < $1.key }
    if connection.hasRoundTrips {
      let spans = isDense ? Self.spans(of: wanted) : wanted.indices.map { $0...$0 }
      let known = Self.distinct(wanted.map { Int64($0.listed.operatorRow) })
      try lookUp(wanted, spans, operators: known, connection, isLast: isLast)
      let left = spans.count == wanted.count ? [] : wanted.filter { found[$0.place] == nil }
      if !left.isEmpty {
        try lookUp(left, left.indices.map { $0...$0 }, operators: [], connection, isLast: isLast)
      }
      try readOtherOperators(wanted, connection)
    } else {
      let left = try read(wanted, Self.spans(of: wanted), connection)
      if !left.isEmpty { _ = try read(wanted, left.map { $0...$0 }, connection) }
      try operators.read(Self.distinct(found.compactMap { $0?.operatorRow }), connection)
    }
  }

  /// Looks rows up by one statement, together with the operators that the index knows: a further round trip takes longer
  /// than this saves. A join would find and send the same operator for many rows.
  ///
  /// Of a range with many other rows only some rows are read.
  private mutating func lookUp(
    _ wanted: [Wanted], _ spans: [ClosedRange<Int>], operators rows: [Int64],
    _ connection: borrowing Connection, isLast: Bool
  ) throws {
    let ranges = spans.map { span in
      KeyRange(
        wanted[span.lowerBound].key...wanted[span.upperBound].key,
        maximum: span.count == 1 ? 1 : Self.skippedPerRow * (span.count + 1))
    }
    var next = 0
    try connection.forEach(
      Self.firstRows, ranges: ranges, and: Self.operatorsOf, keys: rows, isLast: isLast
    ) { row in
      guard let key = row.optionalInt(0) else { return operators.keep(row.int(1), row, at: 3) }
      // The rows usually come in the order of the ranges.
      if next > 0, wanted[next - 1].key >= key { next = 0 }
      while next < wanted.count, wanted[next].key < key { next += 1 }
      if next < wanted.count, wanted[next].key == key { keep(row, at: wanted[next].place) }
    }
  }

  /// Reads the operators of rows whose last change the index does not know.
  private mutating func readOtherOperators(
    _ wanted: [Wanted], _ connection: borrowing Connection
  ) throws {
    var unknown: Set<Int64> = []
    for row in wanted {
      if let found = found[row.place]?.operatorRow, found != Int64(row.listed.operatorRow) {
        unknown.insert(found)
      }
    }
    if !unknown.isEmpty { try operators.read(unknown.sorted(), connection) }
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

  /// Ranges of `wanted` that are read with one scan.
  private static func spans(of wanted: [Wanted]) -> [ClosedRange<Int>] {
    var spans: [ClosedRange<Int>] = []
    var first = 0
    while first < wanted.count {
      // The upper half of a key is the cell and the category.
      let cell = wanted[first].key >> 32
      var end = first + 1
      while end < wanted.count, wanted[end].key >> 32 == cell { end += 1 }
      if end - first >= run {
        spans.append(first...end - 1)
      } else {
        spans += (first..<end).map { $0...$0 }
      }
      first = end
    }
    return spans
  }

  /// Scans ranges of `wanted` and returns the positions of the rows that were too far apart.
  private mutating func read(
    _ wanted: [Wanted], _ spans: [ClosedRange<Int>], _ connection: borrowing Connection
  ) throws -> [Int] {
    var left: [Int] = []
    var place = 0
    var next = 0
    var steps = 0
    try connection.forEach(
      Self.selection, ranges: spans.map { wanted[$0.lowerBound].key...wanted[$0.upperBound].key }
    ) { span, row in
      let last = spans[span].upperBound
      if span != place || steps == 0 {
        (place, next, steps) = (span, spans[span].lowerBound, 0)
      }
      steps += 1
      let key = row.int(0)
      while next <= last, wanted[next].key < key { next += 1 }
      guard next <= last else { return false }
      if wanted[next].key == key {
        keep(row, at: wanted[next].place)
        next += 1
      }
      if next <= last, steps > Self.skippedPerRow * (next - spans[span].lowerBound + 2) {
        left += next...last
        return false
      }
      return next <= last
    }
    return left
  }

  private mutating func keep(_ row: borrowing Row, at place: Int) {
    let operatorRow = row.optionalInt(1)
    let start = bytes.count
    row.withUTF8(2) { bytes.append(contentsOf: $0) }
    found[place] = Found(start: start, count: bytes.count - start, operatorRow: operatorRow)
  }
}
