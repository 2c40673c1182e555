import JSON
import PrivacyMap
import Service
import SpatialDatabase
import WebServer

/// The tables `choice` and `choice_event`. Reads are restricted to one account, so that no person can
/// read the ledger of another.
struct ChoiceStore: Sendable {
  let rights: RightsBook
  let environment: Environment

  /// Maximum number of choices per account.
  static let maximum: Int64 = 2_000

  static let notThere = NotFound(Message("error.not_found.choice"))

  private var today: Day { environment.now().day }

  /// The values of a new choice.
  struct New: Sendable {
    /// The id assigned by a browser; nil to generate one.
    var id: String?
    let device: ChosenDevice
    let kind: String
    let country: String?
    let terms: ChoiceTerms
    let language: String
    let details: [String: String]
    let note: String?
    let reminders: Bool
    /// Whether letters contain a link with which the operator can answer.
    var replyLink = true
    /// The time of the choice if a browser recorded it earlier; nil for now.
    var wantedAt: Timestamp?
  }

  /// - Throws: ``notThere`` if the account has no such choice.
  func choice(
    _ id: String, of account: Int64, _ connection: borrowing Connection
  ) throws -> StoredChoice {
    let found = try connection.first(
      "SELECT \(StoredChoice.columns) FROM choice WHERE id = ? AND account_rowid = ?",
      [.text(id), .integer(account)]
    ) { StoredChoice($0, rights) }
    guard let found else { throw Self.notThere }
    return try withEvents(found, connection)
  }

  /// A choice of any account, for the organisation that received it.
  ///
  /// - Throws: ``notThere`` if it no longer exists.
  func choice(rowid: Int64, _ connection: borrowing Connection) throws -> StoredChoice {
    let found = try connection.first(
      "SELECT \(StoredChoice.columns) FROM choice WHERE rowid = ?", [.integer(rowid)]
    ) { StoredChoice($0, rights) }
    guard let found else { throw Self.notThere }
    return try withEvents(found, connection)
  }

  /// The choice that a reply link refers to; nil for an unknown link.
  func choice(
    repliedBy key: [UInt8], _ connection: borrowing Connection
  ) throws -> StoredChoice? {
    try connection.first(Self.repliedBy, [.blob(key)]) { StoredChoice($0, rights) }
      .map { try withEvents($0, connection) }
  }

  static let repliedBy = "SELECT \(StoredChoice.columns) FROM choice WHERE reply_key = ?"

  /// Choices of an account, newest first, without their events; in `state` (or `overdue`), about a device, and before a
  /// row.
  func choices(
    of account: Int64, in state: String?, about device: String?, before last: Int64?, limit: Int,
    _ connection: borrowing Connection
  ) throws -> [StoredChoice] {
    var sql = "SELECT \(StoredChoice.columns) FROM choice WHERE account_rowid = ?"
    var arguments: [SQLValue] = [.integer(account)]
    if state == "overdue" {
      sql += " AND \(LedgerState.runningCondition) AND last_day < ?"
      arguments.append(.text(today.text))
    } else if let state {
      sql += " AND state = ?"
      arguments.append(.text(state))
    }
    if let device {
      sql += " AND device_id = ?"
      arguments.append(.text(device))
    }
    if let last {
      sql += " AND rowid < ?"
      arguments.append(.integer(last))
    }
    sql += " ORDER BY rowid DESC LIMIT ?"
    arguments.append(SQLValue(limit))
    return try connection.rows(sql, arguments) { StoredChoice($0, rights) }
  }

  /// An account's choices with a pending answer, by deadline, without their events.
  func runningChoices(
    of account: Int64, _ connection: borrowing Connection
  ) throws -> [StoredChoice] {
    try connection.rows(
      """
      SELECT \(StoredChoice.columns) FROM choice WHERE account_rowid = ?
        AND \(LedgerState.runningCondition) ORDER BY last_day, rowid
      """, [.integer(account)]
    ) { StoredChoice($0, rights) }
  }

  /// Lists of choices contain the deadlines within this number of days.
  static let soon = 7

  /// The ids of an account's running choices that are due within ``soon`` days, earliest first.
  func dueSoon(
    _ account: Int64, _ connection: borrowing Connection
  ) throws -> [String] {
    try connection.rows(
      """
      SELECT id FROM choice WHERE account_rowid = ? AND \(LedgerState.runningCondition)
        AND last_day BETWEEN ? AND ? ORDER BY last_day, rowid
      """,
      [
        .integer(account), .text(today.text),
        .text(today.adding(days: Self.soon).text),
      ]
    ) { $0.text(0) }
  }

  /// The number of an account's choices in each state, and of its overdue choices.
  func counts(
    of account: Int64, _ connection: borrowing Connection
  ) throws -> JSONObject {
    var object = JSONObject(LedgerState.allCases.map { ($0.rawValue, 0) })
    try connection.forEach(
      "SELECT state, count(*) FROM choice WHERE account_rowid = ? GROUP BY state",
      [.integer(account)]
    ) { object[$0.text(0)] = .integer($0.int(1)) }
    object["overdue"] = .integer(
      try connection.integer(
        "SELECT count(*) FROM choice WHERE account_rowid = ? AND \(LedgerState.runningCondition) AND last_day < ?",
        [.integer(account), .text(today.text)]) ?? 0)
    return object
  }

  /// The account of a choice; nil if there is no such choice.
  func owner(of id: String, _ connection: borrowing Connection) throws -> Int64? {
    try connection.integer("SELECT account_rowid FROM choice WHERE id = ?", [.text(id)])
  }

  /// The choice with its events applied.
  func withEvents(
    _ choice: StoredChoice, _ connection: borrowing Connection
  ) throws -> StoredChoice {
    var choice = choice
    let entries = try connection.rows(
      "SELECT \(LedgerEntry.columns) FROM choice_event WHERE choice_rowid = ? ORDER BY rowid",
      [.integer(choice.rowid)]
    ) { LedgerEntry($0) }.compactMap { $0 }
    choice.ledger = Ledger(terms: choice.ledger.terms, taken: entries)
    return choice
  }

  /// - Throws: a 409 if the account has too many choices.
  func add(
    _ new: New, to account: Int64, _ connection: borrowing Connection
  ) throws -> String {
    let held = try connection.integer(
      "SELECT count(*) FROM choice WHERE account_rowid = ?", [.integer(account)])
    guard held ?? 0 < Self.maximum else {
      throw Refusal(.conflict, "error.choice.too_many", ["maximum": "\(Self.maximum)"])
    }
    let id = new.id ?? environment.newDeviceID().text
    let now = environment.now().text
    try connection.execute(
      """
      INSERT INTO choice (id, account_rowid, device_id, device, kind, "right", letter, regime,
        country, language, first_period, more_period, deadline_basis, details, note, reminders,
        reply_link, created_at, updated_at, reply_key)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, randomblob(16))
      """,
      [
        .text(id), .integer(account), .text(new.device.id), .text(new.device.json.text),
        .text(new.kind), SQLValue(new.terms.right), SQLValue(new.terms.letter),
        SQLValue(new.terms.regime), SQLValue(new.country), .text(new.language),
        .text(new.terms.first.text), SQLValue(new.terms.longer?.text), .text(new.terms.basis),
        .text(Self.json(new.details).text), SQLValue(new.note), SQLValue(new.reminders),
        SQLValue(new.replyLink), .text(new.wantedAt?.text ?? now), .text(now),
      ])
    return id
  }

  /// Changes a choice. Nil leaves a value unchanged, but erases the note.
  func change(
    _ choice: StoredChoice, details: [String: String]?, language: String?, reminders: Bool?,
    note: String?, replyLink: Bool?, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      """
      UPDATE choice SET details = ?, language = ?, reminders = ?, note = ?, updated_at = ?,
        reply_link = ?
      WHERE rowid = ?
      """,
      [
        .text(Self.json(details ?? choice.details).text), .text(language ?? choice.language),
        SQLValue(reminders ?? choice.reminders), SQLValue(note), .text(environment.now().text),
        SQLValue(replyLink ?? choice.replyLink), .integer(choice.rowid),
      ])
    guard
      reminders ?? choice.reminders != choice.reminders
        || replyLink ?? choice.replyLink != choice.replyLink
    else { return }
    let off =
      (reminders ?? choice.reminders ? [] : [Self.remindersPart])
      + (replyLink ?? choice.replyLink ? [] : [Self.replyPart])
    try ErasureList.note(
      .choiceParts, [choice.id], value: off.joined(separator: " "), at: environment.now(),
      connection)
  }

  private static let remindersPart = "reminders"
  private static let replyPart = "reply_link"

  /// Switches off the parts of a choice that a restored backup has switched on again.
  ///
  /// - Returns: whether one was on.
  func endPartsAgain(
    _ entry: ErasureList.Entry, _ connection: borrowing Connection
  ) throws -> Bool {
    let off = (entry.value ?? "").split(separator: " ").map(String.init)
    var wasOn = false
    for part in [Self.remindersPart, Self.replyPart] where off.contains(part) {
      try connection.execute(
        part == Self.remindersPart
          ? "UPDATE choice SET reminders = 0 WHERE id = ? AND reminders = 1"
          : "UPDATE choice SET reply_link = 0 WHERE id = ? AND reply_link = 1",
        [.text(entry.id)])
      wasOn = wasOn || connection.changedRowCount > 0
    }
    return wasOn
  }

  /// Deletes a choice with all its events.
  func erase(_ choice: StoredChoice, _ connection: borrowing Connection) throws {
    try connection.execute("DELETE FROM choice WHERE rowid = ?", [.integer(choice.rowid)])
    try ErasureList.note(.choice, [choice.id], at: environment.now(), connection)
  }

  /// Deletes the choice with an id, which a restored backup has brought back.
  ///
  /// - Returns: whether it was there.
  func eraseAgain(_ id: String, _ connection: borrowing Connection) throws -> Bool {
    try connection.execute("DELETE FROM choice WHERE id = ?", [.text(id)])
    return connection.changedRowCount > 0
  }

  /// Stores an entry that the ledger has accepted, and updates the derived columns.
  func append(
    _ entry: LedgerEntry, to choice: StoredChoice, _ connection: borrowing Connection
  ) throws {
    let now = environment.now().text
    try connection.execute(
      """
      INSERT INTO choice_event (choice_rowid, \(LedgerEntry.columns), noted_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .integer(choice.rowid), .text(entry.event.rawValue), .text(entry.at.text),
        .text(entry.by.rawValue), SQLValue(entry.note), SQLValue(entry.reason),
        SQLValue(entry.channel?.rawValue), SQLValue(entry.receivedOn?.text), .text(now),
      ])
    try connection.execute(
      "UPDATE choice SET state = ?, last_day = ?, updated_at = ? WHERE rowid = ?",
      [
        .text(choice.ledger.state.rawValue), SQLValue(choice.ledger.lastDay?.text), .text(now),
        .integer(choice.rowid),
      ])
    // Store the device as it was public on the day of the request.
    if entry.event == .sent, let device = try ChosenDevice(choice.device.id, connection) {
      try connection.execute(
        "UPDATE choice SET device = ? WHERE rowid = ?",
        [.text(device.json.text), .integer(choice.rowid)])
    }
  }

  /// Passes the choices whose reminder is due and has not been sent, with their accounts.
  func remindersDue<T>(
    ahead days: Int, today: Day, limit: Int, _ connection: borrowing Connection,
    decode: (Row) -> T
  ) throws -> [T] {
    try connection.rows(
      """
      SELECT choice.rowid, choice.id, choice.last_day, choice.device_id, choice.device,
        account.rowid, account.email, account.username, account.locale
      FROM choice JOIN account ON account.rowid = choice.account_rowid
      WHERE choice.\(LedgerState.runningCondition) AND choice.last_day <= ?1
        AND choice.reminders = 1 AND account.confirmed_at IS NOT NULL
        AND NOT EXISTS (
          SELECT 1 FROM choice_reminder AS gone
          WHERE gone.choice_rowid = choice.rowid AND gone.last_day = choice.last_day
            AND gone.kind = CASE WHEN choice.last_day < ?2 THEN 'after'
              WHEN choice.last_day = ?2 THEN 'on' ELSE 'before' END)
      ORDER BY choice.last_day, choice.rowid LIMIT ?3
      """, [.text(today.adding(days: days).text), .text(today.text), SQLValue(limit)],
      decode: decode)
  }

  /// Records a reminder of a deadline, so that it is sent only once.
  func noteReminder(
    _ kind: String, of choice: Int64, for lastDay: Day, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      "INSERT INTO choice_reminder (choice_rowid, kind, last_day, made_at) VALUES (?, ?, ?, ?)",
      [
        .integer(choice), .text(kind), .text(lastDay.text), .text(environment.now().text),
      ])
  }

  static func json(_ texts: [String: String]) -> JSONValue {
    .object(
      JSONObject(
        texts.sorted { $0.key < $1.key }.map { (key: $0.key, value: JSONValue.string($0.value)) }))
  }
}

extension LedgerState {
  /// The SQL condition that the column `state` of `choice` is one of ``running``. Its text equals the condition of the
  /// partial index `choice_running`.
  package static let runningCondition =
    "state IN (\(running.map { "'\($0.rawValue)'" }.joined(separator: ", ")))"
}
