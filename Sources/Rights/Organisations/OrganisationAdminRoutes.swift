import Accounts
import Devices
import JSON
import PrivacyMap
import Service
import SpatialDatabase
import WebServer

/// `/api/admin/operators`: decisions of admins on organisations.
struct OrganisationAdminRoutes: Sendable {
  let organisations: Organisations

  private var store: OrganisationStore { organisations.store }
  private var audit: AuditStore { AuditStore(environment: organisations.map.environment) }

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "getOrganisations", .get, "/api/admin/operators", tag: "Administration",
        summary: "Registered organisations, waiting ones first.", access: .admin,
        parameters: [
          .query(
            "state", .oneOf(Organisation.State.allCases.map(\.rawValue)),
            "Only organisations in this state.")
        ] + PageCursor.parameters("Organisations"),
        answers: [.ok("A page of organisations.", schema: "organisations")], .personal(list)),
      Endpoint(
        "decideOrganisation", .post, "/api/admin/operators/{id}", tag: "Administration",
        summary:
          "Approves or refuses an organisation, or withdraws an approval; needs a session, password and code if it grants or removes a role.",
        access: .admin, parameters: [OrganisationRoutes.id], body: .json("organisationDecision"),
        answers: [
          .ok("The organisation as it is now.", schema: "organisation"),
          .refusal(409, "The organisation is not in the required state, or its domain is taken."),
          .stale,
        ], .slow(decide)),
    ]
  }

  @Sendable private func list(_ request: Request, _ caller: Caller) throws -> Response {
    try Organisation.page(
      request, as: Organisation.shapeOfPage, by: OrganisationStore.adminPage,
      counts: OrganisationStore.counts,
      in: organisations.map.database)
  }

  // Decisions

  private enum Decision: String, CaseIterable { case approve, refuse, withdraw }

  /// An approval grants a role and a withdrawal removes it, so both require a fresh proof of identity.
  @Sendable private func decide(_ request: Request, _ caller: Caller) throws -> Response {
    let principal = try caller.signedIn()
    var body = try RequestBody(
      request, FreshProof.members.union(["decision", "note", "method", "version"]))
    let wanted: Decision? = body.oneOf("decision", isRequired: true)
    let changesRole = wanted == .approve || wanted == .withdraw
    if changesRole { _ = try principal.session() }
    let proof = FreshProof(&body, isRequired: changesRole)
    let note = body.text("note", 1...500, isRequired: wanted.map { $0 != .approve } ?? false)
    let method = body.code("method", [Organisation.Method.manual.rawValue])
    let version = body.version()
    try body.check()
    let (decision, seen) = (try wanted.given(), try version.given())
    let begun = changesRole ? try proof.begin(principal, organisations.accounts) : nil
    return try organisations.map.write { connection in
      try begun?.finish(organisations.accounts, connection)
      guard let organisation = try store.organisation(request.parameter("id"), connection) else {
        throw OrganisationStore.notThere
      }
      try SeenVersion.check(seen, is: .object(organisation.shown))
      switch decision {
      case .approve:
        try approve(organisation, note, byHand: method != nil, connection)
      case .refuse:
        guard organisation.state == .waiting else { throw Self.overtaken }
        try store.decide(.refused, of: organisation.rowid, reason: note, connection)
        try organisations.mails.tell(organisation, .operatorRefused, reason: note, connection)
      case .withdraw:
        guard organisation.state == .approved else { throw Self.overtaken }
        try withdraw(organisation, note, connection)
      }
      try audit.note(
        "\(decision.rawValue)_operator", target: "operator \(organisation.id)",
        by: "\(principal.account)", reason: note, connection)
      let after = try store.organisation(organisation.id, connection) ?? organisation
      return .json(try after.jsonForAdmins(connection))
    }
  }

  private static let overtaken = Refusal.overtaken("error.operator.state")

  private func approve(
    _ organisation: Organisation, _ note: String?, byHand: Bool,
    _ connection: borrowing Connection
  ) throws {
    guard organisation.state != .approved else { throw Self.overtaken }
    if try store.isTaken(organisation, connection) {
      throw Refusal(.conflict, "error.operator.taken", type: "operator-taken")
    }
    if byHand || organisation.check == nil {
      guard let note else {
        throw InvalidInput.refused("note", "error.operator.note")
      }
      try store.note(.manual, note, of: organisation.rowid, connection)
    }
    try store.decide(.approved, of: organisation.rowid, reason: note, connection)
    let account = try AccountStore().account(organisation.account, connection)
    if account?.role == .contributor || account?.role == .operator {
      // Accounts with a higher role keep it; it includes the permissions of an operator.
      try AccountStore().setRole(
        .operator, of: organisation.account, at: store.environment.now(), connection)
      let row = try store.operatorRow(of: organisation.details, connection)
      try AccountStore().setOperatorRow(row, of: organisation.account, connection)
    }
    try organisations.mails.tell(organisation, .operatorApproved, reason: note, connection)
  }

  private func withdraw(
    _ organisation: Organisation, _ note: String?, _ connection: borrowing Connection
  ) throws {
    try store.endApproval(of: organisation, reason: note, connection)
    let account = try AccountStore().account(organisation.account, connection)
    if account?.role == .operator {
      try AccountStore().setRole(
        .contributor, of: organisation.account, at: store.environment.now(), connection)
      try AccountStore().setOperatorRow(nil, of: organisation.account, connection)
    }
    try organisations.mails.tell(organisation, .operatorWithdrawn, reason: note, connection)
  }
}
