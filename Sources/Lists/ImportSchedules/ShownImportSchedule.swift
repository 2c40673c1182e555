import JSON
import SafeFetch
import Service

/// A schedule as shown to admins.
struct ShownImportSchedule: Sendable {
  let schedule: ImportSchedule
  /// The sentence about the last run; nil if it had no problem.
  let sentence: String?
  /// Whether the mapping is part of the response.
  var hasMapping = false

  init(
    _ schedule: ImportSchedule, _ catalogue: Catalogue, in language: String,
    hasMapping: Bool = false
  ) {
    self.schedule = schedule
    self.hasMapping = hasMapping
    sentence = (schedule.lastRun?.problem).map { catalogue.text($0.message, in: language) }
  }

  private static let lastRun = JSONShape<ShownImportSchedule>(
    nil, .time("ran_at") { $0.schedule.lastRun?.ranAt ?? "" },
    .init("outcome", .oneOf(ImportSchedule.Outcome.self)) {
      $0.schedule.lastRun?.outcome.rawValue ?? ""
    },
    .init("problem", .oneOf(ImportProblem.Code.self).orNull) {
      $0.schedule.lastRun?.problem?.code.rawValue
    },
    .text("sentence", \.sentence), .count("import") { $0.schedule.lastRun?.importRun })

  static let shape = JSONShape<ShownImportSchedule>(
    "importSchedule", .count("id") { $0.schedule.id },
    .text("name") { $0.schedule.settings.name }, .text("url") { $0.schedule.settings.link.text },
    .text("source") { $0.schedule.settings.source },
    .text("licence") { $0.schedule.settings.licence },
    .oneOf("every") { $0.schedule.settings.timing.every },
    .count("day") { Int64($0.schedule.settings.timing.day) },
    .count("hour") { Int64($0.schedule.settings.timing.hour) },
    .flag("enabled") { $0.schedule.settings.isEnabled },
    .init("missing", .oneOf(ImportSchedule.MissingAction.self).orNull) {
      $0.schedule.settings.missing.action?.rawValue
    }, .count("missing_limit") { $0.schedule.settings.missing.limit },
    .init("ended_by", .oneOf(ImportSchedule.End.self).orNull) {
      $0.schedule.endedBy?.rawValue
    },
    .text("by", \.schedule.by), .time("created_at", \.schedule.createdAt),
    .time("due_at", \.schedule.dueAt), .flag("running") { $0.schedule.queuedAt != nil },
    .object("last_run", lastRun) { $0.schedule.lastRun == nil ? nil : $0 },
    .count("failures", \.schedule.failures),
    .added("mapping", .object) { shown in
      guard shown.hasMapping else { return nil }
      return try? JSONValue(parsing: Array(shown.schedule.settings.mapping.utf8))
    })

  static let shapeOfList = JSONShape<[ShownImportSchedule]>(
    "importSchedules", .list("schedules", of: shape) { $0 },
    .count("maximum") { _ in ImportScheduleStore.maximum })

  /// The body of a request; a change contains any part of it.
  static func body(isNew: Bool) -> JSONSchema {
    func needed(_ schema: JSONSchema) -> JSONSchema { isNew ? schema : schema.optional }
    return [
      "name": needed(.text(1...80)), "url": needed(.text(1...2_000)), "mapping": needed(.object),
      "source": JSONSchema.text(1...200).orNull.optional,
      "licence": JSONSchema.text(1...60).orNull.optional,
      "every": JSONSchema.oneOf(ImportSchedule.Timing.Interval.self).optional,
      "day": JSONSchema.integer(1...28).optional, "hour": JSONSchema.integer(0...23).optional,
      "enabled": JSONSchema.flag.optional,
      "missing": JSONSchema.oneOf(ImportSchedule.MissingAction.self).orNull.optional,
      "missing_limit": JSONSchema.integer(1...10_000).optional,
    ]
  }
}
