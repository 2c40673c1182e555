package import Service
import SpatialDatabase

extension RecordRequests {
  package static let exports = [dataRequests, dataRequestLooks]

  /// Requests for records that the person sent or received.
  private static let dataRequests = ExportSection(
    name: "data_requests",
    sql: """
      SELECT data_request.rowid, data_request.id, asker.username,
        coalesce(data_request.asked_as, asked.username), reason, fields, days, subscribe, asked_at, lapses_at, state, answered_at, note, granted, granted_from,
        granted_to, granted_until, subscribed, ended_at
      FROM data_request \(RecordRequest.joins)
      WHERE (asker_rowid = ? OR asked_rowid = ?) AND data_request.rowid > ?
      ORDER BY data_request.rowid LIMIT ?
      """, start: [0],
    members: [
      ("id", .text), ("from", .text), ("to", .text), ("reason", .text), ("fields", .json),
      ("days", .number), ("subscribe", .flag), ("asked_at", .text), ("lapses_at", .text),
      ("state", .text), ("answered_at", .text), ("note", .text), ("granted", .json),
      ("granted_from", .text), ("granted_to", .text), ("granted_until", .text),
      ("subscribed", .flag), ("ended_at", .text),
    ], whose: { [.integer($0.account), .integer($0.account)] })

  private static let dataRequestLooks = ExportSection(
    name: "data_request_looks",
    sql: """
      SELECT data_request_look.rowid, data_request.id, data_request_look.at,
        data_request_look.fields, data_request_look.count
      FROM data_request_look
      JOIN data_request ON data_request.rowid = data_request_look.request_rowid
      WHERE (asker_rowid = ? OR asked_rowid = ?) AND data_request_look.rowid > ?
      ORDER BY data_request_look.rowid LIMIT ?
      """, start: [0],
    members: [("request", .text), ("at", .text), ("fields", .json), ("count", .number)],
    whose: { [.integer($0.account), .integer($0.account)] })
}
