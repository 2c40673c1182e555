import PrivacyMap
import Service
import SpatialDatabase

/// The `flag` table: flags of accounts, and reports without an account.
package struct FlagStore: Sendable {
  /// The reason of a flag.
  enum Reason: String, CaseIterable, Sendable {
    case wrongPlace = "wrong_place"
    case gone
    case neverThere = "never_there"
    case duplicate
    case personalData = "personal_data"
    case offensive, spam, copyright, other

    /// Whether the content may harm people until it is reviewed. Serious flags come first in the queue
    /// and have separate rate limits.
    var isSerious: Bool { Self.serious.contains(self) }

    static let serious: [Reason] = [.personalData, .offensive]

    /// SQL condition for serious reasons on the table `flag`.
    static let isSeriousSQL =
      "flag.reason IN (" + serious.map { "'\($0.rawValue)'" }.joined(separator: ", ") + ")"
  }

  /// The reason and note of a flag.
  struct Words: Sendable {
    let reason: Reason
    let note: String?
  }

  let environment: Environment

  /// Stores a flag of an account. A further flag of the same account replaces its reason and note while
  /// the flag is open.
  ///
  /// - Returns: the id of the flag, which stays the same while it is open.
  func flag(
    _ subject: Subject, _ words: Words, by principal: Principal,
    _ connection: borrowing Connection
  ) throws -> String {
    let open = try connection.text(
      """
      SELECT id FROM flag
      WHERE account_rowid = ? AND target_type = ? AND target_id = ? AND outcome IS NULL
      """,
      [
        .integer(principal.account), .text(subject.target.kind.rawValue),
        .text(subject.target.id),
      ])
    if let open {
      try connection.execute(
        "UPDATE flag SET reason = ?, note = ? WHERE id = ?",
        [.text(words.reason.rawValue), SQLValue(words.note), .text(open)])
      return open
    }
    // A flag on the account's own content does not count against its author.
    let about = subject.author == principal.account ? nil : subject.author
    return try add(
      "flag", subject, words, about: about, by: principal.account, email: nil,
      locale: principal.locale, connection)
  }

  /// Maximum number of open reports on one target that are stored with their text, serious and others.
  /// Further ones are only counted. A moderator handles all of them together.
  static let maxKept = (serious: 60, others: 40)

  /// Stores a report of a visitor. `email` is the address for the answer. If an open report is equal, only
  /// its count increases.
  ///
  /// - Returns: whether the report, or an equal one, is stored, so that it will be answered.
  func report(
    _ subject: Subject, _ words: Words, email: String?, locale: String,
    _ connection: borrowing Connection
  ) throws -> Bool {
    if let equal = try equal(to: words, of: subject.target, email, connection) {
      try count(equal, connection)
      return true
    }
    if try isFull(subject.target, for: words.reason, connection),
      let last = try last(words.reason, of: subject.target, connection)
    {
      try count(last, connection)
      return false
    }
    _ = try add(
      "report", subject, words, about: subject.author, by: nil, email: email, locale: locale,
      connection)
    return true
  }

  private func count(_ flag: Int64, _ connection: borrowing Connection) throws {
    try connection.execute(
      "UPDATE flag SET times = times + 1 WHERE rowid = ?", [.integer(flag)])
  }

  /// An open report on a target with the same text. An address must match too, to get its answer.
  private func equal(
    to words: Words, of target: Target, _ email: String?, _ connection: borrowing Connection
  ) throws -> Int64? {
    try connection.integer(
      """
      SELECT rowid FROM flag
      WHERE target_type = ?1 AND target_id = ?2 AND outcome IS NULL AND kind = 'report'
        AND reason = ?3 AND note IS NOT DISTINCT FROM ?4 AND (CAST(?5 AS TEXT) IS NULL OR email = ?5)
      ORDER BY rowid LIMIT 1
      """,
      [
        .text(target.kind.rawValue), .text(target.id), .text(words.reason.rawValue),
        SQLValue(words.note), SQLValue(email),
      ])
  }

  /// Whether the maximum number of open reports on a target is stored.
  private func isFull(
    _ target: Target, for reason: Reason, _ connection: borrowing Connection
  ) throws -> Bool {
    let kept = try connection.integer(
      """
      SELECT count(*) FROM flag
      WHERE target_type = ? AND target_id = ? AND outcome IS NULL AND kind = 'report'
        AND (\(Reason.isSeriousSQL)) = ?
      """,
      [.text(target.kind.rawValue), .text(target.id), SQLValue(reason.isSerious)])
    return (kept ?? 0) >= (reason.isSerious ? Self.maxKept.serious : Self.maxKept.others)
  }

  /// The latest open report on a target with a reason.
  private func last(
    _ reason: Reason, of target: Target, _ connection: borrowing Connection
  ) throws -> Int64? {
    try connection.integer(
      """
      SELECT max(rowid) FROM flag
      WHERE target_type = ? AND target_id = ? AND outcome IS NULL AND kind = 'report'
        AND reason = ?
      """,
      [.text(target.kind.rawValue), .text(target.id), .text(reason.rawValue)])
  }

  private func add(
    _ kind: String, _ subject: Subject, _ words: Words, about: Int64?, by account: Int64?,
    email: String?, locale: String, _ connection: borrowing Connection
  ) throws -> String {
    let id = environment.newDeviceID().text
    try connection.execute(
      """
      INSERT INTO flag (id, kind, target_type, target_id, device_rowid, about_rowid, account_rowid,
        email, locale, reason, note, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .text(id), .text(kind), .text(subject.target.kind.rawValue), .text(subject.target.id),
        SQLValue(subject.device), SQLValue(about), SQLValue(account), SQLValue(email),
        .text(locale), .text(words.reason.rawValue), SQLValue(words.note),
        .text(environment.now().text),
      ])
    return id
  }

  /// Number of flags on a person's contributions, for moderators.
  struct Counts {
    /// All of them with any outcome; `anonymous` of them come from visitors.
    var received: Int64 = 0
    var open: Int64 = 0
    var upheld: Int64 = 0
    var dismissed: Int64 = 0
    var anonymous: Int64 = 0
  }

  static func counts(
    about account: Int64, _ connection: borrowing Connection
  ) throws -> Counts {
    try connection.first(
      """
      SELECT coalesce(sum(times), 0), coalesce(sum(times) FILTER (WHERE outcome IS NULL), 0),
        coalesce(sum(times) FILTER (WHERE outcome = 'upheld'), 0),
        coalesce(sum(times) FILTER (WHERE outcome = 'dismissed'), 0),
        coalesce(sum(times) FILTER (WHERE kind = 'report'), 0)
      FROM flag WHERE about_rowid = ?
      """, [.integer(account)]
    ) { row in
      Counts(
        received: row.int(0), open: row.int(1), upheld: row.int(2), dismissed: row.int(3),
        anonymous: row.int(4))
    } ?? Counts()
  }

  /// Days after which the address of a report is erased, whether or not it was answered.
  package static let addressDays: Int64 = 90

  /// Erases the addresses of old reports.
  ///
  /// - Returns: the number of erased addresses.
  func eraseOldAddresses(_ connection: borrowing Connection) throws -> Int {
    let limit = environment.now().later(-Seconds.days(Self.addressDays))
    try connection.execute(
      "UPDATE flag SET email = NULL WHERE email IS NOT NULL AND created_at <= ?",
      [.text(limit.text)])
    return connection.changedRowCount
  }
}

extension RequestBody {
  /// The names of the members that ``words(noteIsNeeded:)`` reads.
  static let wordsOfFlags: Set<String> = ["reason", "note"]

  /// Reads the reason and note of a flag.
  mutating func words(noteIsNeeded: Bool) -> FlagStore.Words? {
    let reason: FlagStore.Reason? = oneOf("reason", isRequired: true)
    let note = text("note", 1...1_000, isRequired: noteIsNeeded, lines: true)
    return reason.map { FlagStore.Words(reason: $0, note: note) }
  }
}
