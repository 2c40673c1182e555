import Accounts
import Devices
import JSON
import Moderation
import PrivacyMap
import Service
import SpatialDatabase
import WebServer

/// `/api/admin/accounts`: accounts and their roles.
///
/// The responses omit e-mail addresses, because admins do not need them for any of these tasks.
struct AdminAccountRoutes: Sendable {
  let moderation: Moderation
  let accounts: Accounts

  private static let states = ["confirmed", "unconfirmed", "suspended"]

  private var now: Timestamp { moderation.map.environment.now() }

  var endpoints: [Endpoint] {
    let id = Parameter.path("id", .text(maxLength: 100), "The UUID of the account.")
    return [
      Endpoint(
        "getAccounts", .get, "/api/admin/accounts", tag: "Administration",
        summary: "Accounts, newest first.", access: .admin,
        parameters: [
          .query("q", .text(maxLength: 100), "Only accounts whose username contains this text."),
          .query("role", .oneOf(Role.allCases.map(\.rawValue)), "Only accounts with this role."),
          .query("state", .oneOf(Self.states), "Only accounts in this state."),
        ] + PageCursor.parameters("Accounts"),
        answers: [.ok("A page of accounts.", schema: "adminAccounts")], .personal(list)),
      Endpoint(
        "getAdminAccount", .get, "/api/admin/accounts/{id}", tag: "Administration",
        summary: "One account, with its moderation log.", access: .admin, parameters: [id],
        answers: [.ok("The account.", schema: "adminAccount")], .personal(one)),
      Endpoint(
        "changeAdminAccount", .patch, "/api/admin/accounts/{id}", tag: "Administration",
        summary:
          "Change the role or organisation of an account, or suspend it. Role and organisation require a session, password and code.",
        access: .admin, parameters: [id], body: .json("adminAccountChange"),
        answers: [
          .ok("The changed account.", schema: "adminAccount"),
          .refusal(409, "The account is the only admin."),
        ], .slow(change)),
    ]
  }

  @Sendable private func list(_ request: Request, _ caller: Caller) throws -> Response {
    let limit = try PageCursor.limit(request.query["limit"])
    let role = try code("role", of: request, Role.allCases.map(\.rawValue))
    let state = try code("state", of: request, Self.states)
    let words = request.query["q"].map { Username.key(of: PlainText.trimmed($0)) }
    let last = try request.query["cursor"].map { text in
      guard let rowid = Int64(try PageCursor(text: text).keys(count: 1)[0]) else {
        throw InvalidInput("cursor", Message("error.cursor"))
      }
      return rowid
    }
    return try moderation.map.database.read { connection in
      let rowids = try AdminAccountStore().accounts(
        after: last, named: words, role: role, state: state, at: now, limit: limit + 1, connection)
      let (shown, next) = PageCursor.cut(rowids, to: limit) { ["\($0)"] }
      return .json(
        ListPage(
          try shown.compactMap { try account($0, connection).map(Self.shape.json) }, next: next),
        as: Self.page)
    }
  }

  private func code(
    _ name: String, of request: Request, _ codes: [String]
  ) throws -> String? {
    guard let text = request.query[name] else { return nil }
    guard codes.contains(text) else { throw InvalidInput.unknownCode(name, text) }
    return text
  }

  @Sendable private func one(_ request: Request, _ caller: Caller) throws -> Response {
    try moderation.map.database.read { connection in
      let rowid = try rowid(of: request, connection)
      guard let account = try account(rowid, connection) else { throw NotFound.account }
      return .json(account, as: Self.shape)
    }
  }

  private func rowid(
    of request: Request, _ connection: borrowing Connection
  ) throws -> Int64 {
    let id = request.parameter("id")
    let rowid = try AdminAccountStore().rowid(of: DeviceID(text: id)?.text ?? id, connection)
    guard let rowid else { throw NotFound.account }
    return rowid
  }

  private typealias Account = (person: PersonJSON, more: AdminAccountStore.Details)

  private func account(
    _ rowid: Int64, _ connection: borrowing Connection
  ) throws -> Account? {
    guard let person = try PersonJSON(rowid, isForAdmins: true, now: now, connection),
      let more = try AdminAccountStore().details(of: rowid, connection)
    else { return nil }
    return (person, more)
  }

  static var schemas: [(key: String, value: JSONValue)] { [shape.component, page.component] }

  private static let shape = PersonJSON.shape.within { (account: Account) in account.person }
    .extended(
      as: "adminAccount", .time("created_at", \.more.createdAt),
      .flag("second_factor", \.more.hasSecondFactor),
      .group(
        "operator", if: { $0.more.operatorKind != nil }, .text("name", \.more.operatorName),
        .text("kind") { $0.more.operatorKind ?? "" }),
      .count("accepted_edits", \.more.acceptedEdits))

  private static let page = JSONShape<ListPage>(
    "adminAccounts", of: shape.schema, in: "accounts")

  @Sendable private func change(_ request: Request, _ caller: Caller) throws -> Response {
    let principal = try caller.signedIn()
    let wanted = try AccountChange(request, by: principal)
    let proof = try wanted.proof?.begin(principal, accounts)
    return try moderation.map.write { connection in
      try proof?.finish(accounts, connection)
      let rowid = try rowid(of: request, connection)
      try AccountChanger(moderation: moderation, principal: principal)
        .carryOut(wanted, on: rowid, connection)
      guard let account = try account(rowid, connection) else { throw NotFound.account }
      return .json(account, as: Self.shape)
    }
  }
}
