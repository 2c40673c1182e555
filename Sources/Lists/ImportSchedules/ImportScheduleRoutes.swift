import Accounts
import Devices
import JSON
import Service
import SpatialDatabase
import WebServer

/// `/api/admin/import-schedules`: imports that repeat from a URL.
struct ImportScheduleRoutes: Sendable {
  let imports: ScheduledImport
  let catalogue: Catalogue
  private var store: ImportScheduleStore { imports.store }
  private var form: ImportScheduleForm { ImportScheduleForm(mappings: imports.mappings) }

  private static let path = "/api/admin/import-schedules"
  private static let id = Parameter.path(
    "id", .integer(minimum: 1, maximum: 1_000_000_000), "The number of the schedule.")
  private static let schedule = "importSchedule"

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "getImportSchedules", .get, Self.path, tag: "Administration",
        summary: "The imports that repeat from a URL, without their mappings.", access: .admin,
        answers: [.ok("All schedules, oldest first.", schema: "importSchedules")],
        .personal(list)),
      Endpoint(
        "addImportSchedule", .post, Self.path, tag: "Administration",
        summary: "Save a mapping that imports a list from a URL again and again.", access: .admin,
        body: .json("newImportSchedule", limit: 2 * MappingText.maxLength),
        answers: [
          .created("The schedule.", schema: Self.schedule),
          .refusal(409, "There are as many schedules as may be."),
        ], .change(add)),
      Endpoint(
        "getImportSchedule", .get, Self.path + "/{id}", tag: "Administration",
        summary: "One schedule with its mapping.", access: .admin, parameters: [Self.id],
        answers: [.ok("The schedule.", schema: Self.schedule)], .personal(get)),
      Endpoint(
        "changeImportSchedule", .patch, Self.path + "/{id}", tag: "Administration",
        summary: "Change, pause or resume a schedule.", access: .admin, parameters: [Self.id],
        body: .json("importScheduleChange", limit: 2 * MappingText.maxLength),
        answers: [.ok("The schedule.", schema: Self.schedule)], .change(change)),
      Endpoint(
        "deleteImportSchedule", .delete, Self.path + "/{id}", tag: "Administration",
        summary: "Delete a schedule. The devices and reports of its imports remain.",
        access: .admin, parameters: [Self.id], answers: [.done("It is deleted.")],
        .change(remove)),
      Endpoint(
        "runImportSchedule", .post, Self.path + "/{id}/run", tag: "Administration",
        summary: "Start a run now. With `confirmed`, also import a file that was held.",
        access: .admin, parameters: [Self.id],
        body: .json("importScheduleRun", limit: Endpoint.Body.smallLimit),
        answers: [
          .accepted("The run starts within seconds.", schema: Self.schedule),
          .refusal(409, "A run of this schedule is in progress."),
        ], .change(run)),
    ]
  }

  @Sendable private func list(_ request: Request, _ caller: Caller) throws -> Response {
    let language = catalogue.language(of: request)
    return try imports.map.database.read { connection in
      let all = try store.all(connection).map {
        ShownImportSchedule($0, catalogue, in: language)
      }
      return Response.json(all, as: ShownImportSchedule.shapeOfList)
    }
  }

  @Sendable private func get(_ request: Request, _ caller: Caller) throws -> Response {
    try imports.map.database.read { try shown(Self.id(of: request), request, $0) }
  }

  @Sendable private func add(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let account = try caller.signedIn().account
    let settings = try form.read(request, isNew: true).settings(over: nil)
    return { connection in
      let id = try store.add(settings, by: account, connection)
      try note("add_import_schedule", id, by: account, connection)
      var response = try shown(id, request, status: .created, connection)
      response.headers.add("Location", "\(Self.path)/\(id)")
      return response
    }
  }

  @Sendable private func change(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let account = try caller.signedIn().account
    let id = try Self.id(of: request)
    let sent = Result { try form.read(request, isNew: false) }
    return { connection in
      let old = try found(id, connection)
      let settings = try sent.get().settings(over: old.settings)
      // Without its admin a schedule would not run, so the one who resumes it takes it over.
      let isTakenOver =
        try settings.isEnabled && imports.mails.admin(of: old, connection) == nil
      try store.put(settings, of: old, account: isTakenOver ? account : nil, connection)
      try note("change_import_schedule", id, by: account, connection)
      return try shown(id, request, connection)
    }
  }

  @Sendable private func remove(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let account = try caller.signedIn().account
    let id = try Self.id(of: request)
    return { connection in
      let old = try found(id, connection)
      try store.remove(id, connection)
      try note("delete_import_schedule", id, by: account, reason: old.settings.name, connection)
      return .noContent
    }
  }

  @Sendable private func run(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let account = try caller.signedIn().account
    let id = try Self.id(of: request)
    var body = try RequestBody(request, ["confirmed"])
    let isConfirmed = body.flag("confirmed") ?? false
    try body.check()
    return { connection in
      let old = try found(id, connection)
      guard try imports.mails.admin(of: old, connection) != nil else {
        throw Refusal(.conflict, "error.schedule.account", type: "account")
      }
      let order = ScheduledImport.Order(id, by: account, isConfirmed: isConfirmed)
      guard try imports.queue(order, connection) else {
        throw Refusal(.conflict, "error.schedule.running", type: "busy")
      }
      try note("run_import_schedule", id, by: account, connection)
      return try shown(id, request, status: .accepted, connection)
    }
  }

  /// - Throws: a 404 if there is no such schedule.
  private func found(_ id: Int64, _ connection: borrowing Connection) throws -> ImportSchedule {
    guard let schedule = try store.one(id, connection) else { throw Self.notFound }
    return schedule
  }

  private func shown(
    _ id: Int64, _ request: Request, status: Status = .ok, _ connection: borrowing Connection
  ) throws -> Response {
    .json(
      ShownImportSchedule(
        try found(id, connection), catalogue, in: catalogue.language(of: request),
        hasMapping: true), as: ShownImportSchedule.shape, status: status)
  }

  private func note(
    _ action: String, _ id: Int64, by account: Int64, reason: String? = nil,
    _ connection: borrowing Connection
  ) throws {
    try AuditStore(environment: imports.map.environment).note(
      action, target: "import_schedule \(id)", by: "\(account)", reason: reason, connection)
  }

  /// - Throws: a 404 if the address does not end with a number.
  private static func id(of request: Request) throws -> Int64 {
    guard let id = Int64(request.parameter("id")), id > 0 else { throw notFound }
    return id
  }

  private static let notFound = NotFound(Message("error.not_found.import_schedule"))
}
