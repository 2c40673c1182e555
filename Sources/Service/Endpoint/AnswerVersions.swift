package import WebServer

/// The versions of public responses. A client that already has the current version gets a 304 before any
/// work.
///
/// Public data changes only with the change sequence, the day (freshness depends on it), other public
/// changes and the program itself, so the tag consists of these. It is weak, because responses differ in
/// their time stamp.
package struct AnswerVersions: Sendable {
  /// The state of the map: another one after each change, and the same on all servers that have it.
  package let edition: @Sendable () -> String
  package let day: @Sendable () -> Int32
  /// A digest of the program, its files, settings and taxonomies. They may change between two starts, and differ
  /// between servers.
  package let program: String
  package let publicChanges: PublicChanges
  package let catalogue: Catalogue
  private let visitors: VisitorReading
  /// Applies the changes of other servers; nil if there cannot be others.
  private let catchUp: (@Sendable () -> Void)?

  package init(
    edition: @escaping @Sendable () -> String, day: @escaping @Sendable () -> Int32,
    program: String, publicChanges: PublicChanges, catalogue: Catalogue,
    visitors: VisitorReading = VisitorReading(hasReplica: false),
    catchUp: (@Sendable () -> Void)? = nil
  ) {
    self.edition = edition
    self.day = day
    self.program = program
    self.publicChanges = publicChanges
    self.catalogue = catalogue
    self.visitors = visitors
    self.catchUp = catchUp
  }

  /// `Cache-Control` for public responses: browsers and proxies may store them, but must revalidate them.
  /// `public`, because a program may send a token with a request that needs none (RFC 9111 §3.5).
  package static let cacheControl = "public, max-age=0, must-revalidate"

  /// The current version of all public data.
  package var version: String { "\(edition())-\(day())-\(publicChanges.version)-\(program)" }

  /// The response of `make`, or 304 if the request names the current version. If the requested resource may
  /// not exist, `exists` is checked before a 304. `variant` names one of several representations at the same
  /// address that differ by a header of the request, such as `Accept`.
  ///
  /// People who write are signed in, and their next request may go to another server. Requests with credentials
  /// therefore get the state that is committed now; others may get one that is half a second old.
  package func answer(
    _ request: Request, variant: String? = nil, where exists: () throws -> Bool = { true },
    _ make: () throws -> Response
  ) throws -> Response {
    if let catchUp, request.mayBeSignedIn { catchUp() }
    // The same address responds in several languages, each with its own version.
    let tag = EntityTag(
      "\(version)-\(catalogue.language(of: request))\(variant.map { "-\($0)" } ?? "")", weak: true)
    if request.headers["If-None-Match"] != nil, Preconditions(request.headers).isKnown(tag),
      try visitors.read(request, exists)
    {
      var response = Response(.notModified)
      response.etag = tag
      Self.complete(&response)
      return response
    }
    var response = try visitors.answer(request, make)
    // Data of a replica may be of a later version.
    if !response.status.isError, response.headers[VisitorReading.header] == nil {
      response.etag = tag
    }
    Self.complete(&response)
    return response
  }

  /// Adds headers that allow caches to store the response, with revalidation before each use.
  package static func complete(_ response: inout Response) {
    response.headers.setDefault("Cache-Control", cacheControl)
    response.headers.merge("Vary", "Accept, Accept-Encoding, Accept-Language")
  }
}

extension ContentNegotiation {
  /// Only JSON.
  package static let json = ContentNegotiation([Offer("json", "application/json")])
  /// GeoJSON, also for requests that accept plain JSON.
  package static let geoJSON = ContentNegotiation([
    Offer("json", "application/geo+json"), Offer("json", "application/json"),
  ])

  /// The best offer. Refuses an unknown `f` (400), and an `Accept` without an available type (406).
  ///
  /// It is called once for a request: a handler that ``ResourcePages/also(_:_:)-(ContentNegotiation,_)`` wraps gets
  /// only requests that it has accepted.
  @discardableResult
  package func check(_ request: Request) throws -> Offer {
    if let asked = request.query["f"], !offers.contains(where: { $0.format == asked }) {
      throw InvalidInput.unknownCode("f", asked)
    }
    return try choose(for: request)
  }
}
