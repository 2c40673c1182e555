import JSON
import PrivacyMap
package import Service
package import SpatialDatabase
import WebServer

/// `/api/snapshots`: daily snapshots of all public data, for citation.
package struct SnapshotRoutes {
  package let database: Database
  package let folder: SnapshotFolder
  package let addresses: Addresses
  package let name: String

  package init(database: Database, folder: SnapshotFolder, addresses: Addresses, name: String) {
    self.database = database
    self.folder = folder
    self.addresses = addresses
    self.name = name
  }

  private static let path = "/api/snapshots"

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "getSnapshots", Self.path, tag: "Data",
        summary: "The snapshots, latest first, each file with its checksum.",
        answers: [.ok("The snapshots.", schema: "snapshots")], list),
      Endpoint(
        "getSnapshot", "\(Self.path)/{file}", tag: "Data",
        summary: "A snapshot (2026-11-21.geojson.gz, 2026-11-21.csv.gz), or the changes between "
          + "two (2026-11-20..2026-11-21.jsonl).",
        parameters: [.path("file", .text(maxLength: 60), "The name of the file.")],
        answers: [
          Endpoint.Answer(
            status: 200, description: "The file.",
            content: [("application/gzip", nil), ("application/x-ndjson", nil)]),
          .refusal(410, "The snapshot of that day has been deleted."),
        ], file),
    ]
  }

  @Sendable private func list(_ request: Request) throws -> Response {
    let (rows, firsts) = try database.read { connection in
      (
        try SnapshotStore().files(connection) { row in
          (day: row.text(0), head: Self.head(row), file: file(row), isThere: isThere(row))
        }.filter(\.isThere),
        try SnapshotStore().firsts(connection)
      )
    }
    var snapshots: [JSONValue] = []
    var place = rows.startIndex
    while place < rows.endIndex {
      let day = rows[place].day
      let files = rows[place...].prefix { $0.day == day }
      var snapshot = rows[place].head
      let end = Snapshots.keptUntil(day, first: firsts.contains(day))
      snapshot["kept_until"] = end.map { .string($0.text) } ?? .null
      snapshot["files"] = .array(files.map(\.file))
      snapshots.append(.object(snapshot))
      place = files.endIndex
    }
    var response = Response.json([
      "name": .string(name),
      "citation": .string(
        "\(name): devices, snapshot of {date}, edition {edition}, \(addresses.url(Self.path))/{file}"
      ),
      "snapshots": .array(snapshots),
    ])
    response.etag = EntityTag(hashing: response.body.bytes ?? [])
    AnswerVersions.complete(&response)
    return response
  }

  /// Whether the file of a row exists; an operator may have removed it.
  private func isThere(_ row: Row) -> Bool {
    SnapshotFormat(rawValue: row.text(5)).map { folder.has(row.text(0), $0) } ?? false
  }

  private static func head(_ row: Row) -> JSONObject {
    JSONObject([
      ("date", .string(row.text(0))), ("made_at", .string(row.text(1))),
      ("schema_version", .integer(row.int(2))), ("licences", .string(row.text(3))),
    ])
  }

  private func file(_ row: Row) -> JSONValue {
    let format = row.text(5)
    return [
      "format": .string(format),
      "url": .string(addresses.url("\(Self.path)/\(row.text(0)).\(format).gz")),
      "devices": .integer(row.int(6)), "bytes": .integer(row.int(7)),
      "sha256": .string(row.text(8)), "edition": .integer(row.int(9)),
      "withdrawn": .integer(row.int(10)),
      "withdrawn_at": row.optionalText(11).map { .string($0) } ?? .null,
    ]
  }

  @Sendable private func file(_ request: Request) throws -> Response {
    let name = request.parameter("file")
    if let days = Self.days(name) { return try difference(days.0, days.1) }
    let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
    guard parts.count == 2, parts[1].hasSuffix(".gz"), Day(text: parts[0]) != nil,
      let format = SnapshotFormat(rawValue: String(parts[1].dropLast(3)))
    else { throw NotFound.snapshot }
    let sha256 = try kept(parts[0], format)
    guard let file = KeptFile(path: folder.file(parts[0], format)) else { throw NotFound.snapshot }
    var response = Response(
      headers: ["Content-Type": "application/gzip"],
      body: .pull({ file.next() }, length: file.count))
    response.mayCompress = false
    response.etag = EntityTag(sha256)
    response.headers.add("Content-Disposition", "attachment; filename=\"devices-\(name)\"")
    AnswerVersions.complete(&response)
    return response
  }

  /// `2026-11-20..2026-11-21.jsonl`.
  private static func days(_ name: String) -> (String, String)? {
    guard name.hasSuffix(".jsonl"), let middle = name.firstRange(of: "..") else { return nil }
    let days = (
      String(name[..<middle.lowerBound]), String(name[middle.upperBound...].dropLast(6))
    )
    return Day(text: days.0) != nil && Day(text: days.1) != nil ? days : nil
  }

  /// The checksum of an existing file.
  ///
  /// - Throws: a 410 ``Refusal`` if the snapshot has been deleted, ``NotFound`` if it never existed or
  ///   its file is missing.
  private func kept(_ day: String, _ format: SnapshotFormat) throws -> String {
    let found = try database.read { try SnapshotStore().file(day, format, $0) }
    guard let found else { throw NotFound.snapshot }
    guard !found.isGone else { throw Refusal(.gone, "error.snapshot_gone", type: "gone") }
    guard folder.has(day, format) else { throw NotFound.snapshot }
    return found.sha256
  }

  private func difference(_ earlier: String, _ later: String) throws -> Response {
    let tags = try [earlier, later].map { try kept($0, .geojson) }
    let difference = SnapshotDifference(folder: folder, earlier: earlier, later: later)
    var response = Response.stream(contentType: "application/x-ndjson") { writer in
      try difference.write { try writer.write($0) }
    }
    response.etag = EntityTag("\(tags[0].prefix(16))-\(tags[1].prefix(16))", weak: true)
    response.headers.add(
      "Content-Disposition", "attachment; filename=\"devices-\(earlier)..\(later).jsonl\"")
    AnswerVersions.complete(&response)
    return response
  }
}

extension NotFound {
  static let snapshot = NotFound(Message("error.not_found.snapshot"))
}
