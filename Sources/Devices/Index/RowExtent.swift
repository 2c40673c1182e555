import SpatialDatabase

/// The range of rowids of devices, to be split into parts that are read concurrently.
struct RowExtent {
  /// The number of devices.
  let count: Int
  private let first, last: Int64

  init(_ connection: borrowing Connection) throws {
    count = Int(try connection.integer("SELECT count(*) FROM device") ?? 0)
    first = try connection.integer("SELECT min(rowid) FROM device") ?? 0
    last = try connection.integer("SELECT max(rowid) FROM device") ?? 0
  }

  init(count: Int, rows: ClosedRange<Int64>) {
    self.count = count
    first = rows.lowerBound
    last = rows.upperBound
  }

  /// Splits all possible rowids into ranges, at least one. `expectedCount` is the capacity to reserve: roughly the
  /// devices of the range, and for the first range all devices, because the other ranges are appended to it.
  func parts(_ wanted: Int) -> [(rows: ClosedRange<Int64>, expectedCount: Int)] {
    let (width, isTooWide) = last.subtractingReportingOverflow(first)
    guard wanted > 1, width > 1, !isTooWide else { return [(.min ... .max, count)] }
    let wanted = min(wanted, Int(width))
    let starts = (0..<wanted).map { $0 == 0 ? .min : first + width / Int64(wanted) * Int64($0) }
    let ends = starts.dropFirst().map { $0 - 1 } + [.max]
    return zip(starts, ends).map { start, end in
      (start...end, start == .min ? count : count / wanted)
    }
  }
}
