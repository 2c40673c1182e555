import Service
import SpatialDatabase

/// A number on a public profile: a column of `profile_count`.
///
/// Verdicts have no number. Public data never names their authors, and a change of a person's number would, however
/// seldom it is published: together with the verdicts that devices show, it reveals on which day the person judged.
enum ProfileCount: String, CaseIterable, Sendable {
  case devices, edits, photos
  /// Flags about the person's contributions that were upheld by a moderator.
  case upheld
}

/// The contributions of people, and the `profile_count` table of their published numbers.
struct ProfileStore: Sendable {
  /// The present count of every account that has one.
  func current(_ count: PersonCount, _ connection: borrowing Connection) throws -> [Int64: Int64] {
    Dictionary(
      try connection.rows(count.sql) { ($0.int(0), $0.int(1)) }, uniquingKeysWith: { $1 })
  }

  /// The count of every account as last published.
  func published(
    _ count: ProfileCount, _ connection: borrowing Connection
  ) throws -> [Int64: Int64] {
    Dictionary(
      try connection.rows("SELECT account_rowid, \(count.rawValue) FROM profile_count") {
        ($0.int(0), $0.int(1))
      }, uniquingKeysWith: { $1 })
  }

  /// Publishes a count, unless the account was deleted after it was counted.
  func publish(
    _ count: ProfileCount, as number: Int64, of account: Int64, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      """
      INSERT INTO profile_count (account_rowid, \(count.rawValue))
      SELECT rowid, ?2 FROM account WHERE rowid = ?1
      ON CONFLICT (account_rowid) DO UPDATE SET \(count.rawValue) = excluded.\(count.rawValue)
      """, [.integer(account), .integer(number)])
  }

  /// The counts of a person as last published.
  func counts(
    of account: Int64, _ connection: borrowing Connection
  ) throws -> [ProfileCount: Int64] {
    let names = ProfileCount.allCases.map(\.rawValue).joined(separator: ", ")
    return try connection.first(
      "SELECT \(names) FROM profile_count WHERE account_rowid = ?", [.integer(account)]
    ) { row in
      Dictionary(
        ProfileCount.allCases.enumerated().map { ($0.element, row.int($0.offset)) },
        uniquingKeysWith: { $1 })
    } ?? [:]
  }

  /// The latest revisions of public devices by a person.
  func revisions(
    of account: Int64, limit: Int64, _ connection: borrowing Connection
  ) throws -> [Contribution] {
    try connection.rows(
      """
      SELECT device.id, device.name, device.category, revision.number, revision.kind,
        revision.made_at
      FROM revision JOIN device ON device.rowid = revision.device_rowid
      WHERE revision.account_rowid = ? AND device.hidden = 0
      ORDER BY revision.made_at DESC, revision.device_rowid DESC, revision.number DESC LIMIT ?
      """, [.integer(account), .integer(limit)]
    ) { ($0.text(0), $0.text(1), $0.text(2), $0.int(3), $0.text(4), $0.text(5)) }
  }

  /// A revision that a person made.
  typealias Contribution = (
    device: String, name: String, category: String, number: Int64, kind: String, madeAt: String
  )
}
