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
  /// Why the server permanently refused the mail; nil if it did not.
  package let fault: DeliveryFault?
  /// For the log and for admins. Contains no address and no text of the server, which often repeats the
  /// address.
  package let reason: String

  package init(_ reason: String, isPermanent: Bool = false, fault: DeliveryFault? = nil) {
    self.fault = fault
    self.isPermanent = isPermanent
    self.reason = reason
  }

  package var description: String { reason }
}
