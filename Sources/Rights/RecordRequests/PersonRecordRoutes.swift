import JSON
import PrivacyMap
import Service
import SpatialDatabase
import WebServer

/// `GET /api/data-requests/{id}/records`: the records that a person has allowed another to read.
///
/// Each read access is logged in the transaction that reads, so no record is returned without a log
/// entry.
struct PersonRecordRoutes: Sendable {
  let requests: RecordRequests

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "getDataRequestRecords", .get, "/api/data-requests/{id}/records",
        tag: RecordRequestRoutes.tag,
        summary: "The permitted records, oldest first. Each access is logged.",
        access: .contributor(.records),
        parameters: [
          RecordRequestRoutes.id,
          .query(
            "since", .text(maxLength: 1_000),
            "Only records after this position, the `since` of an earlier response."),
        ] + PageCursor.parameters("Records"),
        answers: [
          .ok("Records.", schema: "dataRecords"),
          .refusal(409, "The request is not, or no longer, accepted; see `state`."),
        ], .change(records))
    ]
  }

  @Sendable private func records(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let account = try caller.signedIn().account
    let id = request.parameter("id")
    let limit = try PageCursor.limit(request.query["limit"])
    let start =
      try place(request.query["cursor"], "cursor") ?? place(request.query["since"], "since")
      ?? PersonRecords.Place()
    try requests.countReading(account)
    return { connection in
      let found = try requests.store.request(id, of: account, connection)
      guard found.asker?.rowid == account else { throw RecordRequests.notThere }
      let state = found.state(at: requests.now)
      guard state == .accepted, let asked = found.asked, let grant = found.grant,
        let answeredAt = found.answeredAt
      else {
        throw Refusal(
          .conflict, "error.data_request.not_accepted", type: "data-request-not-accepted",
          members: [("state", .string(state.rawValue))])
      }
      let records = PersonRecords(
        account: asked.rowid, fields: grant.fields, from: grant.from?.text ?? "",
        before: end(of: grant, answeredAt))
      let page = try records.page(after: start, limit: limit, connection)
      try requests.store.noteLook(
        at: found, grant.fields, count: page.records.count, connection)
      let last = page.last ?? start
      return .json(
        PersonRecords.Page(
          username: asked.username, records: page.records,
          next: page.isWhole ? nil : last.cursor.text,
          since: last == PersonRecords.Place() ? nil : last.cursor.text),
        as: PersonRecords.Page.shape)
    }
  }

  /// The end (exclusive) of the returned records. It excludes the present second, in which more records
  /// may still be created.
  private func end(of grant: RecordRequest.Grant, _ answeredAt: Timestamp) -> String {
    var ends = [requests.now]
    if !grant.isSubscribed {
      ends.append(answeredAt.later(1))
    }
    if let to = grant.to { ends.append(Timestamp(startOf: to.adding(days: 1))) }
    return (ends.min() ?? requests.now).text
  }

  private func place(_ text: String?, _ name: String) throws -> PersonRecords.Place? {
    guard let text else { return nil }
    guard let keys = try? PageCursor(text: text).keys(count: 3) else {
      throw InvalidInput(name, Message("error.cursor"))
    }
    return PersonRecords.Place(at: keys[0], field: keys[1], key: keys[2])
  }
}
