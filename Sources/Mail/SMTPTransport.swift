internal import CCurl
internal import Locking

/// Sends mail to an SMTP server through libcurl, with one connection per mail.
///
/// The server's certificate is verified. Nothing is logged here. `send` blocks for up to a minute, so
/// call it on a separate thread.
package final class SMTPTransport: MailTransport {
  package let server: SMTPServer
  fileprivate let authorities: String?
  private let connectLimit: Duration
  private let wholeLimit: Duration
  private let isStopping = Locked(false)

  /// - Parameters:
  ///   - server: the server that accepts the mail.
  ///   - authorities: a PEM file of trusted certificate authorities; nil for the system's.
  ///   - connectLimit: the time limit for connecting, including TLS and the greeting.
  ///   - wholeLimit: the time limit for a mail.
  package init(
    to server: SMTPServer, authorities: String? = nil, connectLimit: Duration = .seconds(10),
    wholeLimit: Duration = .seconds(60)
  ) {
    self.server = server
    self.authorities = authorities
    self.connectLimit = connectLimit
    self.wholeLimit = wholeLimit
  }

  package func stop() { isStopping.withLock { $0 = true } }

  /// Whether a transfer that must end by `deadline` should be aborted.
  fileprivate func givesUp(at deadline: ContinuousClock.Instant) -> Bool {
    isStopping.withLock { $0 } || ContinuousClock.now >= deadline
  }

  fileprivate var deadline: ContinuousClock.Instant { ContinuousClock.now + wholeLimit }

  package func send(_ message: MailMessage) throws(MailFailure) {
    guard Self.isReady else { throw MailFailure("libcurl could not be started") }
    let transfer = try Transfer()
    let outcome = transfer.run(self, message)
    guard outcome.code != CURLE_OK else { return }
    throw outcome.failure
  }

  /// Calls `curl_global_init` once; it is never undone.
  private static let isReady = curl_begin() == CURLE_OK

  /// The options for libcurl, except for texts.
  fileprivate func mail(_ message: MailMessage, size: Int) -> curl_mail {
    var mail = curl_mail()
    mail.require_tls = server.security == .none ? 0 : 1
    mail.connect_milliseconds = connectLimit.wholeMilliseconds
    mail.whole_milliseconds = wholeLimit.wholeMilliseconds
    mail.size = curl_off_t(size)
    mail.on_read = readBody
    mail.on_progress = askWhetherToStop
    return mail
  }
}

/// One libcurl handle, for one mail.
private struct Transfer: ~Copyable {
  private let handle: UnsafeMutableRawPointer

  init() throws(MailFailure) {
    guard let handle = curl_easy_init() else { throw MailFailure("out of memory") }
    self.handle = handle
  }

  deinit { curl_easy_cleanup(handle) }

  func run(_ transport: SMTPTransport, _ message: MailMessage) -> Outcome {
    let server = transport.server
    var body = OutgoingBody(
      bytes: message.mime(), transport: transport, deadline: transport.deadline)
    var errors = [CChar](repeating: 0, count: Int(CURL_ERROR_SIZE))
    var mail = transport.mail(message, size: body.bytes.count)
    let recipients = curl_slist_append(nil, "<\(message.to.text)>")
    defer { curl_slist_free_all(recipients) }
    mail.to = recipients
    let code = withTexts([
      server.url(greetingAs: message.from.address.domain), "<\(message.from.address.text)>",
      server.login?.username, server.login?.password, transport.authorities,
    ]) { texts in
      (mail.url, mail.from) = (texts[0], texts[1])
      (mail.username, mail.password, mail.authorities) = (texts[2], texts[3], texts[4])
      return errors.withUnsafeMutableBufferPointer { errors in
        withUnsafeMutablePointer(to: &body) { body in
          mail.errors = errors.baseAddress
          mail.context = UnsafeMutableRawPointer(body)
          let prepared = curl_mail_prepare(handle, &mail)
          return prepared == CURLE_OK ? curl_easy_perform(handle) : prepared
        }
      }
    }
    return Outcome(
      code: code, reply: curl_reply(handle),
      said: errors.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) },
      isBodySent: body.sent == body.bytes.count,
      isOverTime: ContinuousClock.now >= body.deadline)
  }
}

/// Provides C strings for the duration of `body`; nil stays nil.
private func withTexts<T>(
  _ texts: [String?], _ body: ([UnsafePointer<CChar>?]) -> T
) -> T {
  func lend(_ rest: ArraySlice<String?>, _ lent: [UnsafePointer<CChar>?]) -> T {
    guard let first = rest.first else { return body(lent) }
    guard let text = first else { return lend(rest.dropFirst(), lent + [nil]) }
    return text.withCString { lend(rest.dropFirst(), lent + [$0]) }
  }
  return lend(texts[...], [])
}

/// A mail being sent.
private struct OutgoingBody {
  let bytes: [UInt8]
  let transport: SMTPTransport
  let deadline: ContinuousClock.Instant
  var sent = 0
}

/// Passes the next piece of the mail to libcurl.
private func readBody(
  _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
  _ context: UnsafeMutableRawPointer?
) -> Int {
  guard let buffer, let body = context?.assumingMemoryBound(to: OutgoingBody.self) else { return 0 }
  let length = min(size * count, body.pointee.bytes.count - body.pointee.sent)
  body.pointee.bytes.withUnsafeBytes { bytes in
    UnsafeMutableRawBufferPointer(start: buffer, count: length)
      .copyMemory(
        from: UnsafeRawBufferPointer(rebasing: bytes[body.pointee.sent...].prefix(length)))
  }
  body.pointee.sent += length
  return length
}

/// libcurl calls this about once a second and on every progress. A result other than 0 aborts the
/// transfer.
///
/// libcurl enforces its own time limit, except when it closes the connection to a server that no longer
/// responds, which would take two minutes more.
private func askWhetherToStop(
  _ context: UnsafeMutableRawPointer?, _: curl_off_t, _: curl_off_t, _: curl_off_t, _: curl_off_t
) -> Int32 {
  guard let body = context?.assumingMemoryBound(to: OutgoingBody.self) else { return 1 }
  return body.pointee.transport.givesUp(at: body.pointee.deadline) ? 1 : 0
}

/// The result of a transfer.
private struct Outcome {
  let code: CURLcode
  /// The last reply code of the server; 0 if there was none.
  let reply: Int
  /// libcurl's error text, used only to find out which command was refused.
  let said: [UInt8]
  let isBodySent: Bool
  let isOverTime: Bool

  var failure: MailFailure {
    if isRefusal {
      return MailFailure(
        "the mail server refused the mail (\(reply))", isPermanent: true,
        refusesRecipient: isAboutRecipient)
    }
    let answer = (400..<600).contains(reply) ? " (\(reply))" : ""
    return MailFailure(words + answer)
  }

  /// Whether the server permanently refused this recipient or this content.
  ///
  /// A reply of 500 or more to a greeting, a login or a sender is caused by the configuration, which an
  /// admin can correct.
  private var isRefusal: Bool {
    guard (500..<600).contains(reply), ![530, 534, 535, 538].contains(reply) else { return false }
    return isBodySent || isAboutRecipient
      || String(decoding: said, as: UTF8.self).hasPrefix("DATA failed")
  }

  /// Whether the server refused the command that names the recipient.
  private var isAboutRecipient: Bool {
    !isBodySent && String(decoding: said, as: UTF8.self).hasPrefix("RCPT failed")
  }

  private var words: String {
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST: "the name of the mail server cannot be resolved"
    case CURLE_COULDNT_CONNECT: "the mail server cannot be reached"
    case CURLE_OPERATION_TIMEDOUT: "the mail server took too long"
    case CURLE_USE_SSL_FAILED: "the mail server offers no STARTTLS"
    case CURLE_PEER_FAILED_VERIFICATION: "the certificate of the mail server is not trusted"
    case CURLE_SSL_CACERT_BADFILE: "the file of trusted authorities cannot be read"
    case CURLE_SSL_CONNECT_ERROR: "the mail server and Farol could not agree on TLS"
    case CURLE_LOGIN_DENIED: "the mail server refused the login"
    case CURLE_ABORTED_BY_CALLBACK:
      isOverTime ? "the mail server took too long" : "Farol is stopping"
    case CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING, CURLE_WEIRD_SERVER_REPLY:
      reply >= 400 ? "the mail server did not take the mail" : "the connection broke"
    default: "sending failed: \(String(cString: curl_easy_strerror(code)))"
    }
  }
}

extension Duration {
  fileprivate var wholeMilliseconds: Int {
    let (seconds, attoseconds) = components
    return Int(clamping: seconds.multipliedReportingOverflow(by: 1_000).partialValue)
      + Int(attoseconds / 1_000_000_000_000_000)
  }
}
