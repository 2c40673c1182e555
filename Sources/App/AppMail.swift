package import Mail
import Operations
package import Service

extension App {
  /// The sender of this instance's mail: from the address `sender`, through `transport`.
  package func mailSender(
    from sender: Mailbox, through transport: any MailTransport
  ) -> MailSender {
    MailSender(
      database: database, environment: environment, catalogue: catalogue, settings: settings,
      addresses: core.addresses, seal: mailSeal, from: sender, through: transport,
      outcomes: monitoring.mail)
  }
}
