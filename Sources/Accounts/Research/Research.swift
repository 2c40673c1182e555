import PrivacyMap
package import Service
package import SpatialDatabase
package import WebServer

/// Researcher access: requested on the account page, granted by an admin for a limited time.
///
/// A personal token with the scope `research` gives its holder longer pages and longer reads while the
/// account has a valid grant; see `docs/how-to/researchers.md`.
package struct Research: Feature {
  let database: Database
  let store: ResearchStore
  let mails: ResearchMails
  /// Limit of access requests: five a day per account.
  let questions: Throttle<Int64>

  package init(_ instance: Instance) {
    database = instance.database
    store = ResearchStore(environment: instance.environment)
    mails = ResearchMails(queue: instance.mails)
    questions = instance.rates.limit("research.questions", 5, per: .days(1))
  }

  static let tag = "Research"

  package static let restores = RestoreRule.of(
    "research", ["research_access": .repeats([.research, .researchState])])

  /// A request has the name of the person who asked.
  package static let logNames = [
    LogName("research") {
      """
      SELECT username FROM account WHERE rowid = (
        SELECT account_rowid FROM research_access WHERE id = \($0))
      """
    }
  ]

  package func eraseAgain(
    _ entry: ErasureList.Entry, _ connection: borrowing Connection
  ) throws -> Bool? { try store.eraseAgain(entry, connection) }

  package var endpoints: [Endpoint] {
    ResearchRoutes(research: self).endpoints + ResearchAdminRoutes(research: self).endpoints
  }
  package var schemas: [Schema] {
    JSONSchema.named([
      "newResearchAccess": [
        "project": .text(1...120), "purpose": .text(40...2_000), "until": .day,
      ],
      "researchDecision": [
        "decision": .oneOf(["grant", "refuse", "revoke"]), "reason": .text(1...500).optional,
        "until": .day.optional,
      ],
    ]) + [
      ResearchAccess.shape.component, ResearchAccess.shapeOfList.component,
      ResearchAccess.shapeOfPage.component,
    ]
  }
}

/// Checks whether a request carries a researcher's token.
package struct ResearchReader: Sendable {
  package let gate: Gate

  package init(gate: Gate) {
    self.gate = gate
  }

  /// Time limit of one read by a researcher.
  package static let readTime = Duration.seconds(20)

  /// False without a token; cookies are ignored.
  ///
  /// - Throws: a 401 ``Refusal`` if the token is invalid.
  package func isResearcher(_ request: Request) throws -> Bool {
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
    for admin in try ResearchStore.admins(connection) {
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
    _ access: ResearchAccess, _ template: MailTemplate, reason: String?, until: Day?,
    _ connection: borrowing Connection
  ) throws {
    try queue.tell(
      access.account, template,
      ["project": access.project, "reason": reason ?? "–", "day": until?.text ?? "–"],
      link: "/account#research", connection)
  }
}
