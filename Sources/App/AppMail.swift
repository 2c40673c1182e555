package import Mail
import Operations
import PrivacyMap
package import Service
import SpatialDatabase

extension App {
  /// The sender of this instance's mail: from the address `sender`, through `transport`.
  package func mailSender(
    from sender: Mailbox, bounces: BounceTokens? = nil, through transport: any MailTransport
  ) -> MailSender {
    MailSender(
      database: database, environment: environment, catalogue: catalogue,
      settings: instance.settings,
      addresses: instance.addresses, seal: instance.mailSeal, from: sender, bounces: bounces,
      through: transport, outcomes: monitoring.mail)
  }

  /// The envelope senders of this instance's mail.
  package func bounceTokens(_ pattern: BounceAddress) throws -> BounceTokens {
    let now = environment.now()
    return try database.write { try BounceTokens(pattern, $0, now: now) }
  }

  /// The reader of reports about this instance's mail.
  package func bounceReader(_ tokens: BounceTokens, of mailbox: POP3Mailbox) -> BounceReader {
    BounceReader(
      database: database, environment: environment, tokens: tokens, mailbox: mailbox,
      outcomes: monitoring.mail, logger: logger)
  }

  /// The handler of the jobs that read bounces. Without a mailbox it does nothing, and ends a job from the time when
  /// there was one.
  package func bounceWorks(
    _ tokens: BounceTokens?, _ mailbox: POP3Mailbox?
  ) -> [String: JobRunner.Work] {
    guard let tokens, let mailbox else { return [BounceReader.job: { _ in }] }
    return [BounceReader.job: bounceReader(tokens, of: mailbox).read]
  }
}
