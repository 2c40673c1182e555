import Devices
import PrivacyMap
import Rights
package import Service
import SpatialDatabase

/// Requests to an operator that people of a town make together. Each person sends a separate letter. The public sees
/// the number of people, in steps from ten on, the deadline and the outcome. There is no list of people.
package struct CommonRequests: Feature {
  let map: LiveMap
  let operators: NamedOperators
  let choices: Choices
  let store: CommonRequestStore
  let publication: CommonPublication
  let publicChanges: PublicChanges
  let versions: AnswerVersions
  let catalogue: Catalogue
  /// Requests made common, and joined, by an account.
  let openings, joinings: Throttle<Int64>

  static let tag = "Asking together"

  package init(_ instance: Instance) throws {
    (map, operators, choices) = try (instance.map, instance.part(), instance.part())
    (versions, catalogue) = (instance.versions, instance.catalogue)
    publicChanges = instance.publicChanges
    store = CommonRequestStore(environment: instance.environment)
    publication = CommonPublication(
      database: instance.database, store: store, choices: choices, publicChanges: publicChanges)
    openings = instance.rates.limit("common_requests.openings", 10, per: .days(1))
    joinings = instance.rates.limit("common_requests.joinings", 30, per: .seconds(3_600))
  }

  package var endpoints: [Endpoint] { CommonRequestRoutes(feature: self).endpoints }

  package var schemas: [Schema] {
    [
      CommonRequestJSON.shape.component, CommonRequestJSON.page.component,
      CommonRequestRoutes.joined.component, CommonRequestRoutes.own.component,
    ] + JSONSchema.named(["newCommonRequest": ["choice": .uuid]])
  }

  package var jobs: [Job] {
    [Job(CommonPublication.job, every: CommonPublication.every, run: publication.run)]
  }

  package static let exports = [
    ExportSection(
      name: "common_requests",
      sql: """
        SELECT member.rowid, common_request.id, common_request.operator_name, member.choice_id
        FROM common_request_member AS member
        JOIN common_request ON common_request.rowid = member.request_rowid
        WHERE member.account_rowid = ? AND member.rowid > ? ORDER BY member.rowid LIMIT ?
        """, start: [0],
      members: [("id", .text), ("operator", .text), ("choice", .text)])
  ]

  package static let retention = [
    RetentionRule(
      code: "common_request_open", entry: "together",
      what: "common requests that ten people have not sent", why: "so that others can join",
      period: .days(Int64(CommonRequestStore.daysOpen)), job: CommonPublication.job,
      due: "SELECT count(*) FROM common_request WHERE shown_on IS NULL AND opened_on <= ?1",
      limit: .daysAgo(CommonRequestStore.daysOpen)),
    RetentionRule(
      code: "common_request_over", entry: "together",
      what: "common requests after their deadline", why: "so that the outcome can be read",
      period: .years(1), job: CommonPublication.job,
      due: "SELECT count(*) FROM common_request WHERE due_on <= ?1",
      limit: .daysAgo(CommonRequestStore.daysAfter)),
  ]

  package static let restores = RestoreRule.of(
    "together", ["common_request_member": .follows("choice")])
}
