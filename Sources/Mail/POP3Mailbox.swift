internal import CCurl
internal import Locking

/// A mailbox whose mails are read once and then deleted, through POP3 with libcurl.
///
/// The server's certificate is verified. Nothing is logged here. ``empty(_:)`` blocks for minutes, so call it on a
/// separate thread.
package final class POP3Mailbox: Sendable {
  /// The limits of one call of ``POP3Mailbox/empty(_:)``.
  package struct Limits: Sendable {
    /// The number of mails.
    package var mails = 500
    /// Bytes of a mail. A longer mail is deleted unread. Postfix's reports have up to 50,000 bytes of the mail
    /// (`bounce_size_limit`).
    package var bytes = 256 << 10
    /// The time for connecting, including TLS and the greeting.
    package var connecting = Duration.seconds(10)
    /// The time of a command.
    package var command = Duration.seconds(60)
    /// The time after which no further mail is read.
    package var round = Duration.seconds(240)

    package init(_ change: (inout Limits) -> Void = { _ in }) { change(&self) }
  }

  package let server: POP3Server
  private let authorities: String?
  private let limits: Limits
  private let isStopping = Locked(false)

  /// `authorities` is a PEM file of trusted certificate authorities; nil for the system's.
  package init(at server: POP3Server, authorities: String? = nil, limits: Limits = Limits()) {
    self.server = server
    self.authorities = authorities
    self.limits = limits
  }

  /// Aborts a running transfer, from any thread, and reads nothing more.
  package func stop() { isStopping.withLock { $0 = true } }

  /// Passes each mail to `handle`, oldest first, and deletes it afterwards.
  ///
  /// After a crash or an error, mails that were handled may be passed again. A mail for which `handle` throws stays.
  ///
  /// - Throws: ``MailFailure``, or the error of `handle`.
  package func empty(_ handle: ([UInt8]) throws -> Void) throws {
    guard curl_begin() == CURLE_OK else { throw MailFailure("libcurl could not be started") }
    let end = ContinuousClock.now + limits.round
    var session = try POP3Session(
      at: server, authorities: authorities, connectLimit: limits.connecting,
      limit: limits.command
    ) { [self] in hasToStop }
    let result = Result { try empty(&session, until: end, handle) }
    // Also after an error: this deletes the mails already handled.
    do { try session.close() } catch { if case .success = result { throw error } }
    try result.get()
  }

  private func empty(
    _ session: inout POP3Session, until end: ContinuousClock.Instant,
    _ handle: ([UInt8]) throws -> Void
  ) throws {
    for mail in try session.list().prefix(limits.mails) {
      guard !hasToStop, .now < end else { return }
      if mail.size <= limits.bytes,
        let bytes = try session.read(mail.number, atMost: limits.bytes)
      {
        try handle(bytes)
      }
      try session.delete(mail.number)
    }
  }

  private var hasToStop: Bool { isStopping.withLock { $0 } }
}
