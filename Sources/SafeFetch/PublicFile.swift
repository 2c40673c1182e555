internal import CCurl

/// Sends requests to a web site named by a user, protected against redirection to other hosts: reads a short
/// file, or calls a webhook.
///
/// These and the downloads in the extension below are the only requests that Farol sends to an address chosen by a
/// user. They use https only, follow
/// no redirects, and ignore the environment (proxies, ~/.netrc). They connect to a public address that
/// was looked up once, within ``NameResolver``'s limit. They read at most 4 KiB and take at most 10
/// seconds. A connection to a webhook stays open for further calls to the same name and address.
package struct PublicFile: Sendable {
  /// For tests only: a server on this machine that replaces every site.
  package struct Loopback: Sendable {
    package let port: UInt16
    /// A PEM file of the trusted authorities.
    package let authorities: String

    package init(port: UInt16, authorities: String) {
      self.port = port
      self.authorities = authorities
    }
  }

  /// The maximum size of a file, in bytes.
  package static let limit = 4_096
  private static let milliseconds = 10_000
  private static let thisMachine = PublicAddress(bytes: [127, 0, 0, 1])

  let loopback: Loopback?
  private let resolver: NameResolver
  private let looksUp: Bool
  private let connections = OpenConnections()

  /// `lookups` is the maximum number of names that are looked up at a time.
  package init(loopback: Loopback? = nil, lookups: Int = 4) {
    self.loopback = loopback
    resolver = NameResolver(maximum: lookups)
    looksUp = loopback == nil
  }

  /// Looks up names with `resolver`, and checks the result even if `loopback` then replaces the site.
  init(resolver: NameResolver, loopback: Loopback? = nil) {
    self.loopback = loopback
    self.resolver = resolver
    looksUp = true
  }

  /// Reads `https://host` + `path`.
  ///
  /// - Throws: ``PublicFileFailure``.
  package func read(_ host: String, _ path: String) throws(PublicFileFailure) -> [UInt8] {
    let answer = try fetch(host, path, post: nil)
    guard answer.status == 200 else { throw .notThere }
    return answer.bytes
  }

  /// Sends `body` to `https://host` + `path` with POST; `headers` are whole lines without line ends.
  ///
  /// - Returns: the answer.
  /// - Throws: ``PublicFileFailure`` unless the status is 200 to 299.
  @discardableResult
  package func post(
    _ body: [UInt8], headers: [String], to host: String, _ path: String
  ) throws(PublicFileFailure) -> [UInt8] {
    let answer = try fetch(host, path, post: (body, headers))
    guard (200..<300).contains(answer.status) else { throw .notThere }
    return answer.bytes
  }

  /// The address to connect to.
  func address(of host: String) throws(PublicFileFailure) -> PublicAddress {
    guard looksUp else { return Self.thisMachine }
    let found: [PublicAddress]
    do throws(NameResolver.Failure) { found = try resolver.addresses(of: host) } catch {
      throw error == .busy ? .busy : .slowName
    }
    guard let first = found.first else { throw .unknownHost }
    // A name with even one address that is not public is not trusted.
    guard found.allSatisfy(\.isPublic) else { throw .notPublic }
    return loopback == nil ? first : Self.thisMachine
  }

  /// A handle for the next request, and where it goes.
  private func connection(
    to host: String, staysOpen: Bool
  ) throws(PublicFileFailure) -> (UnsafeMutableRawPointer, OpenConnections.Place) {
    guard Self.isReady else { throw .unreachable }
    if staysOpen, let open = connections.take(host: host) { return open }
    let place = OpenConnections.Place(host: host, address: try target(of: host))
    guard let handle = staysOpen ? connections.take(place) : curl_easy_init() else {
      throw .unreachable
    }
    return (handle, place)
  }

  /// The checked address and the port of a host, in the format of `CURLOPT_CONNECT_TO`.
  func target(of host: String) throws(PublicFileFailure) -> String {
    let address = try address(of: host)
    let text = address.bytes.count == 16 ? "[\(address.text)]" : address.text
    return "\(text):\(loopback?.port ?? 443)"
  }

  private func fetch(
    _ host: String, _ path: String, post: (body: [UInt8], headers: [String])?
  ) throws(PublicFileFailure) -> (status: Int, bytes: [UInt8]) {
    let (handle, place) = try connection(to: host, staysOpen: post != nil)
    var isKept = false
    defer { isKept ? connections.keep(handle, place) : curl_easy_cleanup(handle) }
    // The connection goes to the checked address, whatever the name resolves to now.
    let target = curl_slist_append(nil, "\(host):443:\(place.address)")
    defer { curl_slist_free_all(target) }
    // `Expect` would add a round trip to each call.
    var headers = post == nil ? nil : curl_slist_append(nil, "Expect:")
    for line in post?.headers ?? [] { headers = curl_slist_append(headers, line) }
    defer { curl_slist_free_all(headers) }
    var received = Received()
    var site = curl_site()
    (site.target, site.headers, site.milliseconds) = (target, headers, Self.milliseconds)
    site.stays_open = post == nil ? 0 : 1
    site.on_write = keep
    let code = withUnsafeMutablePointer(to: &received) { received in
      site.context = UnsafeMutableRawPointer(received)
      return Self.perform(
        site, on: handle, "https://\(host)\(path)", loopback?.authorities, post?.body)
    }
    if received.isTooLong { throw .tooLong }
    switch code {
    case CURLE_OK: break
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR: throw .untrusted
    default: throw .unreachable
    }
    isKept = post != nil
    return (curl_reply(handle), received.bytes)
  }

  /// Runs a transfer; the texts and the body live until it has ended.
  static func perform(
    _ site: curl_site, on handle: UnsafeMutableRawPointer, _ url: String, _ authorities: String?,
    _ body: [UInt8]?
  ) -> CURLcode {
    // An empty array has no base address.
    let bytes = body.map { $0.isEmpty ? [0] : $0 } ?? []
    return url.withCString { url in
      withOptionalText(authorities) { authorities in
        bytes.withUnsafeBytes { raw in
          var site = site
          (site.url, site.authorities) = (url, authorities)
          site.body = body == nil ? nil : raw.assumingMemoryBound(to: CChar.self).baseAddress
          site.body_size = curl_off_t(body?.count ?? 0)
          let prepared = curl_site_prepare(handle, &site)
          return prepared == CURLE_OK ? curl_easy_perform(handle) : prepared
        }
      }
    }
  }

  static let isReady = curl_begin() == CURLE_OK
}

/// Why a file could not be read. Does not contain the address.
package enum PublicFileFailure: Error, CaseIterable, Sendable {
  /// The name has no address.
  case unknownHost
  /// The name could not be looked up in time.
  case slowName
  /// Too many names are being looked up.
  case busy
  /// The name resolves to an address that is not public.
  case notPublic
  case unreachable
  /// The certificate is not valid for the name.
  case untrusted
  /// A status other than 200, including redirects.
  case notThere
  case tooLong
}

private struct Received {
  var bytes: [UInt8] = []
  var isTooLong = false
}

/// Stores a piece of the response; libcurl aborts the transfer if fewer bytes are accepted than given.
private func keep(
  _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
  _ context: UnsafeMutableRawPointer?
) -> Int {
  guard let buffer, let received = context?.assumingMemoryBound(to: Received.self) else { return 0 }
  let length = size * count
  guard received.pointee.bytes.count + length <= PublicFile.limit else {
    received.pointee.isTooLong = true
    return 0
  }
  received.pointee.bytes += UnsafeBufferPointer(start: buffer, count: length).map {
    UInt8(bitPattern: $0)
  }
  return length
}

private func withOptionalText<T>(
  _ text: String?, _ body: (UnsafePointer<CChar>?) -> T
) -> T {
  guard let text else { return body(nil) }
  return text.withCString { body($0) }
}
