package import Service
package import SpatialDatabase

extension RecordRequests {
  package static let retention = [
    RetentionRule(
      code: "data_request", entry: "data-requests", what: "requests for records that have ended",
      why: "so that both can look them up", period: .years(RecordRequestSweep.memory / 31_536_000),
      job: RecordRequestSweep.job, due: "SELECT count(*) FROM data_request WHERE ended_at <= ?",
      limit: .ago(RecordRequestSweep.memory))
  ]

  package static let restores = RestoreRule.of(
    "data-requests",
    ["data_request": .repeats([.permission]), "data_request_look": .follows("data_request")])

  package func eraseAgain(
    _ entry: ErasureList.Entry, _ connection: borrowing Connection
  ) throws -> Bool? { entry.kind == .permission ? try store.endAgain(entry, connection) : nil }
}
