import Accounts
import Devices
import Service
import SpatialDatabase
import WebServer

/// `POST /api/flags` and `POST …/items/{id}/flags`: flag wrong or harmful content.
struct FlagRoutes: Sendable {
  private let store: FlagStore
  /// Flags per account: sufficient for a walk through a street of wrong records.
  private let flags: Throttle<Int64>
  /// Serious flags per account, which have a separate limit so that others do not block them.
  private let seriousFlags: Throttle<Int64>

  static let hourlyLimit = 60
  /// The limit for new accounts.
  static let hourlyLimitOfNew = 10

  init(store: FlagStore, rates: RateLimits) {
    self.store = store
    flags = rates.limit("moderation.flags", Self.hourlyLimit, per: .seconds(3_600))
    seriousFlags = rates.limit("moderation.seriousFlags", Self.hourlyLimit, per: .seconds(3_600))
  }

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "addFlag", .post, "/api/flags", tag: "Moderation",
        summary: "Flag a device, a photo or a person.", access: .contributor(.contribute),
        body: .json("flag"),
        answers: [.created("The flag; an open one is updated.", schema: "flagged")],
        .change(flagTarget)),
      Endpoint(
        "addDeviceFlag", .post, "/api/collections/devices/items/{id}/flags",
        tag: "Moderation", summary: "Flag a device.", access: .contributor(.contribute),
        parameters: [.deviceID],
        body: .json("deviceFlag"),
        answers: [.created("The flag; an open one is updated.", schema: "flagged")],
        .change(flagDevice)),
    ]
  }

  @Sendable private func flagTarget(
    _ request: Request, _ caller: Caller
  ) throws -> Endpoint.Change {
    var body = try RequestBody(request, RequestBody.wordsOfFlags.union(["target"]))
    let target = try body.target(Target.Kind.pointedAt)
    let words = body.words(noteIsNeeded: false)
    try body.check()
    return try flag(try target.given(), try words.given(), caller)
  }

  static let flagged = JSONShape<String>("flagged", .uuid("id", \.self))

  @Sendable private func flagDevice(
    _ request: Request, _ caller: Caller
  ) throws -> Endpoint.Change {
    var body = try RequestBody(request, RequestBody.wordsOfFlags)
    let words = body.words(noteIsNeeded: false)
    try body.check()
    return try flag(Target(kind: .device, id: request.parameter("id")), try words.given(), caller)
  }

  private func flag(
    _ target: Target, _ words: FlagStore.Words, _ caller: Caller
  ) throws -> Endpoint.Change {
    let principal = try caller.signedIn()
    let flags = words.reason.isSerious ? seriousFlags : flags
    try flags.spend(principal.account, limit: principal.isNew ? Self.hourlyLimitOfNew : nil)
    return { [store] connection in
      let subject = try Subject(target, for: caller, connection)
      guard subject.target.kind != .account || subject.author != principal.account else {
        throw InvalidInput.refused("target.id", "error.flags_oneself")
      }
      let id = try store.flag(subject, words, by: principal, connection)
      return .json(id, as: Self.flagged, status: .created)
    }
  }
}
