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
  /// The rows of `operator` whose names moderators withhold.
  let withheld: @Sendable () throws -> Set<UInt32>

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
      let found = try database.readQuickly { connection in
        try connection.rows(
          OutcomeStore.page,
          [.text(kind.rawValue), .text(after ?? ""), SQLValue(limit + 1)],
          decode: { Outcome($0) })
      }
      let (page, next) = PageCursor.cut(found, to: limit) { [$0.key] }
      let hidden = try kind == .operator ? hiddenKeys() : []
      let language = catalogue.language(of: request)
      return .json(
        OutcomePage(
          definition: catalogue.text(Message("mail.outcomes.definition"), in: language),
          outcomes: page.filter { !hidden.contains($0.key) }, next: next), as: OutcomePage.shape)
    }
  }

  /// The keys of figures under names of persons.
  private func hiddenKeys() throws -> Set<String> {
    let rows = try withheld()
    guard !rows.isEmpty else { return [] }
    return try database.readQuickly { try OutcomeStore().keys(ofOperators: rows, $0) }
  }
}

/// One page of published outcomes.
struct OutcomePage {
  let definition: String
  let outcomes: [Outcome]
  let next: String?

  static let shape = JSONShape<OutcomePage>(
    "outcomes", .text("definition", \.definition), .count("minimum") { _ in Suppression.minimum },
    .count("rounded_to") { _ in Suppression.step },
    .list("outcomes", of: Outcome.shape, \.outcomes), .text("next", \.next))
}
