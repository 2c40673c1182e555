internal import CCurl
internal import Glibc

/// A connection to a mail server, in a transfer handle of libcurl. The first mail opens it.
///
/// `@unchecked Sendable`: ``SMTPTransport`` takes a connection out of its lock before it is used, so one thread at a
/// time has the handle, as libcurl requires, and the variables.
final class SMTPConnection: @unchecked Sendable {
  private let server: SMTPServer
  private let authorities: String?
  private let connectLimit: Duration
  private let handle: UnsafeMutableRawPointer
  /// The domain of the last sender, which the greeting names.
  private var domain = ""
  /// The number of mails that were sent.
  private(set) var mails = 0
  private(set) var lastUsed = ContinuousClock.now

  /// The time limit for closing.
  private static let closingLimit = Duration.seconds(2)

  init(
    to server: SMTPServer, authorities: String?, connectLimit: Duration
  ) throws(MailFailure) {
    guard let handle = curl_easy_init() else { throw MailFailure("out of memory") }
    self.handle = handle
    self.server = server
    self.authorities = authorities
    self.connectLimit = connectLimit
  }

  deinit {
    // Without a socket, `curl_easy_cleanup` does not wait for a reply to its QUIT.
    let socket = curl_kept_socket(handle)
    if socket >= 0 { shutdown(socket, Int32(SHUT_RDWR)) }
    curl_easy_cleanup(handle)
  }

  /// Sends a mail within a time limit, unless `isStopping` returns true meanwhile.
  func send(
    _ message: MailMessage, within limit: Duration, unless isStopping: @escaping () -> Bool
  ) -> SMTPOutcome {
    domain = message.from.address.domain
    var transfer = Transfer(bytes: message.mime(), within: limit, unless: isStopping)
    let recipients = curl_slist_append(nil, "<\(message.to.text)>")
    defer { curl_slist_free_all(recipients) }
    var mail = curl_mail()
    mail.size = curl_off_t(transfer.bytes.count)
    mail.to = recipients
    let outcome = perform(mail, from: message.envelopeSender.text, &transfer)
    mails += 1
    lastUsed = .now
    return outcome
  }

  /// Says goodbye to the server, unless it has closed the connection. Blocks for some seconds at most.
  func close() {
    let socket = curl_kept_socket(handle)
    var state = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    guard socket >= 0, poll(&state, 1, 0) == 0 else { return }
    var transfer = Transfer(bytes: [], within: Self.closingLimit) { false }
    var mail = curl_mail()
    mail.closes = 1
    _ = perform(mail, from: "", &transfer)
  }

  /// Completes the options and transfers.
  private func perform(
    _ mail: curl_mail, from sender: String, _ transfer: inout Transfer
  ) -> SMTPOutcome {
    var mail = mail
    mail.require_tls = server.security == .none ? 0 : 1
    mail.connect_milliseconds = connectLimit.wholeMilliseconds
    mail.whole_milliseconds = transfer.limit.wholeMilliseconds
    mail.on_read = readBody
    mail.on_reply = readReply
    mail.on_progress = askWhetherToStop
    var errors = [CChar](repeating: 0, count: Int(CURL_ERROR_SIZE))
    let code = withTexts([
      server.url(greetingAs: domain), "<\(sender)>", server.login?.username,
      server.login?.password, authorities,
    ]) { texts in
      (mail.url, mail.from) = (texts[0], texts[1])
      (mail.username, mail.password, mail.authorities) = (texts[2], texts[3], texts[4])
      return errors.withUnsafeMutableBufferPointer { errors in
        withUnsafeMutablePointer(to: &transfer) { transfer in
          mail.errors = errors.baseAddress
          mail.context = UnsafeMutableRawPointer(transfer)
          let prepared = curl_mail_prepare(handle, &mail)
          return prepared == CURLE_OK ? curl_easy_perform(handle) : prepared
        }
      }
    }
    let reply = curl_reply(handle)
    let outcome = SMTPOutcome(
      code: code, reply: reply, status: transfer.replies.status(of: reply),
      said: errors.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, bytesSent: transfer.sent,
      isBodySent: transfer.sent == transfer.bytes.count, isOverTime: transfer.isOverTime)
    // Forgets the options, which point to memory of this transfer, but keeps the connection.
    curl_easy_reset(handle)
    return outcome
  }
}

/// The context of the libcurl callbacks.
private struct Transfer {
  /// The mail; empty for closing.
  let bytes: [UInt8]
  let limit: Duration
  private let deadline: ContinuousClock.Instant
  private let isStopping: () -> Bool
  var sent = 0
  /// The replies of the server.
  var replies = SMTPReplies()

  init(bytes: [UInt8], within limit: Duration, unless isStopping: @escaping () -> Bool) {
    self.bytes = bytes
    self.limit = limit
    deadline = .now + limit
    self.isStopping = isStopping
  }

  var isOverTime: Bool { ContinuousClock.now >= deadline }
  var isToAbort: Bool { isStopping() || isOverTime }
}

/// Passes the next piece of the mail to libcurl.
private func readBody(
  _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
  _ context: UnsafeMutableRawPointer?
) -> Int {
  guard let buffer, let transfer = context?.assumingMemoryBound(to: Transfer.self) else { return 0 }
  let length = min(size * count, transfer.pointee.bytes.count - transfer.pointee.sent)
  transfer.pointee.bytes.withUnsafeBytes { bytes in
    UnsafeMutableRawBufferPointer(start: buffer, count: length)
      .copyMemory(
        from: UnsafeRawBufferPointer(rebasing: bytes[transfer.pointee.sent...].prefix(length)))
  }
  transfer.pointee.sent += length
  return length
}

/// libcurl calls this with each line of a reply.
private func readReply(
  _ line: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
  _ context: UnsafeMutableRawPointer?
) -> Int {
  guard let line, let transfer = context?.assumingMemoryBound(to: Transfer.self) else { return 0 }
  transfer.pointee.replies.read(UnsafeRawBufferPointer(start: line, count: size * count))
  return size * count
}

/// libcurl calls this about once a second and on every progress. A result other than 0 aborts the
/// transfer.
///
/// libcurl enforces its own time limit, except when it closes the connection to a server that no longer
/// responds, which would take two minutes more.
private func askWhetherToStop(
  _ context: UnsafeMutableRawPointer?, _: curl_off_t, _: curl_off_t, _: curl_off_t, _: curl_off_t
) -> Int32 {
  guard let transfer = context?.assumingMemoryBound(to: Transfer.self) else { return 1 }
  return transfer.pointee.isToAbort ? 1 : 0
}

extension Duration {
  var wholeMilliseconds: Int {
    let (seconds, attoseconds) = components
    return Int(clamping: seconds.multipliedReportingOverflow(by: 1_000).partialValue)
      + Int(attoseconds / 1_000_000_000_000_000)
  }
}
