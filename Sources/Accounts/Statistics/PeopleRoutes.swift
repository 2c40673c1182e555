import JSON
import PrivacyMap
import Service
import SpatialDatabase
import WebServer

/// `GET /api/statistics/people`: the number of people in each group of a fixed grouping.
struct PeopleRoutes: Sendable {
  let people: PeoplePublication
  let versions: AnswerVersions
  let catalogue: Catalogue

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "getPeopleStatistics", "/api/statistics/people", tag: "Statistics",
        summary: "The number of people in each group, or a note that there are too few.",
        parameters: [
          .query(
            "group_by", .oneOf(PeopleGrouping.allCases.map(\.rawValue), byDefault: "role"),
            "The grouping of people.")
        ],
        answers: [.ok("The groups, or a note that too few people match.", schema: "people")], get)
    ]
  }

  @Sendable private func get(_ request: Request) throws -> Response {
    let asked = request.query["group_by"] ?? PeopleGrouping.role.rawValue
    guard let grouping = PeopleGrouping(rawValue: asked) else {
      throw InvalidInput.unknownCode("group_by", asked)
    }
    return try versions.answer(request) {
      let groups = try people.database.read { try people.store.groups(of: grouping, $0) }
      let minimum = Int64(people.minimum)
      // The same response for no people, for too few, and for figures published under a lower minimum.
      guard !groups.isEmpty, groups.allSatisfy({ $0.people >= minimum }) else {
        return .json(PeopleJSON(tooFew: true, minimum: minimum), as: PeopleJSON.shape)
      }
      let language = catalogue.language(of: request)
      return .json(
        PeopleJSON(
          minimum: minimum, grouping: grouping,
          definition: catalogue.text(Message("mail.people.definition"), in: language),
          groups: groups), as: PeopleJSON.shape)
    }
  }
}

/// The published numbers of a grouping; without groups if there are too few people.
struct PeopleJSON {
  var tooFew: Bool?
  let minimum: Int64
  var grouping: PeopleGrouping?
  var definition: String?
  var groups: [PeopleStore.Group]?

  static let shape = JSONShape<PeopleJSON>(
    "people", .flag("too_few", \.tooFew).optional, .text("definition", \.definition).optional,
    .count("minimum", \.minimum),
    .count("rounded_to") { $0.groups.map { _ in Suppression.step } }.optional,
    .text("group_by", \.grouping?.rawValue).optional,
    .init("groups", .list(of: group.schema)) { $0.groups?.map(group.json) }.optional)

  private static let group = JSONShape<PeopleStore.Group>(
    nil, .text("group") { $0.key }, .count("people") { $0.shown }, .day("as_of") { $0.asOf })
}
