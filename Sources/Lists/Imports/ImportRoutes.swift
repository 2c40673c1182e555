import Accounts
import Devices
import Import
import JSON
import Moderation
import PrivacyMap
import Service
import SpatialDatabase
import WebServer

/// `/api/admin/imports`: starts imports from the browser, shows their reports, and undoes them.
struct ImportRoutes: Sendable {
  let map: LiveMap
  let worker: ImportWorker
  let mappings: ImportMappings
  private var store: ImportRunStore { ImportRunStore() }

  /// The maximum size of the form in bytes. Longer lists are imported on the command line.
  static let limit = 64 << 20

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "getImports", .get, "/api/admin/imports", tag: "Administration",
        summary: "Imports, newest first, and the available mappings.", access: .admin,
        parameters: PageCursor.parameters("Imports"),
        answers: [.ok("A page of imports.", schema: "imports")], .personal(list)),
      Endpoint(
        "addImport", .post, "/api/admin/imports", tag: "Administration",
        summary: "Import a list of devices, or do a dry run.", access: .admin,
        body: .form("importForm", limit: Self.limit, isStored: true),
        answers: [
          .accepted("The import has started. `Location` is its report.", schema: "importRun"),
          .refusal(409, "Another import is running."),
        ], .slow(begin)),
      Endpoint(
        "getImport", .get, "/api/admin/imports/{id}", tag: "Administration",
        summary: "The report of an import, with notes about rows.", access: .admin,
        parameters: [
          Self.id,
          .query(
            "severity", .oneOf(["flagged", "skipped", "refused"]),
            "Only notes about rows with this outcome."),
        ] + PageCursor.parameters("Rows"),
        answers: [.ok("The report.", schema: "importRun")], .personal(one)),
      Endpoint(
        "undoImport", .post, "/api/admin/imports/{id}/undo", tag: "Administration",
        summary: "Undo an import. Devices that people have changed since are kept.", access: .admin,
        parameters: [Self.id], body: .json("importUndo", limit: Endpoint.Body.smallLimit),
        answers: [
          .accepted("The undo has started. `Location` is its report.", schema: "importRun"),
          .refusal(409, "The import is already undone, or another one is running; see `type`."),
        ],
        .slow(undo)),
      Endpoint(
        "settleMissingDevices", .post, "/api/admin/imports/{id}/missing", tag: "Administration",
        summary:
          "Withdraw the devices that the file of an import no longer had, mark them as removed, or take that back.",
        access: .admin, parameters: [Self.id],
        body: .json("importMissing", limit: Endpoint.Body.smallLimit),
        answers: [
          .accepted("The work has started. `Location` is the report.", schema: "importRun"),
          .refusal(409, "The import is undone or a trial, or another one is running; see `type`."),
        ], .slow(settle)),
    ]
  }

  // Start an import.

  @Sendable private func begin(_ request: Request, _ caller: Caller) throws -> Response {
    let principal = try caller.signedIn()
    let form = try ImportForm(request)
    let (mapping, name) = try mapping(for: form)
    let id = try worker.begin(form.file, mapping, named: name, form.options, by: principal.account)
    {
      try map.database.write { connection in
        try enter(form, mapping: name, by: principal, connection)
      }
    }
    guard let id else { throw Refusal(.conflict, "error.import.busy", type: "busy") }
    return try accepted(id)
  }

  /// The mapping that the form contains or names, or that fits the file, and its name in the report.
  private func mapping(for form: ImportForm) throws -> (ImportMapping, name: String) {
    if let json = form.mappingFile {
      do {
        let mapping = try mappings.mapping(json)
        return (mapping, mapping.source.code)
      } catch { throw MappingText.refusal(error, in: "mapping_file") }
    }
    let today = map.environment.now().day
    let recognised =
      form.mapping == "auto"
      ? mappings.recognised(form.file, vocabulary: map.vocabulary, today: today) : form.mapping
    guard let name = recognised, mappings.names.contains(name) else {
      var options = ImportReader.Options()
      options.deadline = .now + ImportMappings.timeToRecognise
      if form.mapping == "auto",
        let reason = ImportReader(form.file, options: options).packedFault()
      {
        throw InvalidInput.refused("file", "error.import.unreadable", ["reason": reason])
      }
      let key = form.mapping == "auto" ? "error.import.unrecognised" : "error.import.mapping"
      throw InvalidInput.refused("mapping", key)
    }
    return (try mappings.mapping(named: name), name)
  }

  private func enter(
    _ form: ImportForm, mapping: String, by principal: Principal,
    _ connection: borrowing Connection
  ) throws -> Int64 {
    let id = try store.add(
      file: form.file.name, mapping: mapping, by: principal.account,
      isDryRun: form.options.isDryRun, at: map.environment.now(), connection)
    if !form.options.isDryRun { try note("import", id, by: principal, reason: nil, connection) }
    return id
  }

  private func note(
    _ action: String, _ id: Int64, by principal: Principal, reason: String?,
    _ connection: borrowing Connection
  ) throws {
    try AuditStore(environment: map.environment).note(
      action, target: "import \(id)", by: "\(principal.account)", reason: reason, connection)
  }

  private func accepted(_ id: Int64) throws -> Response {
    let report = try map.database.read { try ImportReport(id, worker, $0) }
    guard let report else { throw Self.notFound }
    var response = Response.json(report, as: ImportReport.shape, status: .accepted)
    response.headers["Location"] = "/api/admin/imports/\(id)"
    return response
  }

  // Undo an import.

  @Sendable private func undo(_ request: Request, _ caller: Caller) throws -> Response {
    let principal = try caller.signedIn()
    var body = try RequestBody(request, ["reason"])
    let reason = body.reason(isRequired: false)
    try body.check()
    let id = try Self.id(of: request)
    let isBegun = try worker.undo(id, by: principal.account) {
      try map.database.write { connection in
        guard let (state, isDryRun) = try store.state(of: id, connection) else {
          throw Self.notFound
        }
        guard !isDryRun, state == "done" || state == "failed" else {
          throw Refusal.overtaken("error.import.not_undoable")
        }
        try note("undo_import", id, by: principal, reason: reason, connection)
      }
    }
    guard isBegun else { throw Refusal(.conflict, "error.import.busy", type: "busy") }
    return try accepted(id)
  }

  // Devices that a list no longer has.

  @Sendable private func settle(_ request: Request, _ caller: Caller) throws -> Response {
    let principal = try caller.signedIn()
    var body = try RequestBody(request, ["action", "reason"])
    let action: MissingDevices.Action? = body.oneOf("action")
    if action == nil, !body.has("action") { body.fault("action", Message("error.missing_member")) }
    let reason = body.reason(isRequired: false)
    try body.check()
    let id = try Self.id(of: request)
    let isBegun = try worker.settle(action.given(), id, by: principal.account) {
      try map.database.write { connection in
        guard let (state, isDryRun) = try store.state(of: id, connection) else {
          throw Self.notFound
        }
        guard !isDryRun, state == "done" else {
          throw Refusal.overtaken("error.import.not_undoable")
        }
        try note("settle_missing", id, by: principal, reason: reason, connection)
      }
    }
    guard isBegun else { throw Refusal(.conflict, "error.import.busy", type: "busy") }
    return try accepted(id)
  }

  // Read imports.

  @Sendable private func list(_ request: Request, _ caller: Caller) throws -> Response {
    let limit = try PageCursor.limit(request.query["limit"])
    let last = try Self.place(request)
    return try map.database.read { connection in
      let ids = try store.all(before: last, limit: limit + 1, connection)
      let (shown, next) = PageCursor.cut(ids, to: limit) { ["\($0)"] }
      return .json(
        ImportList(
          imports: try shown.compactMap { try ImportReport($0, worker, connection) },
          mappings: mappings.names.map { name in
            (name, (try? mappings.mapping(named: name))?.source.name ?? name)
          }, next: next), as: ImportList.shape)
    }
  }

  @Sendable private func one(_ request: Request, _ caller: Caller) throws -> Response {
    let limit = try PageCursor.limit(request.query["limit"])
    let last = try request.query["cursor"].map { text in
      let keys = try PageCursor(text: text).keys(count: 2)
      guard let row = Int64(keys[0]), let rowid = Int64(keys[1]) else {
        throw InvalidInput("cursor", Message("error.cursor"))
      }
      return (row: row, rowid: rowid)
    }
    let severity = request.query["severity"]
    guard severity.map(["flagged", "skipped", "refused"].contains) ?? true else {
      throw InvalidInput.unknownCode("severity", severity ?? "")
    }
    let id = try Self.id(of: request)
    return try map.database.read { connection in
      guard var report = try ImportReport(id, worker, connection) else { throw Self.notFound }
      try report.add(notesAfter: last, severity: severity, limit: limit, connection)
      return .json(report, as: ImportReport.shape)
    }
  }

  private static func place(_ request: Request) throws -> Int64? {
    try request.query["cursor"].map { text in
      guard let rowid = Int64(try PageCursor(text: text).keys(count: 1)[0]) else {
        throw InvalidInput("cursor", Message("error.cursor"))
      }
      return rowid
    }
  }

  /// The parameter with the number of an import.
  static let id = Parameter.path(
    "id", .integer(minimum: 1, maximum: 1_000_000_000), "The number of the import.")

  /// - Throws: a 404 if the address does not end with a number.
  static func id(of request: Request) throws -> Int64 {
    guard let id = Int64(request.parameter("id")), id > 0 else { throw notFound }
    return id
  }

  static let notFound = NotFound(Message("error.not_found.import"))
}
