import Import

/// Stops an import whose file does not match its mapping.
///
/// A compressed file of some megabytes can contain billions of rows. Each refused row adds a note to the database, so a
/// hostile file could keep the server busy for days and fill its disk.
struct RefusalLimit {
  /// The number of refused rows from which on at least one row in ``share`` must be accepted.
  let first: Int
  private static let share = 100

  private var refused = 0
  private var others = 0

  init(first: Int) { self.first = first }

  /// Counts an outcome. `isExempt` returns true for OpenStreetMap files, in which most elements are not devices.
  ///
  /// - Throws: ``ImportFailure`` at the limit.
  mutating func count(_ outcome: ImportOutcome, isExempt: () throws -> Bool) throws {
    guard case .refused(let refusal) = outcome else { return others += 1 }
    refused += 1
    guard refused.isMultiple(of: first), refused / Self.share > others, try !isExempt() else {
      return
    }
    throw ImportFailure(
      "\(refused) rows were refused and \(others) accepted; the file does not suit the mapping",
      row: refusal.row)
  }
}
