package import Logging
package import Mail
package import Metrics
package import PrivacyMap
package import SpatialDatabase

/// Reads the mailbox of bounces: the handler of jobs of kind `bounces`.
///
/// A report that a mail of this instance finally failed has the effect of a refusal during delivery: if the mailbox
/// does not exist, or after failures on several days, the address gets no further mails of a series. A report that
/// the server of the recipient blocks this instance concerns the operator alone. Every mail is deleted after it was
/// read, and nothing of it is stored or logged.
package struct BounceReader: Sendable {
  /// The kind of job.
  package static let job = "bounces"
  /// The time between two readings.
  package static let interval = Duration.seconds(300)

  private let database: Database
  private let environment: Environment
  private let tokens: BounceTokens
  private let mailbox: POP3Mailbox
  private let outcomes: Counters<MailOutcome>
  private let logger: Logger
  private let reports: ReportProcess

  package init(
    database: Database, environment: Environment, tokens: BounceTokens, mailbox: POP3Mailbox,
    outcomes: Counters<MailOutcome>, logger: Logger, reports: ReportProcess = ReportProcess()
  ) {
    self.logger = logger
    self.database = database
    self.environment = environment
    self.tokens = tokens
    self.mailbox = mailbox
    self.outcomes = outcomes
    self.reports = reports
  }

  /// Reads and deletes the mails in the mailbox.
  ///
  /// - Throws: ``MailFailure`` if the mailbox cannot be read, or an error of the database.
  @Sendable package func read(_ payload: String) throws {
    try mailbox.empty { bytes in
      guard let report = try reports.report(in: bytes), let fault = report.fault, fault != .content,
        try note(fault, report)
      else { return }
      outcomes.add(fault == .policy ? .blocked : .bounced)
      if fault == .policy {
        logger.warning("a mail server blocks mail of this instance: see FarolMailBlocked")
      }
    }
  }

  /// Records a failure, if it concerns a mail to the present address of an account.
  private func note(_ fault: DeliveryFault, _ report: DeliveryReport) throws -> Bool {
    let now = environment.now()
    let refusals = MailRefusals()
    for claim in tokens.claims(in: report.recipients, now: now) {
      let key = try database.read { try refusals.addressKey(of: claim.account, $0) }
      guard let key, tokens.isGenuine(claim, to: key), let address = try? EmailAddress(key) else {
        continue
      }
      return try database.write { connection in
        // The address may have changed meanwhile.
        guard try refusals.addressKey(of: claim.account, connection) == key else { return false }
        try refusals.note(fault, of: address, claim.account, at: now, connection)
        return true
      }
    }
    return false
  }
}
