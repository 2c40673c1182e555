import Devices
import JSON
import Locking
import PrivacyMap
import Reference
import Rights
import Service
import SpatialDatabase
import WebServer

/// `/api/common-requests`: requests that people make together.
struct CommonRequestRoutes: Sendable {
  let feature: CommonRequests

  private static let path = "/api/common-requests"
  private static let id = Parameter.path(
    "id", .text(maxLength: 36), "The UUID of a common request.")
  static let notListed = Refusal(
    .conflict, "error.common_request.operator", type: "operator-not-listed")
  static let notSent = Refusal(.conflict, "error.choice.not_sent", type: "not-sent")

  private var store: CommonRequestStore { feature.store }

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "getCommonRequests", Self.path, tag: CommonRequests.tag,
        summary: "Requests that people make together: numbers of people in steps, and deadlines.",
        parameters: [
          .query(
            "operator", .text(maxLength: 400),
            "Only requests to the operator with this key or name."),
          .query("device", .text(maxLength: 36), "Only requests about this device."),
          .language(feature.catalogue.languages),
        ] + PageCursor.parameters("Common requests"),
        answers: [
          .ok(
            "A page of requests, newest first; of one operator by town.", schema: "commonRequests")
        ], list),
      Endpoint(
        "getCommonRequest", Self.path + "/{id}", tag: CommonRequests.tag,
        summary: "One request that people make together.",
        parameters: [Self.id, .language(feature.catalogue.languages)],
        answers: [.ok("The request.", schema: "commonRequest")], one),
      Endpoint(
        "getOwnCommonRequests", .get, Self.path + "/own", tag: CommonRequests.tag,
        summary: "The common requests in which the caller takes part, each with the choice.",
        access: .contributor(.choicesRead),
        answers: [.ok("At most 1,000.", schema: "ownCommonRequests")], .personal(own)),
      Endpoint(
        "addCommonRequest", .post, Self.path, tag: CommonRequests.tag,
        summary: "Makes a request that the caller has sent common, so that others can join.",
        access: .contributor(.choices),
        body: .json("newCommonRequest", limit: Endpoint.Body.smallLimit),
        answers: [
          .ok("The request and the choice of the caller in it.", schema: "commonRequestJoined"),
          .refusal(409, "The choice was not sent, or its operator is not listed."),
        ], .slow(add)),
      Endpoint(
        "joinCommonRequest", .post, Self.path + "/{id}/join", tag: CommonRequests.tag,
        summary: "Joins a common request with a choice of the caller's own, to be sent.",
        access: .contributor(.choices), parameters: [Self.id],
        answers: [
          .ok("The request and the choice of the caller in it.", schema: "commonRequestJoined"),
          .refusal(
            409, "There is no letter for this choice any more, or the device has another operator."),
          .refusal(410, "The device was deleted."),
        ], .slow(join)),
    ]
  }

  /// The result of joining.
  struct Joined: Sendable {
    let request, choice: String
    let isSent: Bool
  }

  static let joined = JSONShape<Joined>(
    "commonRequestJoined", .uuid("request", \.request), .uuid("choice", \.choice),
    .flag("sent", \.isSent))

  static let own = JSONShape<[(request: String, choice: String)]>(
    "ownCommonRequests",
    .list(
      "requests",
      of: JSONShape<(request: String, choice: String)>(
        nil, .uuid("request") { $0.request }, .uuid("choice") { $0.choice })
    ) { $0 })

  // Public

  @Sendable private func list(_ request: Request) throws -> Response {
    let limit = try PageCursor.limit(request.query["limit"])
    let cursor = request.query["cursor"]
    let last = try request.query["operator"] == nil ? PageCursor.rows(cursor, count: 1)?[0] : nil
    let place = try request.query["operator"] == nil ? nil : Self.place(cursor)
    return try feature.versions.answer(request) {
      // Each request is shown with its device and its town.
      try SocketThread.leave()
      let language = feature.catalogue.language(of: request)
      let directory = try feature.operators.directory()
      let found = try feature.map.database.read { connection -> [CommonRequest] in
        if let name = request.query["operator"] {
          guard let entry = directory.entry(named: name) else { return [] }
          return try store.requests(
            to: directory.keys(of: entry), after: place, limit: limit + 1, connection)
        }
        let rest: [SQLValue] = [.integer(last ?? .max), SQLValue(limit + 1)]
        if let device = request.query["device"] {
          return try store.requests(CommonRequestStore.ofDevice, [.text(device)] + rest, connection)
        }
        return try store.requests(CommonRequestStore.page, rest, connection)
      }
      let (page, next) = PageCursor.cut(found, to: limit) { one in
        request.query["operator"] == nil
          ? ["\(one.rowid)"] : [one.operatorKey, "\(one.place ?? 0)", one.kind]
      }
      let shown = try page.compactMap { try feature.shown($0, in: language) }
      return .json(
        CommonRequestJSON.Page(requests: shown, next: next), as: CommonRequestJSON.page)
    }
  }

  private static func place(_ cursor: String?) throws -> CommonRequestStore.Place? {
    guard let cursor else { return nil }
    let keys = try PageCursor(text: cursor).keys(count: 3)
    guard let place = Int64(keys[1]) else {
      throw InvalidInput("cursor", Message("error.cursor"))
    }
    return CommonRequestStore.Place(key: keys[0], place: place, kind: keys[2])
  }

  @Sendable private func one(_ request: Request) throws -> Response {
    let id = request.parameter("id")
    return try feature.versions.answer(
      request, where: { try feature.shown(id, in: Catalogue.defaultLanguage) != nil }
    ) {
      guard let shown = try feature.shown(id, in: feature.catalogue.language(of: request)) else {
        throw CommonRequestStore.notThere
      }
      return .json(shown, as: CommonRequestJSON.shape)
    }
  }

  // The caller's own

  @Sendable private func own(_ request: Request, _ caller: Caller) throws -> Response {
    let account = try caller.signedIn().account
    return .json(
      try feature.map.database.readQuickly { try store.own(of: account, $0) }, as: Self.own)
  }

  @Sendable private func add(_ request: Request, _ caller: Caller) throws -> Response {
    let account = try caller.signedIn().account
    var body = try RequestBody(request, ["choice"])
    let id = body.text("choice", 36...36, isRequired: true)
    try body.check()
    guard let id else { throw Refusal(.badRequest, "error.missing_member") }
    let choice = try feature.map.database.read { try feature.choices.own(id, of: account, $0) }
    guard choice.isSent else { throw Self.notSent }
    let directory = try feature.operators.directory()
    guard let name = choice.operatorName.flatMap({ OperatorName($0) }),
      let entry = directory.entry(directory.rulings.key(of: name)),
      try feature.mayBeCommon(choice.device)
    else { throw Self.notListed }
    let place = try feature.operators.places?.nearest(
      to: choice.position, language: Catalogue.defaultLanguage)?.id
    try feature.openings.spend(account)
    let joined = try feature.map.write { connection in
      let common =
        try store.same(directory.keys(of: entry), place, choice.kind, connection)
        ?? store.add(
          CommonRequestStore.New(
            key: directory.rulings.ownKey(of: name), name: entry.name, place: place,
            device: choice.device, kind: choice.kind, country: choice.country,
            period: choice.period), connection)
      // The choice may have been erased meanwhile.
      let own = try feature.choices.own(id, of: account, connection)
      return try take(own, into: common, account, connection)
    }
    feature.publicChanges.changed()
    return .json(joined, as: Self.joined)
  }

  @Sendable private func join(_ request: Request, _ caller: Caller) throws -> Response {
    let account = try caller.signedIn().account
    let id = request.parameter("id")
    guard let shown = try feature.shown(id, in: Catalogue.defaultLanguage) else {
      throw CommonRequestStore.notThere
    }
    let directory = try feature.operators.directory()
    try feature.joinings.spend(account)
    let joined = try feature.map.write { connection in
      guard let common = try store.request(id, connection) else {
        throw CommonRequestStore.notThere
      }
      if let choice = try store.choice(of: account, in: common, connection) {
        let own = try feature.choices.own(choice, of: account, connection)
        if !own.isWithdrawn {
          return Joined(request: common.id, choice: own.id, isSent: own.isSent)
        }
      }
      let known = try feature.choices.newest(
        common.kind, about: common.device, of: account, connection)
      let own =
        try known
        ?? feature.choices.own(
          feature.choices.add(
            common.kind, about: common.device, to: account, country: common.country, connection),
          of: account, connection)
      // The device may have got another operator, to which these people do not write.
      guard let name = own.operatorName, directory.entry(named: name)?.key == shown.entry.key else {
        throw Self.notListed
      }
      return try take(own, into: common, account, connection)
    }
    return .json(joined, as: Self.joined)
  }

  /// Takes a choice into a common request, unless the account is in it with another one that was not withdrawn.
  private func take(
    _ choice: OwnChoice, into common: CommonRequest, _ account: Int64,
    _ connection: borrowing Connection
  ) throws -> Joined {
    if let other = try store.choice(of: account, in: common, connection) {
      let own = try feature.choices.own(other, of: account, connection)
      guard own.isWithdrawn else {
        return Joined(request: common.id, choice: own.id, isSent: own.isSent)
      }
      try store.replace(common, account, with: choice.id, connection)
    } else {
      try store.join(common, account, with: choice.id, connection)
    }
    return Joined(request: common.id, choice: choice.id, isSent: choice.isSent)
  }
}
