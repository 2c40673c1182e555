import JSON
import PrivacyMap
import SpatialDatabase
import WebServer

/// `/api/taxonomies`: the terms in the requested language.
struct TaxonomyRoutes {
  let database: Database
  let catalogue: Catalogue
  let versions: AnswerVersions

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "getTaxonomies", "/api/taxonomies", tag: "Taxonomies",
        summary: "The schemes of terms, with the number of terms in each.",
        parameters: [.language(catalogue.languages), .format(["json"])],
        answers: [.ok("The schemes.", "application/json", schema: "taxonomies")], schemes),
      Endpoint(
        "getTaxonomy", "/api/taxonomies/{scheme}", tag: "Taxonomies",
        summary: "The terms of one scheme, with names and definitions in plain words.",
        parameters: [
          .path("scheme", .text(), "Such as `categories`, `data` or `choices`."),
          .language(catalogue.languages), .format(["json"]),
        ],
        answers: [.ok("The terms.", "application/json", schema: "taxonomy")], terms),
    ]
  }

  @Sendable private func schemes(_ request: Request) throws -> Response {
    try ContentNegotiation.json.check(request)
    try catalogue.checkLanguage(request)
    return try versions.answer(request) {
      var json = JSONWriter()
      json.beginObject()
      json.key("schemes")
      json.beginArray()
      try database.read { connection in
        try connection.forEach(
          """
          SELECT 'categories', count(*) FROM category
          UNION ALL SELECT scheme, count(*) FROM term GROUP BY scheme
          """
        ) { row in
          json.beginObject()
          json.key("scheme")
          json.text(row, 0)
          json.key("terms")
          json.integer(row.int(1))
          json.endObject()
        }
      }
      json.endArray()
      json.endObject()
      return .json(json.bytes)
    }
  }

  @Sendable private func terms(_ request: Request) throws -> Response {
    try ContentNegotiation.json.check(request)
    try catalogue.checkLanguage(request)
    let scheme = request.parameter("scheme")
    let language = catalogue.language(of: request)
    return try versions.answer(request, where: { try has(scheme) }) {
      guard let json = try json(scheme, language) else { throw NotFound.scheme }
      var response = Response.json(json)
      response.headers.add("Content-Language", language)
      return response
    }
  }

  /// The terms of a scheme in a language; nil if the scheme has no terms.
  func json(_ scheme: String, _ language: String) throws -> [UInt8]? {
    var json = JSONWriter(capacity: 16 * 1_024)
    json.beginObject()
    json.member("scheme", scheme)
    json.member("language", language)
    json.key("terms")
    json.beginArray()
    var count = 0
    try database.read { connection in
      try connection.forEach(
        scheme == Scheme.categories.rawValue ? Self.categories : Self.otherTerms,
        [.text(language), .text(scheme)]
      ) { row in
        Self.write(row, to: &json)
        count += 1
      }
    }
    json.endArray()
    json.endObject()
    return count > 0 ? json.bytes : nil
  }

  private func has(_ scheme: String) throws -> Bool {
    if scheme == Scheme.categories.rawValue { return true }
    return try database.read { connection in
      try connection.integer("SELECT 1 FROM term WHERE scheme = ? LIMIT 1", [.text(scheme)]) != nil
    }
  }

  /// The texts in the requested language, or in English if that language lacks them.
  private static let words = """
    LEFT JOIN translation AS asked ON asked.scheme = found.scheme AND asked.code = found.code
      AND asked.language = ?
    LEFT JOIN translation AS english ON english.scheme = found.scheme
      AND english.code = found.code AND english.language = 'en'
    WHERE found.scheme = ? ORDER BY found.position
    """

  private static let selection = """
    SELECT found.code, COALESCE(asked.label, english.label, found.code),
      COALESCE(asked.plural, english.plural), COALESCE(asked.definition, english.definition, ''),
      found.parent, found.icon, found.dpv, found.osm, found.more
    """

  private static let categories = """
    \(selection)
    FROM (SELECT 'categories' AS scheme, code, position, NULL AS parent, icon, dpv, osm,
      json_object('household', json(CASE household WHEN 1 THEN 'true' ELSE 'false' END),
        'stale_months', stale_months, 'collects', json(collects)) AS more
      FROM category) AS found
    \(words)
    """

  private static let otherTerms = "\(selection) FROM term AS found \(words)"

  private static func write(_ row: borrowing Row, to json: inout JSONWriter) {
    json.beginObject()
    for (column, name) in ["code", "label", "plural", "definition", "parent", "icon"].enumerated() {
      json.key(name)
      json.text(row, column)
    }
    for (column, name) in [(6, "dpv"), (7, "osm")] {
      json.key(name)
      row.withUTF8(column) { json.raw(utf8: $0) }
    }
    if let more = try? JSONValue(parsing: row.blob(8)).objectValue {
      for member in more.members {
        json.key(member.key)
        json.value(member.value)
      }
    }
    json.endObject()
  }
}
