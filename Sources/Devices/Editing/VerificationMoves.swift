package import SpatialDatabase

/// A verdict as it is stored.
package struct StoredVerdict: Sendable {
  package let device: Int64
  package let account: Int64?
  package let claim, verdict, basis: String
  package let note: String?
  package let madeAt: String
  package let counts: Bool
}

/// Verdicts that moderators move, count and read.
extension VerificationStore {
  /// The verdicts on a device that can move to another one: unless the other device has one from the same person,
  /// or that person is its `author`.
  package static func movable(
    from device: Int64, to other: Int64, by author: Int64?, _ connection: borrowing Connection
  ) throws -> [Int64] {
    try connection.rows(
      """
      SELECT rowid FROM verdict WHERE device_rowid = ? AND account_rowid IS DISTINCT FROM ?
        AND NOT EXISTS (SELECT 1 FROM verdict AS own WHERE own.device_rowid = ?
          AND own.claim = verdict.claim AND own.account_rowid = verdict.account_rowid)
      """, [.integer(device), SQLValue(author), .integer(other)]
    ) { $0.int(0) }
  }

  /// Counts the verdicts of an account `?1`.
  package static let countByAccount = "SELECT count(*) FROM verdict WHERE account_rowid = ?1"

  package static func count(
    of device: Int64, _ connection: borrowing Connection
  ) throws -> Int64 {
    try connection.integer(
      "SELECT count(*) FROM verdict WHERE device_rowid = ?", [.integer(device)]) ?? 0
  }

  /// The verdicts of an account `?1` on public devices as records of its data: time, key, columns of the device, claim
  /// and verdict.
  package static func records(of device: String) -> String {
    """
    SELECT verdict.made_at AS at, device.id || ' ' || verdict.claim AS key, \(device),
      verdict.claim AS one, verdict.verdict AS two, NULL AS three
    FROM verdict JOIN device ON device.rowid = verdict.device_rowid
    WHERE verdict.account_rowid = ?1 AND device.hidden = 0
    """
  }

  package static func move(
    _ verdicts: [Int64], to device: Int64, _ connection: borrowing Connection
  ) throws {
    for verdict in verdicts {
      try connection.execute(
        "UPDATE verdict SET device_rowid = ? WHERE rowid = ?",
        [.integer(device), .integer(verdict)])
    }
  }

  /// Moves verdicts back to the device that they came from. A person who has given a new verdict on the restored
  /// device keeps the new one.
  package static func moveBack(
    _ verdicts: [Int64], from device: Int64, to former: Int64, _ connection: borrowing Connection
  ) throws {
    for verdict in verdicts {
      try connection.execute(
        """
        UPDATE verdict SET device_rowid = ?1 WHERE rowid = ?2 AND device_rowid = ?3
          AND NOT EXISTS (SELECT 1 FROM verdict AS own WHERE own.device_rowid = ?1
            AND own.claim = verdict.claim AND own.account_rowid = verdict.account_rowid)
        """, [.integer(former), .integer(verdict), .integer(device)])
    }
  }

  /// The verdicts of an account that count.
  package static func counting(
    by account: Int64, _ connection: borrowing Connection
  ) throws -> [Int64] {
    try connection.rows(
      "SELECT rowid FROM verdict WHERE account_rowid = ? AND counts = 1", [.integer(account)]
    ) { $0.int(0) }
  }

  /// Sets whether a verdict counts.
  ///
  /// - Returns: the device of the verdict; nil if there is no such verdict.
  package static func setCounts(
    _ counts: SQLValue, of verdict: Int64, _ connection: borrowing Connection
  ) throws -> Int64? {
    let device = try connection.integer(
      "SELECT device_rowid FROM verdict WHERE rowid = ?", [.integer(verdict)])
    guard let device else { return nil }
    try connection.execute(
      "UPDATE verdict SET counts = ? WHERE rowid = ?", [counts, .integer(verdict)])
    return device
  }

  /// - Returns: nil if there is no such verdict.
  package static func verdict(
    _ rowid: Int64, _ connection: borrowing Connection
  ) throws -> StoredVerdict? {
    try connection.first(
      """
      SELECT device_rowid, account_rowid, claim, verdict, basis, note, made_at, counts FROM verdict
      WHERE rowid = ?
      """, [.integer(rowid)]
    ) {
      StoredVerdict(
        device: $0.int(0), account: $0.optionalInt(1), claim: $0.text(2), verdict: $0.text(3),
        basis: $0.text(4), note: $0.optionalText(5), madeAt: $0.text(6), counts: $0.bool(7))
    }
  }
}
