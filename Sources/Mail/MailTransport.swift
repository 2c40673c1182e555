/// A way for mail to leave.
package protocol MailTransport: Sendable {
  /// Hands one mail over and waits until it has been taken.
  ///
  /// A mail whose taking could not be seen (the connection broke before the answer) counts as not
  /// sent; sent again, it carries the same message id.
  func send(_ message: MailMessage) throws(MailFailure)

  /// Gives up what is being sent, from any thread, and sends nothing more.
  func stop()
}

extension MailTransport {
  package func stop() {}
}

/// Why a mail did not leave.
package struct MailFailure: Error, Equatable, CustomStringConvertible {
  /// Whether the server will refuse this mail again: it answered its recipient or its content with
  /// a code of 500 or more.
  package let isPermanent: Bool
  /// For the log and for whoever runs the instance; never an address nor words of the server, which
  /// like to repeat one.
  package let reason: String

  package init(_ reason: String, isPermanent: Bool = false) {
    self.isPermanent = isPermanent
    self.reason = reason
  }

  package var description: String { reason }
}
