/// A way to send mail.
package protocol MailTransport: Sendable {
  /// Sends one mail and waits until it has been accepted.
  ///
  /// A mail whose acceptance is unknown (the connection broke before the answer) counts as not sent. It
  /// keeps its message id when it is sent again.
  func send(_ message: MailMessage) throws(MailFailure)

  /// Aborts a running transfer, from any thread, and sends nothing more.
  func stop()
}

extension MailTransport {
  package func stop() {}
}

/// Why a mail could not be sent.
package struct MailFailure: Error, Equatable, CustomStringConvertible {
  /// Whether a retry is useless: the server refused the recipient or the content with a code of 500 or
  /// more.
  package let isPermanent: Bool
  /// Whether the server refused the address of the recipient, so that no other mail to it is accepted either.
  package let refusesRecipient: Bool
  /// For the log and for admins. Contains no address and no text of the server, which often repeats the
  /// address.
  package let reason: String

  package init(_ reason: String, isPermanent: Bool = false, refusesRecipient: Bool = false) {
    self.refusesRecipient = refusesRecipient
    self.isPermanent = isPermanent
    self.reason = reason
  }

  package var description: String { reason }
}
