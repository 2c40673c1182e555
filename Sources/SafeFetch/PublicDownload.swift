internal import CCurl
internal import Glibc

/// Downloads of long files, such as lists of devices that an admin imports from a URL.
///
/// They are protected like the other requests of ``PublicFile``. They follow up to three redirects, each to an
/// https address that is checked like the first one. They write to a file, so their size takes no memory.
extension PublicFile {
  /// A server's validators for the version of a file. With them a client asks whether there is a newer one (RFC 9110
  /// §13.1).
  package struct Version: Equatable, Sendable {
    package var etag: String?
    package var lastModified: String?

    package init(etag: String? = nil, lastModified: String? = nil) {
      self.etag = etag
      self.lastModified = lastModified
    }

    fileprivate var conditions: [String] {
      [etag.map { "If-None-Match: \($0)" }, lastModified.map { "If-Modified-Since: \($0)" }]
        .compactMap(\.self).filter { line in line.utf8.allSatisfy { (0x20...0x7E).contains($0) } }
    }
  }

  /// The result of a download.
  package enum Download: Equatable, Sendable {
    /// The server has no newer version than the known one.
    case notModified
    /// The file is complete.
    case file(Version)
  }

  /// Maximum number of redirects.
  package static let redirects = 3
  /// Milliseconds for a connection and for a whole download.
  private static let times = (connecting: 10_000, whole: 300_000)
  /// Bytes per second below which a download is ended.
  private static let slowest = 100

  /// Writes the file at `link` to `file`, which must be empty. The file is incomplete if the download fails.
  ///
  /// Takes up to five minutes for each redirect.
  ///
  /// - Parameters:
  ///   - link: the address.
  ///   - known: the version that the caller has.
  ///   - file: a descriptor.
  ///   - limit: maximum size in bytes.
  ///   - isWanted: returns false to end the download; called each second.
  /// - Returns: whether there was a newer version, and which.
  /// - Throws: ``DownloadFailure``.
  package func download(
    _ link: PublicLink, known: Version, to file: Int32, limit: Int,
    isWanted: @escaping () -> Bool
  ) throws(DownloadFailure) -> Download {
    var link = link
    for _ in 0...Self.redirects {
      let answer = try request(link, known, Piecewise(file, limit: limit, isWanted: isWanted))
      switch answer.status {
      case 200: return .file(answer.version)
      case 304 where known != Version(): return .notModified
      case 301, 302, 303, 307, 308:
        guard let next = answer.redirect.flatMap(PublicLink.init) else { throw .redirect }
        link = next
      default: throw .status(answer.status)
      }
    }
    throw .redirect
  }

  private struct Answer {
    let status: Int
    let version: Version
    /// Where the response redirects, without its fragment.
    let redirect: String?
  }

  private func request(
    _ link: PublicLink, _ known: Version, _ pieces: Piecewise
  ) throws(DownloadFailure) -> Answer {
    let address: String
    do throws(PublicFileFailure) { address = try target(of: link.host) } catch {
      throw .site(error)
    }
    guard Self.isReady, let handle = curl_easy_init() else { throw .site(.unreachable) }
    defer { curl_easy_cleanup(handle) }
    let target = curl_slist_append(nil, "\(link.host):443:\(address)")
    defer { curl_slist_free_all(target) }
    var headers: UnsafeMutablePointer<curl_slist>?
    for line in known.conditions { headers = curl_slist_append(headers, line) }
    defer { curl_slist_free_all(headers) }
    var site = curl_site()
    (site.target, site.headers, site.milliseconds) = (target, headers, Self.times.whole)
    (site.connect_milliseconds, site.slowest) = (Self.times.connecting, Self.slowest)
    (site.on_write, site.on_progress) = (writePiece, watchProgress)
    pieces.handle = handle
    let code = withExtendedLifetime(pieces) {
      site.context = Unmanaged.passUnretained(pieces).toOpaque()
      return Self.perform(
        site, on: handle, "https://\(link.host)\(link.path)", loopback?.authorities, nil)
    }
    if let failure = pieces.failure ?? Self.failure(of: code, pieces) { throw failure }
    let version = Version(
      etag: Self.header("ETag", handle), lastModified: Self.header("Last-Modified", handle))
    let redirect = curl_redirect(handle).map { String(cString: $0) }
    return Answer(
      status: curl_reply(handle), version: version,
      redirect: redirect.map { String($0.prefix { $0 != "#" }) })
  }

  private static func failure(
    of code: CURLcode, _ pieces: Piecewise
  ) -> DownloadFailure? {
    switch code {
    case CURLE_OK: nil
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR: .site(.untrusted)
    case CURLE_PARTIAL_FILE: .incomplete
    // TLS reports a connection that ends without its closing alert.
    case CURLE_RECV_ERROR where pieces.hasBegun: .incomplete
    default: .site(.unreachable)
    }
  }

  private static func header(_ name: String, _ handle: UnsafeMutableRawPointer) -> String? {
    guard let value = curl_answer_header(handle, name) else { return nil }
    let text = String(cString: value)
    return text.isEmpty || text.utf8.count > 500 ? nil : text
  }
}

/// Why a download failed. Does not contain the address.
package enum DownloadFailure: Error, Equatable, Sendable {
  case site(PublicFileFailure)
  /// More than ``PublicFile/redirects``, or one to an address that is not https or not a host name.
  case redirect
  /// The server refused the request.
  case status(Int)
  /// The file is longer than the limit.
  case tooLong
  /// The connection ended before the end of the file.
  case incomplete
  /// The file could not be written.
  case noRoom
  /// The caller no longer wants the file.
  case unwanted
}

/// The destination of a download.
private final class Piecewise {
  private let file: Int32
  private let limit: Int
  let isWanted: () -> Bool
  var handle: UnsafeMutableRawPointer?
  private var received = 0
  var hasBegun: Bool { received > 0 }
  var failure: DownloadFailure?

  init(_ file: Int32, limit: Int, isWanted: @escaping () -> Bool) {
    self.file = file
    self.limit = limit
    self.isWanted = isWanted
  }

  /// Writes a piece of a response with the status 200, and ignores other responses, such as the text of a redirect.
  ///
  /// - Returns: false if the transfer must end.
  func write(_ piece: UnsafeRawBufferPointer) -> Bool {
    received += piece.count
    guard received <= limit else { return fail(.tooLong) }
    guard let handle, curl_reply(handle) == 200 else { return true }
    var rest = piece
    while !rest.isEmpty {
      let count = Glibc.write(file, rest.baseAddress, rest.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return fail(.noRoom) }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
    }
    return true
  }

  func fail(_ failure: DownloadFailure) -> Bool {
    self.failure = failure
    return false
  }
}

/// Receives a piece of the response; libcurl aborts the transfer if fewer bytes are accepted than given.
private func writePiece(
  _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
  _ context: UnsafeMutableRawPointer?
) -> Int {
  guard let buffer, let context else { return 0 }
  let pieces = Unmanaged<Piecewise>.fromOpaque(context).takeUnretainedValue()
  let length = size * count
  return pieces.write(UnsafeRawBufferPointer(start: buffer, count: length)) ? length : 0
}

/// Ends the transfer with 1.
private func watchProgress(
  _ context: UnsafeMutableRawPointer?, _ total: curl_off_t, _ done: curl_off_t,
  _ sendTotal: curl_off_t, _ sent: curl_off_t
) -> Int32 {
  guard let context else { return 1 }
  let pieces = Unmanaged<Piecewise>.fromOpaque(context).takeUnretainedValue()
  return pieces.isWanted() || pieces.fail(.unwanted) ? 0 : 1
}
