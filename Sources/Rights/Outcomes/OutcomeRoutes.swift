import JSON
import PrivacyMap
package import Service
package import SpatialDatabase
import WebServer

/// `GET /api/outcomes`: the published outcomes of requests. It accepts no filter by place, time or
/// device, so every caller and every query gets the same figures.
package struct OutcomeRoutes: Sendable {
  package let database: Database
  package let versions: AnswerVersions
  package let catalogue: Catalogue

  package init(database: Database, versions: AnswerVersions, catalogue: Catalogue) {
    self.database = database
    self.versions = versions
    self.catalogue = catalogue
  }

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "getOutcomes", "/api/outcomes", tag: "Choices",
        summary: "Outcomes of people’s requests, by operator or category, from ten people up.",
        parameters: [
          .query(
            "by", .oneOf(OutcomeKind.allCases.map(\.rawValue), byDefault: "operator"),
            "Figures for each operator, or for each category."),
          .query(
            "cursor", .text(maxLength: 1_000),
            "Where a page begins, the `next` of the one before."),
          .query(
            "limit",
            .integer(
              minimum: 1, maximum: PageCursor.maximumLimit, byDefault: PageCursor.defaultLimit),
            "Figures on a page; a larger number counts as the maximum."),
        ], answers: [.ok("The figures.", schema: "outcomes")], list)
    ]
  }

  @Sendable private func list(_ request: Request) throws -> Response {
    let asked = request.query["by"] ?? OutcomeKind.operator.rawValue
    guard let kind = OutcomeKind(rawValue: asked) else {
      throw InvalidInput.unknownCode("by", asked)
    }
    let limit = try PageCursor.limit(request.query["limit"])
    let after = try request.query["cursor"].map { try PageCursor(text: $0).keys(count: 1)[0] }
    return try versions.answer(request) {
      let found = try database.read { connection in
        try connection.rows(
          OutcomeStore.page,
          [.text(kind.rawValue), .text(after ?? ""), SQLValue(limit + 1)],
          decode: { Outcome($0) })
      }
      let page = found.prefix(limit)
      let next = found.count > limit ? page.last.map { PageCursor(keys: [$0.key]) } : nil
      let language = catalogue.language(of: request)
      return .json([
        "definition": .string(
          catalogue.text(Message("mail.outcomes.definition"), in: language)),
        "minimum": .integer(Int64(Suppression.minimum)),
        "rounded_to": .integer(Int64(Suppression.step)),
        "outcomes": .array(page.map(\.json)), "next": next.map { .string($0.text) } ?? .null,
      ])
    }
  }
}

/// The OpenAPI schemas of outcomes.
enum OutcomeSchemas {
  private typealias Schema = OpenAPISchemas

  static var all: [(key: String, value: JSONValue)] {
    [
      ("outcome", outcome),
      (
        "outcomes",
        Schema.object(
          [
            "definition": Schema.text, "minimum": ["type": "integer"],
            "rounded_to": ["type": "integer"],
            "outcomes": Schema.array(Schema.reference("outcome")),
            "next": ["type": "string", "nullable": true],
          ], required: ["definition", "minimum", "rounded_to", "outcomes", "next"])
      ),
    ]
  }

  private static var outcome: JSONValue {
    let figure: JSONValue = ["type": "integer", "minimum": 0, "multipleOf": 5]
    return Schema.object(
      [
        "operator": Schema.object(["name": Schema.text], required: ["name"]),
        "category": Schema.text, "asked": figure, "honoured": figure, "refused": figure,
        "overdue": figure, "median_days": ["type": "integer", "nullable": true],
        "as_of": ["type": "string", "format": "date"],
      ], required: ["asked", "honoured", "refused", "overdue", "median_days", "as_of"])
  }
}
