/// The header fields that stand on every answer, errors and static files included.
package struct SecurityPolicy: Sendable {
  /// Behind https: browsers are told to come back by https only.
  package var secure = false { didSet { compose() } }
  /// The same for every name below ours.
  package var securesSubdomains = true { didSet { compose() } }
  /// Origins beside our own that pages may fetch from, such as the operator's tile server.
  package var connectSources: [String] = [] { didSet { compose() } }
  /// Origins beside our own that pages may show images from.
  package var imageSources: [String] = [] { didSet { compose() } }
  /// `strict-origin-when-cross-origin` where a foreign tile server insists on a Referer.
  package var referrerPolicy = "same-origin" { didSet { compose() } }

  private var pages = Variants()
  private var scripts = Variants()
  private var others = Variants()

  /// The fields for our own pages only, and for any page.
  private struct Variants {
    var own = Headers()
    var open = Headers()
  }

  package init() { compose() }

  /// Adds the fields that suit `mediaType`, beside those the handler set itself.
  func apply(to headers: inout Headers, mediaType: String, isPublic: Bool) {
    let fields =
      mediaType.hasPrefix("text/html")
      ? pages : mediaType.hasPrefix("text/javascript") ? scripts : others
    headers.addMissing(isPublic ? fields.open : fields.own)
  }

  private mutating func compose() {
    let connect = (["'self'"] + connectSources).joined(separator: " ")
    let images = (["'self'", "data:", "blob:"] + imageSources).joined(separator: " ")
    pages = common(
      """
      default-src 'none'; script-src 'self'; style-src 'self'; img-src \(images); \
      connect-src \(connect); worker-src 'self' blob:; font-src 'self'; manifest-src 'self'; \
      base-uri 'none'; form-action 'self'; frame-ancestors 'none'
      """)
    // A service worker obeys the policy its own script came with, and it fetches.
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
      Allow, Content-Crs, Content-Disposition, ETag, Link, Location, OGC-NumberMatched, RateLimit, \
      RateLimit-Policy, Retry-After
      """)
    return variants
  }
}
