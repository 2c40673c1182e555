import JSON
internal import Locking
import PrivacyMap
import Service
import SpatialDatabase
import WebServer

/// `GET /api/account/export`: all data about a person as one JSON document, written while it is sent.
///
/// The export omits secrets (hashes of passwords and tokens are useless to their owner) and the
/// identity of people who flagged or reported the person's contributions.
struct AccountExport: Sendable {
  let accounts: Accounts

  /// Rows per read, so that a slow client does not occupy a database connection.
  private static let page: Int64 = 500

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "exportAccount", .get, "/api/account/export", tag: "People",
        summary: "Export all data about the account as one document.", access: .owner,
        answers: [.ok("The export.", schema: "accountExport")], .personal(get))
    ]
  }

  @Sendable private func get(_ request: Request, _ caller: Caller) throws -> Response {
    let principal = try caller.signedIn()
    // Before anything is counted: the handler runs once more.
    try SocketThread.leave()
    try accounts.exports.spend(principal.account)
    let head = try accounts.database.read { connection in
      let account = try accounts.account(of: principal, connection)
      return try AccountJSON(account, now: accounts.now, connection).value
    }
    var response = Response.stream(contentType: "application/json") { writer in
      var json = JSONWriter()
      json.beginObject()
      json.member("exported_at", accounts.now.text)
      json.member("account", head)
      for section in accounts.sections { try write(section, principal, &json, &writer) }
      json.endObject()
      try writer.write(json.bytes)
    }
    response.headers.add(
      "Content-Disposition", "attachment; filename=\"farol-account.json\"")
    return response
  }

  /// Writes a section page by page, and sends the bytes after each page.
  private func write(
    _ section: ExportSection, _ principal: Principal, _ json: inout JSONWriter,
    _ writer: inout BodyWriter
  ) throws {
    json.key(section.name)
    json.beginArray()
    var last = section.start
    var count: Int64
    repeat {
      (count, last) = try writePage(section, principal, after: last, &json)
      try writer.write(json.takeBytes())
    } while count == Self.page
    json.endArray()
  }

  /// Writes the rows that follow a key.
  ///
  /// - Returns: the number of rows, and the key of the last one.
  private func writePage(
    _ section: ExportSection, _ principal: Principal, after key: [SQLValue],
    _ json: inout JSONWriter
  ) throws -> (Int64, [SQLValue]) {
    let read: ReadPage = { connection in
      // A slow client may read for hours. Meanwhile the session may have ended, and without the account the document would
      // look whole.
      guard try accounts.gate.isOpen(to: principal, for: .owner, connection) else {
        throw Refusal.signedOut
      }
      var count: Int64 = 0
      var last = key
      try connection.forEach(
        section.sql, section.whose(principal) + key + [.integer(Self.page)]
      ) { row in
        count += 1
        last = key.indices.map { row.value($0) }
        json.beginObject()
        for (place, member) in section.members.enumerated() {
          json.key(member.name)
          Self.write(row, key.count + place, member.kind, to: &json)
        }
        json.endObject()
      }
      return (count, last)
    }
    return try section.holdsPositions
      ? accounts.database.readPrivate(read) : accounts.database.read(read)
  }

  private typealias ReadPage = (Connection) throws -> (Int64, [SQLValue])

  private static func write(
    _ row: borrowing Row, _ column: Int, _ kind: ExportSection.Kind, to json: inout JSONWriter
  ) {
    guard !row.isNull(column) else { return json.null() }
    switch kind {
    case .text: json.string(row.text(column))
    case .number: json.integer(row.int(column))
    case .degrees: json.coordinate(row.double(column))
    case .flag: json.bool(row.bool(column))
    case .json:
      let value = try? JSONValue(parsing: Array(row.text(column).utf8))
      json.value(value ?? .null)
    }
  }
}
