import Accounts
import JSON
import PrivacyMap
import Service
import WebServer

/// Reads the bodies of requests about visits.
struct VisitForms: Sendable {
  let environment: Environment
  /// The codes of the categories.
  let categories: [String]

  /// The latest end of “available now”.
  private static let maxAvailability: Int64 = Seconds.day

  /// The time of a planned visit; nil to go now. Its limits depend on the moment of the write.
  func time(_ request: Request, isRequired: Bool = false) throws -> Timestamp? {
    guard isRequired || !request.body.isEmpty else { return nil }
    var body = try RequestBody(request, ["planned_for"])
    let time = body.time("planned_for", isRequired: isRequired)
    try body.check()
    return time
  }

  /// The settings of a volunteer.
  func volunteer(_ request: Request) throws -> VolunteerSettings {
    var body = try RequestBody(
      request,
      [
        "cell", "radius_km", "kinds", "offers_per_day", "until", "weekly", "time_zone", "mail",
        "found", "paused",
      ])
    let cell = cell(&body)
    let radius = body.integer("radius_km", 1...VisitRules.farthest)
    let kinds = body.codes("kinds", categories, limit: 200)
    let maximum = body.integer("offers_per_day", 1...20)
    let until = until(&body)
    let weekly = weekly(&body)
    let zone = body.timeZone("time_zone")
    let sendsMail = body.flag("mail")
    let takesFound = body.flag("found")
    let isPaused = body.flag("paused")
    try body.check()
    var settings = VolunteerSettings(cell: try cell.given())
    settings.radius = radius ?? settings.radius
    settings.kinds = kinds ?? []
    settings.offersPerDay = maximum ?? settings.offersPerDay
    settings.hours = VisitHours(until: until, weekly: weekly, timeZone: zone ?? "UTC")
    settings.sendsMail = sendsMail ?? true
    settings.takesFound = takesFound ?? false
    settings.isPaused = isPaused ?? false
    return settings
  }

  private func cell(_ body: inout RequestBody) -> VisitCell? {
    guard let text = body.text("cell", 1...10, isRequired: true) else { return nil }
    guard let cell = VisitCell(text: text) else {
      body.refuse("cell", Message("error.visit.cell"))
      return nil
    }
    return cell
  }

  private func until(_ body: inout RequestBody) -> Timestamp? {
    guard let time = body.time("until") else { return nil }
    let now = environment.now()
    guard time > now, time <= now.later(Self.maxAvailability) else {
      body.refuse("until", Message("error.visit.until"))
      return nil
    }
    return time
  }

  private func weekly(_ body: inout RequestBody) -> [VisitHours.Span] {
    guard let value = body.value("weekly") else { return [] }
    guard let items = value.arrayValue else {
      body.fault("weekly", Message("error.type.list", ["limit": "\(WeeklyHours.maximum)"]))
      return []
    }
    let spans = items.prefix(WeeklyHours.maximum).compactMap(WeeklyHours.span)
    if items.count > WeeklyHours.maximum || spans.count < items.count {
      body.refuse("weekly", Message("error.visit.weekly", ["maximum": "\(WeeklyHours.maximum)"]))
    }
    return spans
  }
}
