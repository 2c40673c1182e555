import Accounts
import Devices
import PrivacyMap
import Service
import SpatialDatabase
import WebServer

/// `/api/watches`: the watches of the account in a browser. Tokens are refused: the area that a person watches is as
/// private as their password.
struct WatchRoutes: Sendable {
  let watches: Watches

  private static let path = "/api/watches"
  private static let id = Parameter.path("id", .text(maxLength: 36), "The UUID of a watch.")
  private static let token = Parameter.query(
    "token", .text(maxLength: 60), "The secret in a mail.", isRequired: true)
  /// The maximum number of deliveries in a response.
  private static let maxSent = 100

  var endpoints: [Endpoint] { account + mail }

  private var account: [Endpoint] {
    let one = Self.path + "/{id}"
    return [
      Endpoint(
        "getWatches", .get, Self.path, tag: Watches.tag, summary: "The watches of the account.",
        access: .owner, answers: [.ok("The watches, oldest first.", schema: "watches")],
        .personal(list)),
      Endpoint(
        "addWatch", .post, Self.path, tag: Watches.tag, summary: "Adds a watch.",
        access: .contributorSession, body: .json("newWatch"),
        answers: [
          .created("The watch.", schema: "watch"),
          .refusal(409, "The account has as many watches or webhooks as it may."),
        ], .change(add)),
      Endpoint(
        "getWatch", .get, one, tag: Watches.tag, summary: "One watch.", access: .owner,
        parameters: [Self.id], answers: [.ok("The watch.", schema: "watch")], .personal(get)),
      Endpoint(
        "changeWatch", .patch, one, tag: Watches.tag,
        summary: "Changes a watch, pauses or resumes it. Any change keeps it for another year.",
        access: .owner, parameters: [Self.id], body: .json("watchChange"),
        answers: [
          .ok("The watch.", schema: "watch"),
          .refusal(409, "The account has as many webhooks as it may."),
        ], .change(change)),
      Endpoint(
        "stopWatch", .delete, one, tag: Watches.tag,
        summary: "Stops a watch and erases it with everything that it found.", access: .owner,
        parameters: [Self.id], answers: [.done("It is erased.")], .change(stop)),
      Endpoint(
        "testWatch", .post, one + "/test", tag: Watches.tag,
        summary: "Sends a test by mail and to the webhook, and tries refused ones again.",
        access: .contributorSession, parameters: [Self.id],
        answers: [.accepted("The test will be sent within seconds.")], .change(test)),
      Endpoint(
        "getWatchDeliveries", .get, one + "/deliveries", tag: Watches.tag,
        summary: "The last mails and webhook calls of a watch.", access: .owner,
        parameters: [Self.id],
        answers: [.ok("At most 100, latest first.", schema: "watchDeliveries")],
        .personal(deliveries)),
    ]
  }

  private var mail: [Endpoint] {
    [
      Endpoint(
        "endWatchMails", .post, WatchSecrets.unsubscribe, tag: Watches.tag,
        summary: "Ends the mails of a watch without signing in (RFC 8058).", access: .everyone,
        parameters: [Self.token],
        body: Endpoint.Body(
          type: "application/x-www-form-urlencoded", schema: nil, limit: 1_000,
          others: ["application/json", "multipart/form-data"]),
        answers: [.done("The watch sends no more mails.")], .change(endMails)
      ).withToken(),
      Endpoint(
        "askToEndWatchMails", WatchSecrets.unsubscribe, tag: Watches.tag,
        summary: "Redirects to the page that ends the mails of a watch.",
        parameters: [Self.token],
        answers: [
          Endpoint.Answer(status: 303, description: "The address of the page.", content: [])
        ]
      ) { request in
        .redirect(to: "/unsubscribe#token=\(try watches.mailToken(request))")
      },
    ]
  }

  @Sendable private func list(_ request: Request, _ caller: Caller) throws -> Response {
    let account = try caller.signedIn().account
    return try watches.database.readQuickly { connection in
      let all = try watches.store.all(of: account, connection).map(watches.shown)
      let refused = try MailRefusals().refusedAt(account, connection)
      return .json(
        WatchList(watches: all, mailRefusedAt: refused), as: ShownWatch.shapeOfList)
    }
  }

  @Sendable private func get(_ request: Request, _ caller: Caller) throws -> Response {
    let account = try caller.signedIn().account
    return try watches.database.readQuickly { connection in
      let found = try watches.store.one(request.parameter("id"), of: account, connection)
      return .json(watches.shown(found), as: ShownWatch.shape)
    }
  }

  @Sendable private func add(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let account = try caller.signedIn().account
    let settings = try watches.form.read(request, isNew: true).settings(over: nil)
    return { connection in
      try check(settings.area, caller, connection)
      try watches.changes.spend(account)
      try watches.spendChallenge(settings, over: nil, of: account)
      let made = try watches.store.add(settings, of: account, connection)
      return Response.json(watches.shown(made), as: ShownWatch.shape, status: .created)
        .with("Location", "\(Self.path)/\(made.id)")
    }
  }

  @Sendable private func change(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let account = try caller.signedIn().account
    let id = request.parameter("id")
    let sent = Result { try watches.form.read(request, isNew: false) }
    return { connection in
      let watch = try watches.store.one(id, of: account, connection)
      let settings = try sent.get().settings(over: watch.settings)
      if settings.area != watch.settings.area { try check(settings.area, caller, connection) }
      try watches.changes.spend(account)
      try watches.spendChallenge(settings, over: watch, of: account)
      try watches.store.put(settings, of: watch, connection)
      let changed = try watches.store.one(id, of: account, connection)
      return .json(watches.shown(changed), as: ShownWatch.shape)
    }
  }

  /// - Throws: ``NotFound`` if the area is a device that the caller cannot see, and a 403 ``Refusal`` if it is the
  ///   queue and the caller is not a moderator.
  private func check(
    _ area: WatchArea, _ caller: Caller, _ connection: borrowing Connection
  ) throws {
    switch area {
    case .device(let id): _ = try FoundDevice(id.text, for: caller, connection)
    case .queue:
      let account = try AccountStore().account(try caller.signedIn().account, connection)
      guard let account, account.role >= .moderator else { throw Refusal.role }
    case .box, .circle, .polygon, .place, .country, .operator: return
    }
  }

  @Sendable private func stop(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let account = try caller.signedIn().account
    let id = request.parameter("id")
    return { connection in
      try watches.store.delete(id, of: account, connection)
      return .noContent
    }
  }

  @Sendable private func test(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let account = try caller.signedIn().account
    let id = request.parameter("id")
    return { connection in
      let watch = try watches.store.one(id, of: account, connection)
      try watches.spendTest(account)
      if watch.settings.mail != .none {
        try watches.store.forgetRefusal(account, connection)
        try watches.mails.test(watch, connection)
      }
      if watch.settings.webhook != nil { try watches.store.addTest(watch, connection) }
      return Response(.accepted)
    }
  }

  @Sendable private func deliveries(_ request: Request, _ caller: Caller) throws -> Response {
    let account = try caller.signedIn().account
    return try watches.database.readQuickly { connection in
      let watch = try watches.store.one(request.parameter("id"), of: account, connection)
      let sent = try watches.store.sent(watch.rowid, limit: Self.maxSent, connection)
      return .json(sent, as: ShownWatch.shapeOfSentList)
    }
  }

  @Sendable private func endMails(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    guard let key = watches.secrets.mailKey(try watches.mailToken(request)) else {
      throw WatchStore.notThere
    }
    return { connection in
      guard try watches.store.endMails(key, connection) else { throw WatchStore.notThere }
      return .noContent
    }
  }
}
