import JSON
internal import Locking
package import SpatialDatabase
package import WebServer

/// The resources of OGC API – Features and Tiles as web pages (`f=html`). The JSON response itself is the source of
/// each page, so both have the same content.
package struct ResourcePages: Sendable {
  /// The length of JSON whose page takes less than two milliseconds.
  private static let quickBytes = 8 << 10
  /// The items of a page up to which it is made on a thread that serves sockets.
  private static let quickItems = 20

  private let frame: PageFrame
  private let template: PageTemplate
  private let database: Database
  /// The media types and paths of the feeds of devices.
  private let feeds: [(type: String, path: String)]
  /// Reads the names of codes in a language.
  private let labels: @Sendable (_ language: String, Connection) throws -> any Labels

  /// - Throws: ``MissingPage``.
  package init(
    frame: PageFrame, database: Database, feeds: [(type: String, path: String)],
    labels: @escaping @Sendable (_ language: String, Connection) throws -> any Labels
  ) throws {
    self.labels = labels
    self.feeds = feeds
    self.frame = frame
    template = try frame.template("docs.html")
    self.database = database
  }

  /// The formats of a resource that has a page.
  package static let formats = Parameter.format(["json", "html"])
  /// The declaration of the response as a page.
  static let content: (type: String, schema: String?) = ("text/html", nil)

  /// A handler with the responses of `handler`, and a page for requests that prefer HTML.
  package func also(
    _ types: ContentNegotiation, _ handler: @escaping @Sendable (Request) throws -> Response
  ) -> @Sendable (Request) throws -> Response {
    let offers = Self.offers(types)
    return { request in try answer(request, offers) { try handler($0) } }
  }

  /// The same for a handler that depends on the caller.
  package func also(
    _ types: ContentNegotiation,
    _ handler: @escaping @Sendable (Request, Caller) throws -> Response
  ) -> @Sendable (Request, Caller) throws -> Response {
    let offers = Self.offers(types)
    return { request, caller in try answer(request, offers) { try handler($0, caller) } }
  }

  private static func offers(_ types: ContentNegotiation) -> ContentNegotiation {
    ContentNegotiation(types.offers + [ContentNegotiation.Offer("html", "text/html")])
  }

  private func answer(
    _ request: Request, _ offers: ContentNegotiation, _ handler: (Request) throws -> Response
  ) throws -> Response {
    guard try offers.check(request).format == "html" else { return try handler(request) }
    // A long list leaves before it is made: a refused request must not cost its JSON.
    if request.query["limit"].flatMap({ Int($0) }) ?? 0 > Self.quickItems {
      try SocketThread.leave()
    }
    let answer = try handler(Self.plain(request))
    guard answer.status == .ok, let bytes = answer.body.bytes else { return answer }
    if bytes.count > Self.quickBytes { try SocketThread.leave() }
    return try page(JSONValue(parsing: bytes), of: answer, request)
  }

  /// The request for the underlying JSON, without conditions: the page has another version.
  private static func plain(_ request: Request) -> Request {
    var plain = request
    plain.query = Query(
      request.query.pairs.filter { $0.name != "f" }.map { ($0.name, $0.value) })
    plain.headers["Accept"] = nil
    plain.headers["If-None-Match"] = nil
    return plain
  }

  private func page(
    _ value: JSONValue, of answer: Response, _ request: Request
  ) throws -> Response {
    let language = frame.catalogue.language(of: request)
    let labels = try database.readQuickly { try self.labels(language, $0) }
    let resource = ResourcePage(
      value: value, path: request.path, query: request.query, labels: labels
    ) { frame.text($0, language) }
    var page = frame.answer(
      template,
      [
        "title": "\(resource.title) – \(frame.settings.name)",
        "description": "\(resource.lead)", "content": resource.content,
        "links": feeds(of: request, language),
      ], language, .ok)
    for name in ["Cache-Control", "Vary", "Content-Crs"] {
      if let field = answer.headers[name] { page.headers[name] = field }
    }
    page.headers.merge("Vary", "Accept, Accept-Language")
    for link in answer.headers.values("Link") { page.headers.add("Link", link) }
    page.etag = answer.etag.map {
      EntityTag("\($0.opaque)-\(language)-html", weak: $0.isWeak)
    }
    return page
  }

  /// Links to the feeds of the devices that a page shows, for feed readers.
  private func feeds(of request: Request, _ language: String) -> HTML {
    guard FeatureTable.areDevices(request.path) else { return "" }
    let chosen = Query(
      request.query.pairs.filter { !Self.unknownToFeeds.contains($0.name) }
        .map { ($0.name, $0.value) })
    let title = frame.text("mail.feed.title", language)
    return HTML(
      joining: feeds.map { feed in
        """
        <link rel="alternate" type="\(feed.type)" title="\(title)" \
        href="\(frame.addresses.url(feed.path, chosen))">

        """
      })
  }

  /// Parameters of lists that do not select devices.
  private static let unknownToFeeds: Set<String> = [
    "crs", "cursor", "f", "limit", "near", "properties", "sortby",
  ]
}

/// Names of codes in one language. The taxonomies are above this target.
package protocol Labels: Sendable {
  /// The name of a code; the code itself if it has no name.
  func label(_ scheme: String, _ code: String) -> String
}

extension Endpoint.Answer {
  /// The same response, also available as a web page.
  package var alsoAsPage: Endpoint.Answer {
    Endpoint.Answer(
      status: status, description: description, content: content + [ResourcePages.content])
  }
}
