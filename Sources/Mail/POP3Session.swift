internal import CCurl
internal import Glibc

/// One session with a mailbox, in a transfer handle of libcurl. The first command opens the connection.
///
/// The numbers of mails are valid in their session only (RFC 1939 §5), so an interrupted session does not continue on
/// another connection.
struct POP3Session: ~Copyable {
  private let server: POP3Server
  private let authorities: String?
  private let connectLimit: Duration
  private let limit: Duration
  private let isStopping: () -> Bool
  private let handle: UnsafeMutableRawPointer
  private var isOpen = false

  /// A mail of a mailbox, with its size in bytes.
  struct Entry: Equatable {
    let number: Int
    let size: Int
  }

  /// The number of bytes of a list that is read: some 100,000 mails.
  private static let maxListSize = 2 << 20

  /// `limit` is the time limit of a command.
  init(
    at server: POP3Server, authorities: String?, connectLimit: Duration, limit: Duration,
    unless isStopping: @escaping () -> Bool
  ) throws(MailFailure) {
    guard let handle = curl_easy_init() else { throw MailFailure("out of memory") }
    self.handle = handle
    self.server = server
    self.authorities = authorities
    self.connectLimit = connectLimit
    self.limit = limit
    self.isStopping = isStopping
  }

  deinit {
    // Without a socket, `curl_easy_cleanup` sends no QUIT, which would delete, and does not wait for its answer.
    let socket = curl_kept_socket(handle)
    if socket >= 0 { shutdown(socket, Int32(SHUT_RDWR)) }
    curl_easy_cleanup(handle)
  }

  /// The mails, oldest first.
  mutating func list() throws(MailFailure) -> [Entry] {
    let text = try perform(server.url(), keeping: Self.maxListSize).bytes
    return text.split(separator: UInt8(ascii: "\n")).compactMap { line in
      let words = String(decoding: line, as: UTF8.self).split { $0 == " " || $0 == "\r" }
      guard words.count >= 2, let number = Int(words[0]), let size = Int(words[1]), number > 0
      else { return nil }
      return Entry(number: number, size: size)
    }
  }

  /// The content of a mail; nil if it is longer than `limit` bytes.
  mutating func read(_ mail: Int, atMost limit: Int) throws(MailFailure) -> [UInt8]? {
    let received = try perform(server.url(of: mail), keeping: limit)
    return received.isComplete ? received.bytes : nil
  }

  /// Marks a mail; ``close()`` deletes it.
  mutating func delete(_ mail: Int) throws(MailFailure) {
    _ = try perform(server.url(of: mail), command: "DELE", keeping: 0)
  }

  /// Ends the session: the server deletes the marked mails. Does nothing if the connection has broken.
  mutating func close() throws(MailFailure) {
    guard isOpen, curl_kept_socket(handle) >= 0 else { return }
    _ = try perform(server.url(), command: "NOOP", keeping: 0, closes: true)
  }

  private mutating func perform(
    _ url: String, command: String? = nil, keeping size: Int, closes: Bool = false
  ) throws(MailFailure) -> Received {
    var received = Received(limit: size, isStopping: isStopping)
    var box = curl_mailbox()
    box.connect_milliseconds = connectLimit.wholeMilliseconds
    box.whole_milliseconds = limit.wholeMilliseconds
    box.on_write = takePiece
    box.on_progress = askWhetherToStop
    box.closes = closes ? 1 : 0
    let code = withTexts([
      url, server.login.username, server.login.password, authorities, command,
    ]) { texts in
      (box.url, box.username, box.password) = (texts[0], texts[1], texts[2])
      (box.authorities, box.command) = (texts[3], texts[4])
      return withUnsafeMutablePointer(to: &received) { received in
        box.context = UnsafeMutableRawPointer(received)
        let prepared = curl_mailbox_prepare(handle, &box)
        return prepared == CURLE_OK ? curl_easy_perform(handle) : prepared
      }
    }
    let opened = curl_opened_connections(handle)
    // Forgets the options, which point to memory of this transfer, but keeps the connection.
    curl_easy_reset(handle)
    guard code == CURLE_OK else { throw Self.failure(code) }
    guard opened == (isOpen ? 0 : 1) else {
      isOpen = false
      throw MailFailure("the connection to the mailbox broke")
    }
    isOpen = true
    return received
  }

  private static func failure(_ code: CURLcode) -> MailFailure {
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST:
      MailFailure("the name of the mailbox's server cannot be resolved")
    case CURLE_COULDNT_CONNECT: MailFailure("the mailbox's server cannot be reached")
    case CURLE_OPERATION_TIMEDOUT: MailFailure("the mailbox's server took too long")
    case CURLE_PEER_FAILED_VERIFICATION:
      MailFailure("the certificate of the mailbox's server is not trusted")
    case CURLE_LOGIN_DENIED: MailFailure("the mailbox's server refused the login")
    case CURLE_ABORTED_BY_CALLBACK: MailFailure("Farol is stopping")
    default:
      MailFailure("the mailbox cannot be read: \(String(cString: curl_easy_strerror(code)))")
    }
  }
}

/// The answer to a command.
private struct Received {
  let limit: Int
  let isStopping: () -> Bool
  var bytes: [UInt8] = []
  /// Whether the answer is not longer than the limit.
  var isComplete = true
}

/// Keeps a piece of an answer. Bytes beyond the limit are read and dropped, so that the session can continue.
private func takePiece(
  _ piece: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
  _ context: UnsafeMutableRawPointer?
) -> Int {
  guard let piece, let received = context?.assumingMemoryBound(to: Received.self) else { return 0 }
  let bytes = UnsafeRawBufferPointer(start: piece, count: size * count)
  let room = received.pointee.limit - received.pointee.bytes.count
  received.pointee.bytes += bytes.prefix(room)
  if bytes.count > room { received.pointee.isComplete = false }
  return bytes.count
}

/// libcurl calls this about once a second and on every progress. A result other than 0 aborts the transfer.
private func askWhetherToStop(
  _ context: UnsafeMutableRawPointer?, _: curl_off_t, _: curl_off_t, _: curl_off_t, _: curl_off_t
) -> Int32 {
  guard let received = context?.assumingMemoryBound(to: Received.self) else { return 1 }
  return received.pointee.isStopping() ? 1 : 0
}
