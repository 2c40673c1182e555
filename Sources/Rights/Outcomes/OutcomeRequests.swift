import Accounts
package import PrivacyMap
package import SpatialDatabase

/// The current state of every person's latest request to each operator and about each category.
///
/// A person is one account: confirmed, more than a day old and not suspended. A request counts a day
/// after it was recorded as sent, so that the figures do not reveal the hour.
package struct OutcomeRequests {
  /// One cell: the people counted in it.
  struct Cell {
    /// The name as spelled in the latest request.
    fileprivate(set) var name = ""
    fileprivate var latest: [Int64: Request] = [:]

    var positions: [Int64: OutcomePosition] {
      latest.mapValues { OutcomePosition(standing: $0.standing, days: $0.days) }
    }
  }

  /// One sent request.
  fileprivate struct Request {
    let rowid: Int64
    let account: Int64
    let operatorName: String?
    let category: String
    let standing: OutcomeStanding
    let days: Int?
    let notedAt: String

    /// Whether it was sent later than `other`.
    func isLater(than other: Request) -> Bool {
      (notedAt, rowid) > (other.notedAt, other.rowid)
    }
  }

  private(set) var cells: [OutcomeKind: [String: Cell]] = [:]

  /// Requests per read, so that no connection is occupied for long.
  private static let portion: Int64 = 2_000

  /// The columns of a request that was sent and counts, and the tables with them.
  ///
  /// The operator of a household device is a person, whose name no figure has, however many people ask.
  private static let counted = """
    SELECT choice.rowid, choice.account_rowid,
      CASE WHEN json_extract(choice.device, '$.operator_kind') = 'household'
        OR EXISTS (SELECT 1 FROM category WHERE category.household = 1
          AND category.code = json_extract(choice.device, '$.category'))
        THEN NULL ELSE json_extract(choice.device, '$.operator') END,
      json_extract(choice.device, '$.category'), choice.state, choice.last_day, sent.at,
      sent.noted_at,
      (SELECT event FROM choice_event AS answer WHERE answer.choice_rowid = choice.rowid
        AND answer.event IN ('honoured', 'refused') ORDER BY answer.rowid DESC LIMIT 1),
      (SELECT at FROM choice_event AS answer WHERE answer.choice_rowid = choice.rowid
        AND answer.event IN ('honoured', 'refused') ORDER BY answer.rowid LIMIT 1)
    FROM choice
    JOIN account ON account.rowid = choice.account_rowid
    JOIN choice_event AS sent ON sent.choice_rowid = choice.rowid AND sent.event = 'sent'
    WHERE account.confirmed_at IS NOT NULL
      AND account.created_at <= ?3 AND sent.noted_at <= ?3
      AND (account.suspended_at IS NULL OR account.suspended_until <= ?4)
    """

  static let portionQuery = """
    \(counted) AND (choice.account_rowid, choice.rowid) > (?1, ?2)
    ORDER BY choice.account_rowid, choice.rowid LIMIT ?5
    """

  init(_ database: Database, now: Timestamp) throws {
    let yesterday = now.later(-Publication.delay)
    var last: (account: Int64, rowid: Int64) = (0, 0)
    var count: Int64
    repeat {
      let requests = try database.read { connection in
        try connection.rows(
          Self.portionQuery,
          [
            .integer(last.account), .integer(last.rowid), .text(yesterday.text), .text(now.text),
            .integer(Self.portion),
          ]
        ) { Request($0, today: now.day) }
      }
      for request in requests { take(request) }
      count = Int64(requests.count)
      if let request = requests.last { last = (request.account, request.rowid) }
    } while count == Self.portion
  }

  static let oneQuery = """
    \(counted) AND choice.id = ?1 AND choice.state <> ?2
    """

  /// The state of a request that counts, by the id of its choice; nil if it was not sent, was withdrawn, or does not
  /// count yet.
  package static func standing(
    ofChoice id: String, now: Timestamp, _ connection: borrowing Connection
  ) throws -> OutcomeStanding? {
    let yesterday = now.later(-Publication.delay)
    return try connection.first(
      oneQuery,
      [
        .text(id), .text(LedgerState.withdrawn.rawValue), .text(yesterday.text), .text(now.text),
      ]
    ) { Request($0, today: now.day).standing }
  }

  private mutating func take(_ request: Request) {
    if let name = request.operatorName { take(request, .operator, name) }
    take(request, .category, request.category)
  }

  private mutating func take(_ request: Request, _ kind: OutcomeKind, _ name: String) {
    let key = kind.key(name)
    guard !key.isEmpty else { return }
    var cell = cells[kind, default: [:]][key] ?? Cell()
    if cell.latest.values.isEmpty || cell.name.isEmpty { cell.name = name }
    if let before = cell.latest[request.account], !request.isLater(than: before) { return }
    cell.latest[request.account] = request
    cells[kind, default: [:]][key] = cell
  }
}

extension OutcomeRequests.Request {
  init(_ row: borrowing Row, today: Day) {
    rowid = row.int(0)
    account = row.int(1)
    operatorName = row.optionalText(2)
    category = row.optionalText(3) ?? "other"
    notedAt = row.text(7)
    let answer = row.optionalText(8)
    let lastDay = row.optionalText(5).flatMap { Day(text: $0) }
    standing =
      switch row.text(4) {
      case "honoured", "confirmed": .honoured
      case "refused": .refused
      case "complained" where answer == "refused": .refused
      case "complained" where answer == nil: .overdue
      case "withdrawn": .asked
      default: lastDay.map { $0 < today } ?? false ? .overdue : .asked
      }
    let sent = Timestamp(text: row.text(6))?.day
    let answered = row.optionalText(9).flatMap { Timestamp(text: $0)?.day }
    if let sent, let answered {
      days = max(0, Int(answered.daysSinceEpoch) - Int(sent.daysSinceEpoch))
    } else {
      days = nil
    }
  }
}
