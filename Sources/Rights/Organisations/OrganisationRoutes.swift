import Accounts
import Devices
import JSON
import PrivacyMap
import Service
import SpatialDatabase
import WebServer

/// `/api/operators`: public organisations, and the caller's own.
struct OrganisationRoutes: Sendable {
  let organisations: Organisations

  private var store: OrganisationStore { organisations.store }
  private var database: Database { organisations.map.database }

  static let id = Parameter.path("id", .text(maxLength: 36), "The UUID of the operator.")

  var endpoints: [Endpoint] {
    let own = Endpoint.Answer.ok("The organisation.", schema: "organisation")
    return [
      Endpoint(
        "getOperators", .get, "/api/operators", tag: Organisations.tag,
        summary: "Organisations that operate devices, by name.", access: .everyone,
        parameters: [
          .query("q", .text(maxLength: 100), "Only operators whose name contains this text.")
        ] + PageCursor.parameters("Operators"),
        answers: [.ok("A page of operators.", schema: "operators")], .personal(list)),
      Endpoint(
        "getOperator", .get, "/api/operators/{id}", tag: Organisations.tag,
        summary: "One organisation, and how it was verified.", access: .everyone,
        parameters: [Self.id], answers: [.ok("The operator.", schema: "operator")],
        .personal(one)),
      Endpoint(
        "addOperator", .post, "/api/operators", tag: Organisations.tag,
        summary: "Registers an organisation that the caller represents; an admin decides.",
        access: .contributorSession, body: .json("newOrganisation"),
        answers: [
          .created("The organisation.", schema: "organisation"),
          .refusal(409, "The account already represents an organisation."),
        ], .change(add)),
      Endpoint(
        "getOwnOperator", .get, "/api/operators/mine", tag: Organisations.tag,
        summary: "The organisation that the account represents, or null.",
        access: .contributor(.operate),
        answers: [.ok("The organisation, or null.", schema: "organisationOrNull")],
        .personal(mine)),
      Endpoint(
        "changeOwnOperator", .patch, "/api/operators/mine", tag: Organisations.tag,
        summary: "Changes the details of the caller's organisation.", access: .contributorSession,
        body: .json("organisationChange"),
        answers: [own, .refusal(409, "Name, kind and domain cannot change after approval.")],
        .change(change)),
      Endpoint(
        "eraseOwnOperator", .delete, "/api/operators/mine", tag: Organisations.tag,
        summary: "Erases the caller's organisation, with its claims and statements.",
        access: .contributorSession, answers: [.done("It is erased.")], .change(erase)),
    ]
  }

  // Public

  @Sendable private func list(_ request: Request, _ caller: Caller) throws -> Response {
    let limit = try PageCursor.limit(request.query["limit"])
    let words = request.query["q"].map { ContactBook.key($0) }
    var after: (name: String, rowid: Int64) = ("", 0)
    if let cursor = request.query["cursor"] {
      let keys = try PageCursor(text: cursor).keys(count: 2)
      guard let rowid = Int64(keys[1]) else {
        throw InvalidInput("cursor", Message("error.cursor"))
      }
      after = (keys[0], rowid)
    }
    return try database.read { connection in
      let found = try store.approved(
        named: words, after: after, limit: limit + 1, connection)
      let (shown, next) = PageCursor.cut(found, to: limit) { [$0.1, "\($0.0.rowid)"] }
      let items = try shown.map { OperatorJSON.shape.json(try shownToAll($0.0, connection)) }
      return .json(ListPage(items, next: next), as: OperatorJSON.page)
    }
  }

  @Sendable private func one(_ request: Request, _ caller: Caller) throws -> Response {
    try database.read { connection in
      guard let found = try store.organisation(request.parameter("id"), connection),
        found.state == .approved
      else { throw OrganisationStore.notThere }
      return .json(try shownToAll(found, connection), as: OperatorJSON.shape)
    }
  }

  private func shownToAll(
    _ organisation: Organisation, _ connection: borrowing Connection
  ) throws -> OperatorJSON {
    OperatorJSON(
      organisation: organisation, devices: try store.devices(of: organisation.rowid, connection),
      outcomes: try OutcomeStore().outcome(.operator, organisation.details.name, connection))
  }

  // The caller's own

  @Sendable private func mine(_ request: Request, _ caller: Caller) throws -> Response {
    let account = try caller.signedIn().account
    // Null instead of 404: most accounts have no organisation, and browsers log each 404 in the console.
    return .json(
      try database.readQuickly { try store.organisation(of: account, $0) }?.json ?? .null)
  }

  private func own(
    _ account: Int64, _ connection: borrowing Connection
  ) throws -> Organisation {
    guard let found = try store.organisation(of: account, connection) else {
      throw OrganisationStore.notThere
    }
    return found
  }

  private func sent(_ request: Request, isNew: Bool) throws -> OrganisationDetails.Sent {
    try OrganisationDetails.Sent(
      RequestBody(request, OrganisationDetails.members), isNew: isNew)
  }

  @Sendable private func add(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let account = try caller.signedIn().account
    let given = try sent(request, isNew: true).details(over: nil)
    return { connection in
      try store.add(given, of: account, connection)
      var response = Response.json(try own(account, connection).json, status: .created)
      response.headers["Location"] = "/api/operators/mine"
      return response
    }
  }

  @Sendable private func change(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let account = try caller.signedIn().account
    let sent = Result { try self.sent(request, isNew: false) }
    return { connection in
      let organisation = try own(account, connection)
      let details = try sent.get().details(over: organisation.details)
      try store.change(organisation, to: details, connection)
      return .json(try own(account, connection).json)
    }
  }

  @Sendable private func erase(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let account = try caller.signedIn().account
    return { connection in
      let organisation = try own(account, connection)
      try store.erase(organisation, connection)
      try ErasureList.note(
        .organisation, [organisation.id], at: store.environment.now(), connection)
      // The account gave up the role itself, so its sessions stay valid, unlike when an admin removes a
      // role.
      try AccountStore().endOperatorRole(of: account, connection)
      return Response(.noContent)
    }
  }
}
