import PrivacyMap
import SpatialDatabase

/// A number on a public profile: a column of `profile_count`.
enum ProfileCount: String, CaseIterable, Sendable {
  case devices, edits, claims, photos
  /// Flags about the person's contributions that were upheld by a moderator.
  case upheld

  static let ofContributions: [ProfileCount] = [.devices, .edits, .claims, .photos]

  /// Whether public data does not name the author, so that a change of one count alone would. The
  /// history of devices names the authors of all other contributions.
  var isUnsigned: Bool { self == .claims }

  /// Selects the count of every account that has one, of public content only: account, count.
  var query: String {
    switch self {
    case .devices:
      """
      SELECT account_rowid, count(*) FROM device
      WHERE account_rowid IS NOT NULL AND hidden = 0 GROUP BY account_rowid
      """
    case .edits:
      """
      SELECT revision.account_rowid, count(*) FROM revision
      JOIN device ON device.rowid = revision.device_rowid
      WHERE revision.account_rowid IS NOT NULL AND revision.kind IN ('edit', 'restore')
        AND device.hidden = 0 GROUP BY revision.account_rowid
      """
    case .claims:
      """
      SELECT verdict.account_rowid, count(*) FROM verdict
      JOIN device ON device.rowid = verdict.device_rowid
      WHERE verdict.account_rowid IS NOT NULL AND device.hidden = 0
      GROUP BY verdict.account_rowid
      """
    case .photos:
      """
      SELECT photo.account_rowid, count(*) FROM photo
      JOIN device ON device.rowid = photo.device_rowid
      WHERE photo.account_rowid IS NOT NULL AND photo.state = 'public' AND device.hidden = 0
      GROUP BY photo.account_rowid
      """
    case .upheld: FlagStore.upheld
    }
  }
}

/// Publishes the counts on public profiles once a day, for all people at once (docs/claims.md).
///
/// Public data never names the author of a verdict. Counts of verdicts are therefore published only
/// once at least ten people's counts have changed, so that no change points to one person.
struct ProfilePublication: Sendable {
  /// The kind of job.
  static let job = "publish_profiles"
  static let every = Duration.seconds(3_600)

  let database: Database
  let surroundings: Surroundings

  func run() throws {
    let today = surroundings.now().day
    guard try database.read({ try Publication.isDue(.profiles, today, $0) }) else { return }
    for count in ProfileCount.allCases {
      let current = try database.read(limit: .after(.seconds(60))) { connection in
        Dictionary(
          try connection.rows(count.query) { ($0.int(0), $0.int(1)) }, uniquingKeysWith: { $1 })
      }
      try database.write { try publish(count, current, $0) }
    }
    try database.write { try Publication.note(.profiles, today, $0) }
  }

  private func publish(
    _ count: ProfileCount, _ current: [Int64: Int64], _ connection: borrowing Connection
  ) throws {
    let published = Dictionary(
      try connection.rows("SELECT account_rowid, \(count.rawValue) FROM profile_count") {
        ($0.int(0), $0.int(1))
      }, uniquingKeysWith: { $1 })
    let changed = Set(current.keys).union(published.keys).filter {
      current[$0] ?? 0 != published[$0] ?? 0
    }
    guard !count.isUnsigned || changed.count >= Suppression.minimum else { return }
    for account in changed.sorted() {
      // Excludes accounts that were deleted after they were counted.
      try connection.execute(
        """
        INSERT INTO profile_count (account_rowid, \(count.rawValue))
        SELECT rowid, ?2 FROM account WHERE rowid = ?1
        ON CONFLICT (account_rowid) DO UPDATE SET \(count.rawValue) = excluded.\(count.rawValue)
        """, [.integer(account), .integer(current[account] ?? 0)])
    }
  }

  /// The counts of a person as last published.
  static func counts(
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
}
