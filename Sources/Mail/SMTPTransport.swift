internal import CCurl
internal import Dispatch
internal import Locking

/// Sends mail to an SMTP server through libcurl.
///
/// The server's certificate is verified. Nothing is logged here. `send` blocks for up to a minute, so
/// call it on a separate thread. The connection stays open for a moment after a mail, because opening one takes
/// several round trips and a TLS handshake.
package final class SMTPTransport: MailTransport {
  package let server: SMTPServer
  private let authorities: String?
  private let connectLimit: Duration
  private let wholeLimit: Duration
  private let idleTimeout: Duration
  private let isStopping = Locked(false)
  private let kept = Locked(Kept())
  /// Closes connections: a server may answer slowly.
  private let closing = DispatchQueue(label: "smtp connections")

  /// The connection that waits for the next mail.
  private struct Kept {
    var connection: SMTPConnection?
    /// Whether ``closeIfUnused()`` will run.
    var isWatched = false
  }

  /// The mails of one connection; servers usually allow a hundred or more.
  private static let maximum = 100

  /// - Parameters:
  ///   - server: the server that accepts the mail.
  ///   - authorities: a PEM file of trusted certificate authorities; nil for the system's.
  ///   - connectLimit: the time limit for connecting, including TLS and the greeting.
  ///   - wholeLimit: the time limit for a mail.
  ///   - idleTimeout: the time after which an unused connection is closed. Servers have few connections to give, so it
  ///     is as short as Postfix's own (`smtp_connection_cache_time_limit`).
  package init(
    to server: SMTPServer, authorities: String? = nil, connectLimit: Duration = .seconds(10),
    wholeLimit: Duration = .seconds(60), idleTimeout: Duration = .seconds(2)
  ) {
    self.server = server
    self.authorities = authorities
    self.connectLimit = connectLimit
    self.wholeLimit = wholeLimit
    self.idleTimeout = idleTimeout
  }

  deinit {
    if let connection = kept.withLock({ $0.connection }) { closing.async { connection.close() } }
  }

  package func stop() { isStopping.withLock { $0 = true } }

  package func send(_ message: MailMessage) throws(MailFailure) {
    guard Self.isReady else { throw MailFailure("libcurl could not be started") }
    guard !hasToStop else { throw MailFailure("Farol is stopping") }
    if let connection = take(), try send(message, over: connection, isNew: false) { return }
    let connection = try SMTPConnection(
      to: server, authorities: authorities, connectLimit: connectLimit)
    _ = try send(message, over: connection, isNew: true)
  }

  /// Returns false if a new connection may do better.
  private func send(
    _ message: MailMessage, over connection: SMTPConnection, isNew: Bool
  ) throws(MailFailure) -> Bool {
    let outcome = connection.send(message, within: wholeLimit) { [self] in hasToStop }
    guard isNew || !outcome.mayWorkOnNewConnection else { return false }
    // After an error libcurl has closed the connection.
    guard outcome.isAccepted else { throw outcome.failure }
    keep(connection)
    return true
  }

  private var hasToStop: Bool { isStopping.withLock { $0 } }

  /// Calls `curl_global_init` once; it is never undone.
  private static let isReady = curl_begin() == CURLE_OK

  private func take() -> SMTPConnection? {
    kept.withLock { kept in
      defer { kept.connection = nil }
      return kept.connection
    }
  }

  private func keep(_ connection: SMTPConnection) {
    let (surplus, mustWatch) = kept.withLock { kept in
      guard kept.connection == nil, connection.mails < Self.maximum else {
        return (connection as SMTPConnection?, false)
      }
      defer { kept.isWatched = true }
      kept.connection = connection
      return (nil, !kept.isWatched)
    }
    if let surplus { closing.async { surplus.close() } }
    if mustWatch { watch(for: idleTimeout) }
  }

  private func watch(for time: Duration) {
    let milliseconds = DispatchTimeInterval.milliseconds(time.wholeMilliseconds)
    closing.asyncAfter(deadline: .now() + milliseconds) { [weak self] in self?.closeIfUnused() }
  }

  private func closeIfUnused() {
    let (unused, left) = kept.withLock { kept in
      guard let connection = kept.connection else {
        kept.isWatched = false
        return (nil as SMTPConnection?, nil as Duration?)
      }
      let left = idleTimeout - (ContinuousClock.now - connection.lastUsed)
      if left > .zero { return (nil, left) }
      kept = Kept()
      return (connection, nil)
    }
    unused?.close()
    // A millisecond more, because the rest is rounded down.
    if let left { watch(for: left + .milliseconds(1)) }
  }
}
