import JSON
import SafeFetch
import Service
import WebServer

/// Reads the body of a request that adds or changes a watch.
struct WatchForm: Sendable {
  let filter: WatchFilter
  let reading: WatchAreaReading
  /// The names of properties of devices.
  let properties: [String]

  static let members: Set<String> = [
    "label", "area", "filter", "events", "properties", "mail", "hour", "weekday", "time_zone",
    "paused",
    "feed", "webhook",
  ]

  /// The members of a body, checked except for dependencies on the settings that they change.
  struct Sent: Sendable {
    fileprivate(set) var label: String?
    fileprivate(set) var area: WatchArea?
    fileprivate(set) var filter: JSONObject?
    fileprivate(set) var events: [WatchEvent]?
    fileprivate(set) var properties: [String]?
    fileprivate(set) var mail: WatchMail?
    fileprivate(set) var hour: Int?
    fileprivate(set) var weekday: Int?
    fileprivate(set) var timeZone: String?
    fileprivate(set) var isPaused: Bool?
    fileprivate(set) var hasFeed: Bool?
    /// Nil if it is not sent, a nil inside if the webhook is to end.
    fileprivate(set) var webhook: String??

    /// The settings with these changes. Without `earlier`, the label and the area are required.
    ///
    /// - Throws: a 400 or 422 ``InvalidInput``.
    func settings(over earlier: WatchSettings?) throws -> WatchSettings {
      guard let label = label ?? earlier?.label, let area = area ?? earlier?.area else {
        throw Refusal(.badRequest, "error.missing_member")
      }
      let settings = WatchSettings(
        label: label, area: area, filter: filter ?? earlier?.filter ?? JSONObject(),
        events: events ?? earlier?.events ?? [.added, .removed],
        properties: properties ?? earlier?.properties ?? [], mail: mail ?? earlier?.mail ?? .none,
        hour: hour ?? earlier?.hour ?? 8, weekday: weekday ?? earlier?.weekday ?? 1,
        timeZone: timeZone ?? earlier?.timeZone ?? "UTC",
        isPaused: isPaused ?? earlier?.isPaused ?? false,
        hasFeed: hasFeed ?? earlier?.hasFeed ?? false, webhook: webhook ?? earlier?.webhook)
      if settings.area == .queue, !settings.isDigestOnly {
        throw InvalidInput.refused("area", "error.watch.queue")
      }
      return settings
    }
  }

  /// Reads the body of a request before its transaction; `isNew` if it adds a watch.
  ///
  /// - Throws: ``InvalidInput`` with every error.
  func read(_ request: Request, isNew: Bool) throws -> Sent {
    var body = try RequestBody(request, Self.members)
    var sent = Sent()
    sent.label = body.text("label", 1...80, isRequired: isNew)
    sent.area = try area(&body, isRequired: isNew)
    sent.hour = body.integer("hour", 0...23)
    sent.weekday = body.integer("weekday", 1...7)
    sent.mail = body.oneOf("mail")
    sent.events = body.codes("events", WatchEvent.allCases.map(\.rawValue))?
      .compactMap(WatchEvent.init)
    sent.properties = body.codes("properties", properties)
    if sent.events?.isEmpty == true { body.refuse("events", Message("error.watch.events")) }
    sent.timeZone = body.timeZone("time_zone")
    if let filter = body.value("filter") {
      sent.filter = filter.objectValue
      if sent.filter == nil { body.fault("filter", Message("error.type.object")) }
    }
    let webhook = webhook(&body)
    if body.has("webhook") { sent.webhook = .some(webhook) }
    sent.isPaused = body.flag("paused")
    sent.hasFeed = body.flag("feed")
    try body.check()
    if let filter = sent.filter { _ = try self.filter.filter(filter) }
    return sent
  }

  private func area(_ body: inout RequestBody, isRequired: Bool) throws -> WatchArea? {
    guard var inner = try body.object("area", WatchArea.members, isRequired: isRequired) else {
      return nil
    }
    var reading = reading
    let area = reading.area(&inner)
    body.take(inner)
    return area
  }

  private func webhook(_ body: inout RequestBody) -> String? {
    guard let text = body.text("webhook", 1...2_000) else { return nil }
    guard WebhookAddress(text) != nil else {
      body.refuse("webhook", Message("error.watch.webhook"))
      return nil
    }
    return text
  }
}
