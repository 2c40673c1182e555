import WebServer

/// The versions of public answers, so that a client that has one already is told so before any work.
///
/// Everything public changes only with the change sequence, the day (freshness is counted from it),
/// people's names or the program itself, so these make the tag. It is weak: an answer's time stamp differs.
struct AnswerVersions: Sendable {
  let index: MapIndex
  let day: @Sendable () -> Int32
  /// Differs whenever the program, its settings or its taxonomies may: they are read at start, so
  /// every start has its own.
  let start: String
  let publicChanges: PublicChanges
  let catalogue: Catalogue

  /// What a browser or a proxy may do with a public answer: keep it, and ask before using it.
  static let cacheControl = "public, max-age=0, must-revalidate"

  /// The version of everything public, now.
  var version: String { "\(index.sequence)-\(day())-\(publicChanges.version)-\(start)" }

  /// The answer of `make`, or 304 where the request names the version it would have.
  /// Where what the address names may not be there, `exists` is asked before a 304.
  func answer(
    _ request: Request, where exists: () throws -> Bool = { true },
    _ make: () throws -> Response
  ) throws -> Response {
    // The same address answers in several languages, each of which is a version of its own.
    let tag = EntityTag("\(version)-\(catalogue.language(of: request))", weak: true)
    if let known = request.headers["If-None-Match"],
      EntityTag.List(known).weaklyContains(tag), try exists()
    {
      var response = Response(.notModified)
      response.etag = tag
      Self.complete(&response)
      return response
    }
    var response = try make()
    if !response.status.isError { response.etag = tag }
    Self.complete(&response)
    return response
  }

  /// Says that anybody may keep the answer and must ask before using it again.
  static func complete(_ response: inout Response) {
    response.headers.setDefault("Cache-Control", cacheControl)
    response.headers.merge("Vary", "Accept, Accept-Encoding, Accept-Language")
  }
}

extension ContentNegotiation {
  /// JSON and nothing else.
  static let json = ContentNegotiation([Offer("json", "application/json")])
  /// GeoJSON, also for those who ask for plain JSON.
  static let geoJSON = ContentNegotiation([
    Offer("json", "application/geo+json"), Offer("json", "application/json"),
  ])

  /// Refuses an unknown `f` (400) and an `Accept` that takes nothing on offer (406).
  func check(_ request: Request) throws {
    if let asked = request.query["f"], !offers.contains(where: { $0.format == asked }) {
      throw InvalidInput.unknownCode("f", asked)
    }
    _ = try choose(for: request)
  }
}
