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

  package init(_ instance: Instance) {
    database = instance.database
    folder = SnapshotFolder(instance)
    addresses = instance.addresses
    name = instance.settings.name
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
        summary:
          "A snapshot (2026-11-21.geojson.gz, 2026-11-21.csv.gz, 2026-11-21.parquet), its citation "
          + "(2026-11-21.cff, 2026-11-21.bib), or the changes between two "
          + "(2026-11-20..2026-11-21.jsonl).",
        parameters: [.path("file", .text(maxLength: 60), "The name of the file.")],
        answers: [
          Endpoint.Answer(
            status: 200, description: "The file.",
            content: [
              ("application/gzip", nil), (ExportFormat.parquet.declaredType, nil),
              ("application/x-ndjson", nil), ("application/yaml", nil),
              ("application/x-bibtex", nil),
            ]),
          .refusal(410, "The snapshot of that day has been deleted."),
        ], file),
    ]
  }

  @Sendable private func list(_ request: Request) throws -> Response {
    let (all, firsts) = try database.readQuickly { connection in
      (
        try SnapshotStore().files(connection) { row in
          (
            day: row.text(0), head: Self.snapshot.object(row),
            file: Self.file.json((addresses, row)), stored: Self.stored(row)
          )
        }, try SnapshotStore().firsts(connection)
      )
    }
    let present = try folder.files.present(all.compactMap(\.stored))
    let rows = all.filter { $0.stored.map(present.contains) ?? false }
    var snapshots: [JSONValue] = []
    var place = rows.startIndex
    while place < rows.endIndex {
      let day = rows[place].day
      let files = rows[place...].prefix { $0.day == day }
      var snapshot = rows[place].head
      snapshot["kept_until"] = Snapshots.keptUntil(day, first: firsts.contains(day)).json
      snapshot["files"] = files.map(\.file).json
      snapshots.append(.object(snapshot))
      place = files.endIndex
    }
    var response = Response.json((self, snapshots), as: Self.shape)
    response.etag = EntityTag(hashing: response.body.bytes ?? [])
    AnswerVersions.complete(&response)
    return response
  }

  /// The file of a row. An operator may have removed it.
  private static func stored(_ row: Row) -> NightlyFile? {
    SnapshotFormat(rawValue: row.text(5)).map {
      NightlyFile(row.text(0), $0, sha256: row.text(8))
    }
  }

  static var schema: (key: String, value: JSONValue) { shape.component }

  private static let shape = JSONShape<(routes: SnapshotRoutes, snapshots: [JSONValue])>(
    "snapshots", .text("name") { $0.routes.name },
    .text("citation") {
      "\($0.routes.name): devices, snapshot of {date}, edition {edition}, "
        + "\($0.routes.addresses.url(path))/{file}"
    }, .init("snapshots", .list(of: snapshot.schema)) { $0.snapshots })

  /// The snapshot of one day, from the row of its first file.
  private static let snapshot = JSONShape<Row>(
    nil, .day("date") { $0.text(0) }, .time("made_at") { $0.text(1) },
    .count("schema_version") { $0.int(2) }, .text("licences") { $0.text(3) },
    .added("kept_until", .day.orNull), .added("files", .list(of: file.schema)))

  private static let file = JSONShape<(addresses: Addresses, row: Row)>(
    nil, .text("format") { $0.row.text(5) },
    .text("url") { given in
      let format = SnapshotFormat(rawValue: given.row.text(5))
      return given.addresses.url("\(path)/\(given.row.text(0)).\(format?.ending ?? "")")
    }, .count("devices") { $0.row.int(6) }, .count("bytes") { $0.row.int(7) },
    .text("sha256") { $0.row.text(8) }, .count("edition") { $0.row.int(9) },
    .count("withdrawn") { $0.row.int(10) }, .time("withdrawn_at") { $0.row.optionalText(11) })

  @Sendable private func file(_ request: Request) throws -> Response {
    let name = request.parameter("file")
    if let days = Self.days(name) { return try difference(days.0, days.1) }
    let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
    if parts.count == 2, let format = SnapshotCitation.Format(rawValue: parts[1]) {
      return try citation(of: parts[0], format)
    }
    guard parts.count == 2, Day(text: parts[0]) != nil,
      let format = SnapshotFormat(ending: parts[1])
    else { throw NotFound.snapshot }
    let stored = try kept(parts[0], format)
    guard let file = try folder.files.open(stored) else { throw NotFound.snapshot }
    var response = Response(
      headers: ["Content-Type": format.mediaType], body: .kept(file))
    response.mayCompress = false
    response.etag = EntityTag(stored.sha256)
    response.headers.add("Content-Disposition", "attachment; filename=\"devices-\(name)\"")
    AnswerVersions.complete(&response)
    return response
  }

  /// - Throws: the errors of ``kept(_:_:)``.
  private func citation(of day: String, _ format: SnapshotCitation.Format) throws -> Response {
    guard Day(text: day) != nil else { throw NotFound.snapshot }
    _ = try kept(day, .geojson)
    let cited = try database.readQuickly { try SnapshotStore().cited(day, $0) }
    guard let (licences, edition) = cited else { throw NotFound.snapshot }
    let text = SnapshotCitation(
      name: name, day: day, edition: edition,
      url: addresses.url("\(Self.path)/\(day).\(SnapshotFormat.geojson.ending)"),
      licences: licences
    ).text(format)
    var response = Response(
      headers: ["Content-Type": format.mediaType], body: .bytes(Array(text.utf8)))
    response.etag = EntityTag(hashing: Array(text.utf8))
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

  /// An existing file.
  ///
  /// - Throws: a 410 ``Refusal`` if the snapshot has been deleted, ``NotFound`` if it never existed or
  ///   its file is missing.
  private func kept(_ day: String, _ format: SnapshotFormat) throws -> NightlyFile {
    let found = try database.readQuickly { try SnapshotStore().file(day, format, $0) }
    guard let found else { throw NotFound.snapshot }
    guard !found.isGone else { throw Refusal(.gone, "error.snapshot_gone", type: "gone") }
    let file = NightlyFile(day, format, sha256: found.sha256)
    guard try folder.files.has(file) else { throw NotFound.snapshot }
    return file
  }

  private func difference(_ earlier: String, _ later: String) throws -> Response {
    let files = (try kept(earlier, .geojson), try kept(later, .geojson))
    let difference = SnapshotDifference(folder: folder, earlier: files.0, later: files.1)
    var response = Response.stream(contentType: "application/x-ndjson") { writer in
      try difference.write { try writer.write($0) }
    }
    response.etag = EntityTag(
      "\(files.0.sha256.prefix(16))-\(files.1.sha256.prefix(16))", weak: true)
    response.headers.add(
      "Content-Disposition", "attachment; filename=\"devices-\(earlier)..\(later).jsonl\"")
    AnswerVersions.complete(&response)
    return response
  }
}

extension SnapshotRoutes {
  /// A snapshot and its existing files.
  package struct Published {
    package let day, madeAt: String
    /// The time of the last removal of a device from it, otherwise of its creation.
    package var modifiedAt: String
    package var files: [(format: SnapshotFormat, bytes: Int64, sha256: String)]
  }

  /// The existing snapshots, latest first.
  package func published() throws -> [Published] {
    let rows = try database.readQuickly { connection in
      try SnapshotStore().files(connection) { row in
        (
          day: row.text(0), madeAt: row.text(1), changedAt: row.optionalText(11),
          file: SnapshotFormat(rawValue: row.text(5)).map {
            (format: $0, bytes: row.int(7), sha256: row.text(8))
          }, stored: Self.stored(row)
        )
      }
    }
    let present = try folder.files.present(rows.compactMap(\.stored))
    var published: [Published] = []
    for row in rows {
      guard let file = row.file, let stored = row.stored, present.contains(stored) else { continue }
      var snapshot =
        published.last?.day == row.day
        ? published.removeLast()
        : Published(day: row.day, madeAt: row.madeAt, modifiedAt: row.madeAt, files: [])
      snapshot.modifiedAt = max(snapshot.modifiedAt, row.changedAt ?? row.madeAt)
      snapshot.files.append(file)
      published.append(snapshot)
    }
    return published
  }
}

extension NotFound {
  static let snapshot = NotFound(Message("error.not_found.snapshot"))
}
