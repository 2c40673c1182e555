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
        return .json(["too_few": true, "minimum": .integer(minimum)])
      }
      let language = catalogue.language(of: request)
      return .json([
        "definition": .string(catalogue.text(Message("mail.people.definition"), in: language)),
        "minimum": .integer(minimum), "rounded_to": .integer(Int64(Suppression.step)),
        "group_by": .string(grouping.rawValue),
        "groups": .array(
          groups.map { group in
            [
              "group": .string(group.key), "people": .integer(group.shown),
              "as_of": .string(group.asOf),
            ]
          }),
      ])
    }
  }
}

/// The OpenAPI schema of the response.
enum PeopleSchemas {
  private typealias Schema = OpenAPISchemas

  static var all: [(key: String, value: JSONValue)] {
    let count: JSONValue = ["type": "integer", "minimum": 0]
    let group = Schema.object(
      [
        "group": Schema.text, "people": count, "as_of": ["type": "string", "format": "date"],
      ], required: ["group", "people", "as_of"])
    return [
      (
        "people",
        Schema.object(
          [
            "too_few": ["type": "boolean"], "minimum": count, "definition": Schema.text,
            "rounded_to": count, "group_by": Schema.text, "groups": Schema.array(group),
          ], required: ["minimum"])
      )
    ]
  }
}
