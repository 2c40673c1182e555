/// The outcome of sending a mail.
package enum MailOutcome: String, CaseIterable, Sendable {
  case sent
  /// To be retried.
  case putOff = "put_off"
  case refused
  /// Refused, or reported as failed, because the server of the recipient accepts no such mail from this instance.
  case blocked
  /// A sent mail that has finally failed, according to a later report.
  case bounced
}
