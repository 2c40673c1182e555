import JSON
import PrivacyMap
import Service
import SpatialDatabase
import Watching
import WebServer

/// A mapping day as a caller sees it.
struct ShownDay: Sendable {
  let day: MappingDay
  let counts: ParticipantStore.Counts
  let names: [String]
  let isOwn: Bool
  /// Whether the caller sees the reason of a decision, and the version of the plan.
  let seesReason: Bool
  let participation: ParticipantStore.Participation?
  let position: Int64?

  /// Counts of fewer people are not published.
  static let minPeople: Int64 = 10

  /// The public number of people; nil below ``minPeople``.
  private var people: Int64? {
    counts.joined >= Self.minPeople ? counts.joined : nil
  }

  private static let meeting = JSONShape<DayPlan.MeetingPoint>(
    "mappingDayMeetingPoint", .degrees("longitude", \.point.longitude),
    .degrees("latitude", \.point.latitude), .text("words", \.words))

  private static let own = JSONShape<ShownDay>(
    "ownMappingDay", .count("participants") { Int($0.counts.joined) },
    .count("waiting") { Int($0.counts.waiting) },
    .count("mails_left") { Int(MappingDay.maxMails - $0.day.mails) },
    .text("starts") { DayTimes.local($0.day.plan.start, $0.day.plan.zone) },
    .text("ends") { DayTimes.local($0.day.plan.end, $0.day.plan.zone) })

  private static let part = JSONShape<ShownDay>(
    "mappingDayParticipation",
    .init("state", .oneOf(["joined", "waiting"])) { $0.participation?.place.rawValue ?? "" },
    .flag("shows_name") { $0.participation?.showsName ?? false },
    .count("position") { $0.position.map { Int($0) } },
    .text("team") { $0.participation?.team })

  static let shape = JSONShape<ShownDay>(
    "mappingDay", .uuid("id", \.day.id), .text("title", \.day.plan.title),
    .text("purpose", \.day.plan.purpose),
    .init("area", DrawnPolygon.schema) { $0.day.plan.area.json },
    .object("meeting_point", meeting) { $0.day.plan.meeting },
    .time("starts_at") { $0.day.plan.start.text }, .time("ends_at") { $0.day.plan.end.text },
    .text("time_zone", \.day.plan.zone), .count("maximum", \.day.plan.maximum),
    .texts("kinds", \.day.plan.kinds), .texts("languages", \.day.plan.languages),
    .texts("teams", \.day.plan.teams), .oneOf("state", \.day.state),
    .text("reason") { $0.seesReason || $0.day.state == .cancelled ? $0.day.reason : nil },
    .text("version") { $0.seesReason ? $0.day.version : nil },
    .text("organiser", \.day.organiserName), .count("people") { $0.people.map { Int($0) } },
    .flag("full") { $0.counts.joined >= $0.day.plan.maximum }, .texts("names", \.names),
    .object("own", own) { $0.isOwn ? $0 : nil },
    .object("participation", part) { $0.participation == nil ? nil : $0 })

  static let page = JSONShape<ListPage>("mappingDays", of: shape.schema, in: "days")
  static let queue = JSONShape<ListPage>("mappingDayQueue", of: shape.schema, in: "days")

  static let shapeOfOwn = JSONShape<OwnDays>(
    "ownMappingDays", .list("planned", of: shape, \.planned), .list("joined", of: shape, \.joined),
    .count("maximum") { _ in Int(DayStore.maximum) })

  static let components = [
    meeting.component, own.component, part.component, shape.component, page.component,
    queue.component, shapeOfOwn.component,
  ]
}

/// The days of an account.
struct OwnDays: Sendable {
  let planned, joined: [ShownDay]
}

extension MappingDay {
  /// The version of the plan that a moderator decides about.
  var version: String {
    SeenVersion.of([
      "title": .string(plan.title), "purpose": .string(plan.purpose), "area": plan.area.json,
      "start": .string(plan.start.text), "end": .string(plan.end.text),
      "zone": .string(plan.zone), "maximum": .integer(Int64(plan.maximum)),
      "words": plan.meeting?.words.json ?? .null,
      "point": .array(
        plan.meeting.map { [.double($0.point.longitude), .double($0.point.latitude)] } ?? []),
      "kinds": plan.kinds.json, "languages": plan.languages.json,
      "teams": plan.teams.json,
    ])
  }
}

extension MappingDays {
  func shown(
    _ day: MappingDay, to caller: Caller, _ connection: borrowing Connection
  ) throws -> ShownDay {
    let part =
      try caller.principal.flatMap { principal in
        principal.has(.read)
          ? try participants.one(of: principal.account, in: day.rowid, connection) : nil
      }
    let isOwn = day.isOwn(caller)
    return ShownDay(
      day: day, counts: try participants.counts(of: day.rowid, connection),
      names: day.state.isPublic ? try participants.names(of: day.rowid, connection) : [],
      isOwn: isOwn, seesReason: isOwn || caller.principal?.moderates == true,
      participation: part,
      position: try part.flatMap { try participants.position(of: $0, in: day.rowid, connection) })
  }

  /// The response of a write: the day as it is now.
  func answer(
    _ id: String, to caller: Caller, status: Status = .ok, _ connection: borrowing Connection
  ) throws -> Response {
    let day = try days.one(id, for: caller, connection)
    return .json(
      try shown(day, to: caller, connection), as: ShownDay.shape, status: status)
  }
}
