import Accounts
import JSON
import SafeFetch
import Service
import WebServer

/// The body of a request that adds or changes a schedule.
struct ImportScheduleForm {
  let mappings: ImportMappings

  private static let names: Set<String> = [
    "name", "url", "mapping", "source", "licence", "every", "day", "hour", "enabled",
  ]

  /// The settings after the request. `old` are those that it changes; nil to add a schedule.
  ///
  /// - Throws: a 400 or 422 that names each field.
  func settings(
    _ request: Request, over old: ImportSchedule.Settings?
  ) throws -> ImportSchedule.Settings {
    var body = try RequestBody(request, Self.names)
    let isNew = old == nil
    let name = body.text("name", 1...80, isRequired: isNew) ?? old?.name
    let link = link(&body, isRequired: isNew) ?? old?.link
    let mapping = mapping(&body, isRequired: isNew) ?? old?.mapping
    let source = body.has("source") ? body.text("source", 1...200) : old?.source
    let licence = body.has("licence") ? body.text("licence", 1...60) : old?.licence
    let timing = timing(&body, over: old?.timing)
    let isEnabled = body.flag("enabled") ?? old?.isEnabled ?? true
    try body.check()
    return ImportSchedule.Settings(
      name: try name.given(), link: try link.given(), mapping: try mapping.given(),
      source: source, licence: licence, timing: timing, isEnabled: isEnabled)
  }

  private func link(_ body: inout RequestBody, isRequired: Bool) -> PublicLink? {
    guard let text = body.text("url", 1...2_000, isRequired: isRequired) else { return nil }
    guard let link = PublicLink(text) else {
      body.refuse("url", Message("error.schedule.url"))
      return nil
    }
    return link
  }

  private func mapping(_ body: inout RequestBody, isRequired: Bool) -> String? {
    guard let value = body.value("mapping") else {
      if isRequired || body.has("mapping") {
        body.fault("mapping", Message("error.missing_member"))
      }
      return nil
    }
    let text = value.text
    guard text.utf8.count <= MappingText.longest else {
      body.refuse(
        "mapping",
        Message("error.import.mapping_long", ["maximum": "\(MappingText.longest >> 10)"]))
      return nil
    }
    do { _ = try mappings.mapping(value) } catch {
      body.refuse("mapping", Message("error.import.mapping_invalid", ["reason": "\(error)"]))
    }
    return text
  }

  private func timing(
    _ body: inout RequestBody, over old: ImportSchedule.Timing?
  ) -> ImportSchedule.Timing {
    let every = body.oneOf("every") ?? old?.every ?? .week
    let most = every == .month ? 28 : 7
    // A day of the month is no day of the week.
    let kept = every == old?.every ? old?.day : nil
    return ImportSchedule.Timing(
      every: every, day: body.integer("day", 1...most) ?? kept ?? 1,
      hour: body.integer("hour", 0...23) ?? old?.hour ?? 3)
  }
}
