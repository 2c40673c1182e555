import PrivacyMap
import SpatialDatabase

/// The `flag` table: what people point at, with and without an account.
struct FlagStore: Sendable {
  /// Why somebody points at something.
  enum Reason: String, CaseIterable, Sendable {
    case wrongPlace = "wrong_place"
    case gone
    case neverThere = "never_there"
    case duplicate
    case personalData = "personal_data"
    case offensive, spam, copyright, other
  }

  /// What somebody says of a target.
  struct Words: Sendable {
    let reason: Reason
    let note: String?
  }

  let surroundings: Surroundings

  /// Notes what somebody with an account says of a target. While it is open, saying more replaces
  /// what was said.
  ///
  /// - Returns: the flag's id, the same for as long as it is open.
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
    // What people ask for of their own things counts against nobody.
    let about = subject.author == principal.account ? nil : subject.author
    return try add(
      "flag", subject, words, about: about, by: principal.account, email: nil,
      locale: principal.locale, connection)
  }

  /// Notes what somebody without an account says; `email` is where they want the answer.
  func report(
    _ subject: Subject, _ words: Words, email: String?, locale: String,
    _ connection: borrowing Connection
  ) throws {
    _ = try add(
      "report", subject, words, about: subject.author, by: nil, email: email, locale: locale,
      connection)
  }

  private func add(
    _ kind: String, _ subject: Subject, _ words: Words, about: Int64?, by account: Int64?,
    email: String?, locale: String, _ connection: borrowing Connection
  ) throws -> String {
    let id = surroundings.newDeviceID().text
    try connection.execute(
      """
      INSERT INTO flag (id, kind, target_type, target_id, device_rowid, about_rowid, account_rowid,
        email, locale, reason, note, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .text(id), .text(kind), .text(subject.target.kind.rawValue), .text(subject.target.id),
        SQLValue(subject.device), SQLValue(about), SQLValue(account), SQLValue(email),
        .text(locale), .text(words.reason.rawValue), SQLValue(words.note),
        .text(surroundings.now().text),
      ])
    return id
  }

  /// How often others pointed at somebody's contributions, and how often that was upheld.
  static func counts(
    about account: Int64, _ connection: borrowing Connection
  ) throws -> (received: Int64, upheld: Int64) {
    try connection.first(
      """
      SELECT count(*), coalesce(sum(outcome = 'upheld'), 0) FROM flag WHERE about_rowid = ?
      """, [.integer(account)]
    ) { ($0.int(0), $0.int(1)) } ?? (0, 0)
  }

  /// Days after which the address of a report is erased, answered or not.
  static let addressDays: Int64 = 90

  /// Erases the addresses that have waited for an answer for too long.
  ///
  /// - Returns: how many.
  func eraseOldAddresses(_ connection: borrowing Connection) throws -> Int {
    let limit = Timestamp(
      secondsSinceEpoch: surroundings.now().secondsSinceEpoch - Self.addressDays * 86_400)
    try connection.execute(
      "UPDATE flag SET email = NULL WHERE email IS NOT NULL AND created_at <= ?",
      [.text(limit.text)])
    return connection.changedRowCount
  }
}

extension RequestBody {
  /// The names of the members that ``words(noteIsNeeded:)`` reads.
  static let wordsOfFlags: Set<String> = ["reason", "note"]

  /// Reads why somebody points at something.
  mutating func words(noteIsNeeded: Bool) -> FlagStore.Words? {
    let reason: FlagStore.Reason? = oneOf("reason", isRequired: true)
    let note = text("note", 1...1_000, isRequired: noteIsNeeded, lines: true)
    return reason.map { FlagStore.Words(reason: $0, note: note) }
  }
}
