import Foundation
import JSON
import PrivacyMap
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

  /// The settings in a request; members that are missing have the values of `earlier`. Without it, the label and the
  /// area are required.
  ///
  /// - Throws: ``InvalidInput`` with every error.
  func settings(_ request: Request, over earlier: WatchSettings?) throws -> WatchSettings {
    var body = try RequestBody(request, Self.members)
    let isNew = earlier == nil
    let label = body.text("label", 1...80, isRequired: isNew) ?? earlier?.label
    let area = try area(&body, isRequired: isNew) ?? earlier?.area
    let hour = body.integer("hour", 0...23) ?? earlier?.hour ?? 8
    let weekday = body.integer("weekday", 1...7) ?? earlier?.weekday ?? 1
    let mail: WatchMail? = body.oneOf("mail")
    let events = body.codes("events", WatchEvent.allCases.map(\.rawValue))
    let changes = body.codes("properties", properties)
    if events?.isEmpty == true { body.refuse("events", Message("error.watch.events")) }
    let zone = zone(&body) ?? earlier?.timeZone ?? "UTC"
    let filter = body.value("filter").map { $0.objectValue }
    if filter == .some(nil) { body.fault("filter", Message("error.type.object")) }
    let webhook = webhook(&body)
    let isPaused = body.flag("paused") ?? earlier?.isPaused ?? false
    let hasFeed = body.flag("feed") ?? earlier?.hasFeed ?? false
    try body.check()
    guard let label, let area else { throw Refusal(.badRequest, "error.missing_member") }
    let settings = WatchSettings(
      label: label, area: area, filter: (filter ?? nil) ?? earlier?.filter ?? JSONObject(),
      events: events?.compactMap(WatchEvent.init) ?? earlier?.events ?? [.added, .removed],
      properties: changes ?? earlier?.properties ?? [], mail: mail ?? earlier?.mail ?? .none,
      hour: hour, weekday: weekday, timeZone: zone, isPaused: isPaused, hasFeed: hasFeed,
      webhook: body.has("webhook") ? webhook : earlier?.webhook)
    _ = try self.filter.filter(settings.filter)
    if settings.area == .queue, !settings.isDigestOnly {
      body.refuse("area", Message("error.watch.queue"))
      try body.check()
    }
    return settings
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

  private func zone(_ body: inout RequestBody) -> String? {
    guard let name = body.text("time_zone", 1...60) else { return nil }
    guard name == "UTC" || name.contains("/"), !name.contains(".."),
      TimeZone(identifier: name) != nil
    else {
      body.refuse("time_zone", Message("error.watch.time_zone"))
      return nil
    }
    return name
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
