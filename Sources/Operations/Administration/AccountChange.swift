import Accounts
import Devices
import JSON
import Moderation
import PrivacyMap
import Rights
import Service
import SpatialDatabase
import WebServer
import Lists

/// A change that an admin requests for an account.
struct AccountChange: Sendable {
  /// The organisation that an operator account represents.
  struct Organisation: Equatable, Sendable {
    let name: String
    let kind: Operator.Kind
  }

  var role: Role?
  var isSuspended: Bool?
  /// Nil leaves it unchanged; an inner nil removes it.
  var organisation: Organisation??
  let reason: String
  /// Proof that the admin in person changes a role or an organisation; nil if the request changes
  /// neither.
  let proof: FreshProof?

  /// - Throws: ``InvalidInput``, a 4xx ``Refusal`` if the body is not a JSON object, or a 403 if a
  ///   token tries to change a role or an organisation.
  init(_ request: Request, by principal: Principal) throws {
    var body = try RequestBody(
      request, FreshProof.members.union(["role", "suspended", "operator", "reason"]))
    let needsProof = body.has("role") || body.has("operator")
    if needsProof { _ = try principal.session() }
    role = body.oneOf("role")
    isSuspended = body.flag("suspended")
    organisation = try Self.organisation(&body)
    let reason = body.reason()
    if !["role", "suspended", "operator"].contains(where: body.has) {
      body.fault("role", Message("error.nothing_to_change"))
    }
    let proof = FreshProof(&body, isRequired: needsProof)
    try body.check()
    self.reason = try reason.given()
    self.proof = needsProof ? proof : nil
  }

  /// A name, or an object with name and kind. Null removes the organisation.
  private static func organisation(_ body: inout RequestBody) throws -> Organisation?? {
    guard body.has("operator") else { return nil }
    guard let value = body.value("operator") else { return .some(nil) }
    if value.stringValue != nil {
      return body.text("operator", 1...200).map { Organisation(name: $0, kind: .company) }
    }
    guard var inner = try body.object("operator", ["name", "kind"]) else { return nil }
    let name = inner.text("name", 1...200, isRequired: true)
    let kind = inner.code("kind", ["public", "company"]).flatMap(Operator.Kind.init(rawValue:))
    body.take(inner)
    return name.map { Organisation(name: $0, kind: kind ?? .company) }
  }
}

/// Carries out the change of an account. Each part is written to the audit log and reported to the
/// owner by mail.
struct AccountChanger {
  let moderation: Moderation
  let principal: Principal

  private var audit: AuditStore { AuditStore(environment: moderation.map.environment) }

  /// - Throws: a 403, 409 or 422 if the change is not permitted.
  func carryOut(
    _ change: AccountChange, on rowid: Int64, _ connection: borrowing Connection
  ) throws {
    guard let account = try AccountStore().account(rowid, connection) else {
      throw NotFound.account
    }
    try organise(change, account, connection)
    if let role = change.role, role != account.role {
      try setRole(role, of: account, reason: change.reason, connection)
    }
    if let isSuspended = change.isSuspended {
      try suspend(isSuspended, account, reason: change.reason, connection)
    }
  }

  private func setRole(
    _ role: Role, of account: StoredAccount, reason: String, _ connection: borrowing Connection
  ) throws {
    let store = AccountStore()
    if account.role == .admin, try store.isLastAdmin(account.rowid, connection) {
      throw Refusal(.conflict, "error.last_admin", type: "last-admin")
    }
    guard account.isConfirmed else {
      throw Refusal(.conflict, "error.role_of_unconfirmed", type: "unconfirmed")
    }
    try store.setRole(role, of: account.rowid, at: moderation.map.environment.now(), connection)
    if role < .admin { try ImportSchedules.end(of: account.rowid, connection) }
    if role < .operator {
      try endApproval(of: account, reason, connection)
    }
    try note("make_\(role.rawValue)", account, reason, connection)
    try moderation.mails.tell(
      account.rowid, "role_changed", ["role": role.rawValue, "reason": reason], connection)
  }

  /// An account that is no longer an operator no longer represents an organisation.
  private func endApproval(
    of account: StoredAccount, _ reason: String, _ connection: borrowing Connection
  ) throws {
    let organisations = OrganisationStore(environment: moderation.map.environment)
    guard let organisation = try organisations.organisation(of: account.rowid, connection),
      organisation.state == .approved
    else { return }
    try organisations.endApproval(of: organisation, reason: reason, connection)
    try audit.note(
      "withdraw_operator", target: "operator \(organisation.id)", by: "\(principal.account)",
      reason: reason, connection)
  }

  /// Links an operator account to its organisation. Other roles have none.
  private func organise(
    _ change: AccountChange, _ account: StoredAccount, _ connection: borrowing Connection
  ) throws {
    let role = change.role ?? account.role
    let before = try AccountStore().operatorRow(of: account.rowid, connection)
    var after = before
    if let organisation = change.organisation {
      after = try organisation.flatMap { try rowid(of: $0, connection) }
    }
    if role != .operator {
      guard change.organisation == nil || change.organisation == .some(nil) else {
        throw InvalidInput.refused("operator", "error.operator.role")
      }
      after = nil
    } else if after == nil {
      throw InvalidInput.refused("operator", "error.operator.needed")
    }
    guard after != before else { return }
    try AccountStore().setOperatorRow(after, of: account.rowid, connection)
    try note(after == nil ? "untie_operator" : "tie_operator", account, change.reason, connection)
  }

  /// The operator row that devices refer to; if several have this name, the one with most devices.
  private func rowid(
    of organisation: AccountChange.Organisation, _ connection: borrowing Connection
  ) throws -> Int64? {
    try OperatorStore().rowid(ofOrganisation: organisation.name, organisation.kind, connection)
  }

  private func suspend(
    _ isSuspended: Bool, _ account: StoredAccount, reason: String,
    _ connection: borrowing Connection
  ) throws {
    let action = isSuspended ? ModerationAction.suspend : .unsuspend
    let target = Target(kind: .account, id: account.id)
    let subject = try Subject(target, for: Caller(principal: principal), connection)
    try Authority(actor: principal).check(action, on: subject, connection)
    let decision = try moderation.sanction(action, subject, days: nil, reason: reason, connection)
    let act = try moderation.acts.enter(
      action, target, reason: reason, by: principal, connection)
    try moderation.settle(act, decision, reason: reason, by: principal, connection)
  }

  private func note(
    _ action: String, _ account: StoredAccount, _ reason: String,
    _ connection: borrowing Connection
  ) throws {
    try audit.note(
      action, target: Target(kind: .account, id: account.id).text, by: "\(principal.account)",
      reason: reason, connection)
  }
}
