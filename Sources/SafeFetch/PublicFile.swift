internal import CCurl

/// Reads a short file from a web site named by a user, protected against redirection to other hosts.
///
/// This is the only request that Farol sends to an address chosen by a user. It uses https only, follows
/// no redirects, and ignores the environment (proxies, ~/.netrc). It connects to a public address that
/// was looked up once, within ``NameResolver``'s limit. It reads at most 4 KiB and takes at most 10
/// seconds.
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

  private let loopback: Loopback?
  private let resolver: NameResolver

  package init(loopback: Loopback? = nil) {
    self.loopback = loopback
    resolver = NameResolver()
  }

  /// Looks up names with `resolver`.
  init(resolver: NameResolver) {
    loopback = nil
    self.resolver = resolver
  }

  /// Reads `https://host` + `path`.
  ///
  /// - Throws: ``PublicFileFailure``.
  package func read(_ host: String, _ path: String) throws(PublicFileFailure) -> [UInt8] {
    let address: PublicAddress
    if loopback == nil {
      let found: [PublicAddress]
      do throws(NameResolver.Failure) { found = try resolver.addresses(of: host) } catch {
        throw error == .busy ? .busy : .slowName
      }
      guard let first = found.first else { throw .unknownHost }
      // A name with even one address that is not public is not trusted.
      guard found.allSatisfy(\.isPublic) else { throw .notPublic }
      address = first
    } else {
      address = PublicAddress(bytes: [127, 0, 0, 1])
    }
    return try fetch("https://\(host)\(path)", host, at: address)
  }

  private func fetch(
    _ url: String, _ host: String, at address: PublicAddress
  ) throws(PublicFileFailure) -> [UInt8] {
    guard Self.isReady, let handle = curl_easy_init() else { throw .unreachable }
    defer { curl_easy_cleanup(handle) }
    let port = loopback?.port ?? 443
    let place = address.bytes.count == 16 ? "[\(address.text)]" : address.text
    // The connection goes to the checked address, whatever the name resolves to now.
    let target = curl_slist_append(nil, "\(host):443:\(place):\(port)")
    defer { curl_slist_free_all(target) }
    var received = Received()
    let code = withUnsafeMutablePointer(to: &received) { received in
      url.withCString { url in
        let authorities = loopback?.authorities
        return withOptionalText(authorities) { authorities in
          var site = curl_site(
            url: url, target: target, authorities: authorities,
            milliseconds: Self.milliseconds, on_write: keep,
            context: UnsafeMutableRawPointer(received))
          let prepared = curl_site_prepare(handle, &site)
          return prepared == CURLE_OK ? curl_easy_perform(handle) : prepared
        }
      }
    }
    if received.isTooLong { throw .tooLong }
    switch code {
    case CURLE_OK: break
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR: throw .untrusted
    default: throw .unreachable
    }
    guard curl_reply(handle) == 200 else { throw .notThere }
    return received.bytes
  }

  private static let isReady = curl_begin() == CURLE_OK
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
