import PrivacyMap
import SpatialDatabase
import WebServer

/// Researcher access: requested on the account page, granted by an admin for a limited time.
///
/// A personal token with the scope `research` gives its holder longer pages and longer reads while the
/// account has a valid grant; see `docs/researchers.md`.
struct Research: Sendable {
  let database: Database
  let store: ResearchStore
  let mails: ResearchMails
  /// Limit of access requests: five a day per account.
  let questions: Throttle<Int64>

  init(database: Database, surroundings: Surroundings) {
    self.database = database
    store = ResearchStore(surroundings: surroundings)
    mails = ResearchMails(queue: MailQueue(now: surroundings.now))
    questions = Throttle(limit: 5, window: .seconds(86_400), now: surroundings.now)
  }

  static let tag = "Research"

  var endpoints: [Endpoint] {
    ResearchRoutes(research: self).endpoints + ResearchDesk(research: self).endpoints
  }
}

/// Checks whether a request carries a researcher's token.
struct ResearchReader: Sendable {
  let gate: Gate

  /// Time limit of one read by a researcher.
  static let readTime = Duration.seconds(20)

  /// False without a token; cookies are ignored.
  ///
  /// - Throws: a 401 ``Refusal`` if the token is invalid.
  func isResearcher(_ request: Request) throws -> Bool {
    guard request.headers["Authorization"] != nil else { return false }
    return try gate.caller(request, for: .everyone).principal?.isResearcher ?? false
  }
}

/// The mails about researcher access, queued in the transaction of the change that they report.
struct ResearchMails: Sendable {
  let queue: MailQueue

  /// Notifies all admins of a request.
  func ask(
    _ access: ResearchAccess, by username: String, _ connection: borrowing Connection
  ) throws {
    let admins = try connection.rows(
      """
      SELECT rowid, username, email, locale FROM account
      WHERE role = 'admin' AND confirmed_at IS NOT NULL AND suspended_at IS NULL
      """
    ) { (rowid: $0.int(0), username: $0.text(1), email: $0.text(2), locale: $0.text(3)) }
    for admin in admins {
      try queue.add(
        OutgoingMail(
          to: admin.email, language: admin.locale, account: admin.rowid,
          template: MailTemplate.researchAsked.rawValue,
          arguments: [
            "username": admin.username, "other": username, "project": access.project,
          ], link: "/admin/research"), connection)
    }
  }

  /// Notifies the person of the decision.
  func tell(
    _ access: ResearchAccess, _ template: MailTemplate, reason: String, until: Day?,
    _ connection: borrowing Connection
  ) throws {
    try queue.tell(
      access.account, template,
      ["project": access.project, "reason": reason, "day": until?.text ?? "–"],
      link: "/account#research", connection)
  }
}
