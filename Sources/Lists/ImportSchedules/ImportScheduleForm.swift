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
    "missing", "missing_limit",
  ]

  /// The members of a body, checked except for dependencies on the settings that they change.
  struct Sent: Sendable {
    fileprivate(set) var name: String?
    fileprivate(set) var link: PublicLink?
    fileprivate(set) var mapping: String?
    /// Nil if it is not sent, a nil inside if it is null.
    fileprivate(set) var source: String??
    fileprivate(set) var licence: String??
    fileprivate(set) var every: ImportSchedule.Timing.Interval?
    fileprivate(set) var day: Int?
    fileprivate(set) var hour: Int?
    fileprivate(set) var isEnabled: Bool?
    /// Nil if it is not sent, a nil inside if it is null.
    fileprivate(set) var missing: ImportSchedule.MissingAction??
    fileprivate(set) var missingLimit: Int?

    /// The settings with these changes. Without `old`, the name, the link and the mapping are required.
    ///
    /// - Throws: a 400 or 422 that names each field.
    func settings(over old: ImportSchedule.Settings?) throws -> ImportSchedule.Settings {
      ImportSchedule.Settings(
        name: try (name ?? old?.name).given(), link: try (link ?? old?.link).given(),
        mapping: try (mapping ?? old?.mapping).given(), source: source ?? old?.source,
        licence: licence ?? old?.licence, timing: try timing(over: old?.timing),
        isEnabled: isEnabled ?? old?.isEnabled ?? true,
        missing: ImportSchedule.Missing(
          action: missing ?? old?.missing.action,
          limit: missingLimit ?? old?.missing.limit ?? ImportSchedule.Missing().limit))
    }

    private func timing(over old: ImportSchedule.Timing?) throws -> ImportSchedule.Timing {
      let every = every ?? old?.every ?? .week
      let maximum = every == .month ? 28 : 7
      if let day, day > maximum {
        throw InvalidInput.refused(
          "day", "error.outside", ["minimum": "1", "maximum": "\(maximum)"])
      }
      // A day of the month is not a day of the week.
      let kept = every == old?.every ? old?.day : nil
      return ImportSchedule.Timing(
        every: every, day: day ?? kept ?? 1, hour: hour ?? old?.hour ?? 3)
    }
  }

  /// Reads the body of a request before its transaction; `isNew` if it adds a schedule.
  ///
  /// - Throws: a 400 or 422 that names each field.
  func read(_ request: Request, isNew: Bool) throws -> Sent {
    var body = try RequestBody(request, Self.names)
    var sent = Sent()
    sent.name = body.text("name", 1...80, isRequired: isNew)
    sent.link = link(&body, isRequired: isNew)
    sent.mapping = mapping(&body, isRequired: isNew)
    if body.has("source") { sent.source = .some(body.text("source", 1...200)) }
    if body.has("licence") { sent.licence = .some(body.text("licence", 1...60)) }
    sent.every = body.oneOf("every")
    sent.day = body.integer("day", 1...28)
    sent.hour = body.integer("hour", 0...23)
    sent.isEnabled = body.flag("enabled")
    if body.has("missing") { sent.missing = .some(body.oneOf("missing")) }
    sent.missingLimit = body.integer("missing_limit", ImportSchedule.Missing.limits)
    try body.check()
    return sent
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
    guard text.utf8.count <= MappingText.maxLength else {
      body.refuse(
        "mapping",
        Message("error.import.mapping_long", ["maximum": "\(MappingText.maxLength >> 10)"]))
      return nil
    }
    do { _ = try mappings.mapping(value) } catch {
      body.refuse("mapping", Message("error.import.mapping_invalid", ["reason": "\(error)"]))
    }
    return text
  }
}
