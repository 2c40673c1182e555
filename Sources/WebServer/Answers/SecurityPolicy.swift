/// The header fields of every response, including errors and static files.
package struct SecurityPolicy: Sendable {
  /// The site uses https: browsers must use only https from then on (HSTS).
  package var secure = false { didSet { compose() } }
  /// Applies HSTS to subdomains as well.
  package var securesSubdomains = true { didSet { compose() } }
  /// Additional origins from which pages may fetch, such as the operator's tile server.
  package var connectSources: [String] = [] { didSet { compose() } }
  /// Additional origins from which pages may show images.
  package var imageSources: [String] = [] { didSet { compose() } }
  /// Set to `strict-origin-when-cross-origin` if an external tile server requires a Referer.
  package var referrerPolicy = "same-origin" { didSet { compose() } }

  /// The fields of a page that other sites may show in a frame. Its handler sets them on every response,
  /// including 304, whose fields replace the stored ones.
  package private(set) var embeddable = Headers()

  private var pages = Variants()
  private var scripts = Variants()
  private var others = Variants()

  /// The fields for responses restricted to our own pages, and for public responses.
  private struct Variants {
    var own = Headers()
    var open = Headers()
  }

  package init() { compose() }

  /// Adds the fields for `mediaType`. Fields set by the handler take precedence.
  func apply(to headers: inout Headers, mediaType: String, isPublic: Bool) {
    let fields =
      mediaType.hasPrefix("text/html")
      ? pages : mediaType.hasPrefix("text/javascript") ? scripts : others
    headers.addMissing(isPublic ? fields.open : fields.own)
  }

  private mutating func compose() {
    let connect = (["'self'"] + connectSources).joined(separator: " ")
    let images = (["'self'", "data:", "blob:"] + imageSources).joined(separator: " ")
    let content = """
      default-src 'none'; script-src 'self'; style-src 'self'; img-src \(images); \
      connect-src \(connect); worker-src 'self' blob:; font-src 'self'; media-src 'self'
      """
    pages = common(
      """
      \(content); manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'
      """)
    // It has no forms, and needs no permission of the browser.
    embeddable = [
      "Content-Security-Policy":
        "\(content); base-uri 'none'; form-action 'none'; frame-ancestors *",
      "Cross-Origin-Resource-Policy": "cross-origin",
      "Permissions-Policy": "geolocation=(), camera=(), microphone=(), payment=(), usb=()",
    ]
    // A service worker is subject to its own script's policy, and it fetches.
    scripts = common(
      "default-src 'none'; script-src 'self'; connect-src \(connect); frame-ancestors 'none'")
    others = common("default-src 'none'; frame-ancestors 'none'")
  }

  private func common(_ contentSecurityPolicy: String) -> Variants {
    var headers: Headers = [
      "Content-Security-Policy": contentSecurityPolicy,
      "X-Content-Type-Options": "nosniff",
      "Cross-Origin-Opener-Policy": "same-origin",
      "Referrer-Policy": referrerPolicy,
      "Permissions-Policy": "geolocation=(self), camera=(self), microphone=(), payment=(), usb=()",
    ]
    if secure {
      headers.add(
        "Strict-Transport-Security",
        "max-age=31536000" + (securesSubdomains ? "; includeSubDomains" : ""))
    }
    var variants = Variants(own: headers, open: headers)
    variants.own.add("Cross-Origin-Resource-Policy", "same-origin")
    variants.open.add("Cross-Origin-Resource-Policy", "cross-origin")
    variants.open.add("Access-Control-Allow-Origin", "*")
    variants.open.add(
      "Access-Control-Expose-Headers",
      """
      Accept-Ranges, Allow, Content-Crs, Content-Disposition, Content-Range, ETag, Farol-Data-Age, \
      Link, Location, OGC-NumberMatched, RateLimit, RateLimit-Policy, Retry-After
      """)
    return variants
  }
}
