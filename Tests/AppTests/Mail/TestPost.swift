@testable import App
import Locking
import Logging
import Mail
@testable import Operations
import PrivacyMap
@testable import Service
import SpatialDatabase
import TestMailServer

extension TestApp {
  var queue: MailQueue { MailQueue(now: environment.now, seal: app.mailSeal) }

  /// Queues a mail in a separate transaction.
  func add(_ mail: OutgoingMail) throws {
    try database.write { try queue.add(mail, $0) }
  }

  /// Runs the jobs of this instance; mail is sent through `transport`.
  func runner(
    _ transport: any MailTransport, works: [String: JobRunner.Work] = [:],
    bounces: BounceTokens? = nil
  ) throws -> JobRunner {
    let mail = app.mailSender(
      from: try Mailbox("Farol <farol@farol.example>"), bounces: bounces, through: transport)
    let usual: [String: JobRunner.Work] = [MailSender.wiping: { _ in }]
    return JobRunner(
      database: database, environment: environment,
      logger: Logger(label: "test") { [log] _ in log },
      works: usual.merging(works) { $1 }.merging([MailSender.job: mail.send]) { $1 },
      apart: [MailSender.job],
      cleanups: [MailSender.job: mail.erase])
  }

  /// Sends every queued mail, also where ``work()`` has finished its job without sending.
  func sendMail(_ transport: any MailTransport, bounces: BounceTokens? = nil) throws {
    try database.write { connection in
      for rowid in try connection.rows(
        "SELECT rowid FROM mail ORDER BY rowid", decode: { $0.int(0) })
      {
        try JobRunner.schedule(MailSender.job, payload: "\(rowid)", due: clock.now, connection)
      }
    }
    let runner = try runner(transport, bounces: bounces)
    while try runner.runOne() {}
  }

  /// The number of queued mails, and of jobs that would send one.
  func waiting() throws -> (mails: Int64?, jobs: Int64?) {
    (
      try integer("SELECT count(*) FROM mail"),
      try integer("SELECT count(*) FROM job WHERE kind = 'mail' AND failed_at IS NULL")
    )
  }
}

extension TestMailServer {
  /// Mail sent to this server.
  func transport() throws -> SMTPTransport {
    SMTPTransport(
      to: try SMTPServer("smtp://127.0.0.1:\(port)"), connectLimit: .seconds(10),
      wholeLimit: .seconds(15))
  }
}

/// Stores sent mails, and fails as configured.
final class TestTransport: MailTransport {
  private let kept = Locked<[MailMessage]>([])
  private let failure = Locked<MailFailure?>(nil)

  /// Every message that was tried, including failed ones.
  var messages: [MailMessage] { kept.withLock { $0 } }

  func fail(_ failure: MailFailure?) { self.failure.withLock { $0 = failure } }

  func send(_ message: MailMessage) throws(MailFailure) {
    kept.withLock { $0.append(message) }
    if let failure = failure.withLock({ $0 }) { throw failure }
  }
}

extension OutgoingMail {
  /// A mail with a value for every placeholder of a template.
  static func example(
    _ template: MailTemplate, to account: TestAccount? = nil, language: String = "en"
  ) -> OutgoingMail {
    OutgoingMail(
      to: account?.email ?? "rui@example.org", language: language, account: account?.rowid,
      template: template.rawValue,
      arguments: [
        "username": account?.username ?? "rui", "decision": "A moderator hid a device of yours.",
        "device": "Câmara da Sé", "reason": "Não está lá.", "until": "2026-12-01",
        "role": "moderator", "outcome": "It was put in order.",
        "day": "21 December 2026", "other": "Eva",
        "organisation": "City of Exemplo", "project": "Cameras near schools",
        "label": "My street", "list": "• New: Câmara da Sé",
        "token": "Backup", "scopes": "Administer", "schedule": "Cameras of the city",
        "problem": "The new list has no rows.",
        "file": "cameras.csv", "street": "", "minutes": "30", "event": "Old town",
        "sender": "Ana", "text": "Bring good shoes.", "added": "3", "confirmed": "2",
        "photographed": "1",
        "letter": "To: City of Exemplo\n\nPlease answer.\n\nA. Person",
      ],
      link: template.link == .none ? nil : "/confirm#token=abcDEF_-123")
  }
}
