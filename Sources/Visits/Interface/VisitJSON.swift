import JSON
import PrivacyMap
import Service

extension VisitedDevice {
  /// It has the public point.
  static let shape = JSONShape<VisitedDevice>(
    "visitDevice", .uuid("id", \.id), .text("name", \.name), .text("category", \.category),
    .init("position", .point) {
      JSONValue.point(($0.place.longitude, $0.place.latitude))
    })
}

/// A device that needs a visit, as public responses show it.
struct NeedJSON: Sendable {
  let found: NeedsQuery.Found
  /// From the place that the request names.
  var metres: Double?

  static let reasons = JSONSchema.list(of: .oneOf(VisitReason.self))

  static let request = JSONShape<NeedsQuery.Request>(
    "visitNeedRequest", .uuid("id", \.id), .oneOf("reason", \.reason),
    .flag("open_to_all", \.isOpen), .day("asked_on", \.askedOn))

  static let shape = JSONShape<NeedJSON>(
    "visitNeed", .object("device", VisitedDevice.shape, \.found.device),
    .init("reasons", reasons) { $0.found.reasons.map(\.rawValue) },
    .flag("from_street", \.found.device.isOfHousehold),
    .object("request", request, \.found.request), .number("metres", \.metres))

  static let page = JSONShape<ListPage>("visitNeeds", of: shape.schema, in: "visits")

  /// The reasons of one device, and whether the caller may ask.
  struct Answer: Sendable {
    let device: String
    let found: NeedsQuery.Found?
    let isPrivate: Bool
    let mayAsk: Bool
    let whyNot: String?
  }

  static let answer = JSONShape<Answer>(
    "deviceNeeds", .uuid("device", \.device),
    .init("reasons", reasons) { $0.found?.reasons.map(\.rawValue) ?? [] },
    .flag("from_street") { $0.found?.device.isOfHousehold ?? false },
    .flag("is_private", \.isPrivate), .object("request", request, \.found?.request),
    .flag("may_ask", \.mayAsk), .text("why_not", \.whyNot))
}

/// A visit for one of its people, or for a moderator.
struct VisitJSON: Sendable {
  /// The part of the caller in a visit.
  enum Part: String, CaseIterable, Sendable {
    case asker, visitor, offer, none
  }

  /// The actions that the caller may take now.
  enum Action: String, CaseIterable, Sendable {
    case accept, decline, take, plan, cancel, report, withdraw, flag
  }

  let visit: StoredVisit
  let device: VisitedDevice?
  let part: Part
  let now: Timestamp
  /// Whether the response contains the true state.
  var isForModerator = false

  /// The state as the caller may see it. An asker sees `waiting` instead of a volunteer’s progress, which would reveal
  /// where the volunteer is.
  private var state: VisitState {
    guard part == .asker, !isForModerator else { return visit.state }
    return visit.state == .offered || visit.state.isHeld ? .waiting : visit.state
  }

  /// Others see only the day, because the exact time could reveal who asked.
  private var askedAt: String {
    part == .asker || isForModerator
      ? visit.askedAt.text : Timestamp(startOf: visit.askedAt.day).text
  }

  private var isHidden: Bool { part == .asker && !isForModerator }

  var actions: [Action] {
    switch part {
    case .asker:
      if !visit.state.isOver { return [.withdraw] }
      return canFlag(visit.visitor) ? [.flag] : []
    case .visitor:
      guard visit.state.isHeld else { return canFlag(visit.asker) ? [.flag] : [] }
      let isLate = visit.plannedFor.map { now >= $0.later(-VisitRules.reminder) } ?? false
      return [.plan, .report] + (isLate ? [] : [.cancel]) + (visit.asker == nil ? [] : [.flag])
    case .offer: return [.accept, .decline]
    case .none: return visit.state == .open ? [.take] : []
    }
  }

  private func canFlag(_ other: Int64?) -> Bool { other != nil && visit.closedAt != nil }

  static let shape = JSONShape<VisitJSON>("visit", members)

  static let members: [JSONShape<VisitJSON>.Member] = [
    .uuid("id", \.visit.id), .object("device", VisitedDevice.shape, \.device),
    .oneOf("reason", \.visit.reason),
    .flag("from_street") { $0.device?.isOfHousehold ?? false }, .oneOf("state", \.state),
    .time("asked_at", \.askedAt),
    .time("state_at") { $0.isHidden && !$0.visit.state.isOver ? nil : $0.visit.stateAt.text },
    .time("due_at") { $0.isHidden || !$0.visit.state.isHeld ? nil : $0.deadline?.text },
    .time("planned_for") { $0.isHidden ? nil : $0.visit.plannedFor?.text },
    .init("outcome", .oneOf(VisitOutcome.self)) { $0.visit.outcome?.rawValue },
    .time("closed_at", \.visit.closedAt),
    .init("closed_because", .oneOf(VisitEnd.self)) { $0.visit.closedBecause?.rawValue },
    .count("offers") { $0.isHidden ? 0 : $0.visit.offers }, .oneOf("mine", \.part),
    .init("may", .list(of: .oneOf(Action.self))) { $0.actions.map(\.rawValue) },
  ]

  /// The deadline of the report.
  private var deadline: Timestamp? {
    visit.plannedFor?.later(VisitRules.grace) ?? visit.stateAt.later(VisitRules.visit)
  }

  /// For moderators.
  static let queued = JSONShape<VisitJSON>(
    "queuedVisit",
    members + [
      .count("waiting_seconds") { json in
        let end = json.visit.closedAt ?? json.now
        return max(0, end.secondsSinceEpoch - json.visit.askedAt.secondsSinceEpoch)
      }
    ])
}

/// The offer and the visits of a volunteer, which a page polls.
struct VisitNow: Sendable {
  struct Offer: Sendable {
    let offer: StoredOffer
    let visit: VisitJSON
    let kilometres: Int64
  }

  let offer: Offer?
  let visits: [VisitJSON]
  let state: String

  private static let offer = JSONShape<Offer>(
    "visitOffer", .uuid("id", \.offer.id), .time("offered_at", \.offer.offeredAt),
    .time("ends_at", \.offer.endsAt), .count("distance_km", \.kilometres),
    .object("visit", VisitJSON.shape, \.visit))

  static let shape = JSONShape<VisitNow>(
    "visitsNow", .object("offer", offer, \.offer), .list("visits", of: VisitJSON.shape, \.visits),
    .init(
      "volunteer_state", .oneOf(["none"] + VolunteerState.allCases.map(\.rawValue)), \.state))

  static let components = [offer.component, shape.component]
}

/// The requests and visits of an account.
struct OwnVisits: Sendable {
  let asked: [VisitJSON]
  let visited: [VisitJSON]

  static let shape = JSONShape<OwnVisits>(
    "ownVisits", .list("asked", of: VisitJSON.shape, \.asked),
    .list("visited", of: VisitJSON.shape, \.visited))
}

/// The settings of a volunteer, for the volunteer only.
struct VolunteerJSON: Sendable {
  let volunteer: StoredVolunteer
  let state: VolunteerState
  let offersToday: Int

  private var settings: VolunteerSettings { volunteer.settings }

  static let shape = JSONShape<VolunteerJSON>(
    "volunteer", .text("cell", \.settings.cell.text), .init("box", .box, \.settings.cell.edges),
    .count("radius_km", \.settings.radius), .texts("kinds", \.settings.kinds),
    .count("offers_per_day", \.settings.offersPerDay), .time("until", \.settings.hours.until),
    .list("weekly", of: WeeklyHours.shape, \.settings.hours.weekly),
    .text("time_zone", \.settings.hours.timeZone), .flag("mail", \.settings.sendsMail),
    .flag("found", \.settings.takesFound), .flag("paused", \.settings.isPaused),
    .oneOf("state", \.state), .time("next_from", \.volunteer.freeFrom),
    .time("next_until", \.volunteer.freeUntil), .count("offers_today", \.offersToday),
    .day("ends_on") {
      $0.volunteer.renewedAt.later(VisitSweep.life).day
    })

  /// The schema of the request body.
  static func body(categories: [String]) -> JSONSchema {
    [
      "cell": .text(3...10), "radius_km": JSONSchema.integer(1...50).optional,
      "kinds": JSONSchema.list(of: .oneOf(categories)).optional,
      "offers_per_day": JSONSchema.integer(1...20).optional,
      "until": JSONSchema.time.orNull.optional,
      "weekly": JSONSchema.list(of: WeeklyHours.shape.schema).optional,
      "time_zone": JSONSchema.text(1...60).optional, "mail": JSONSchema.flag.optional,
      "found": JSONSchema.flag.optional, "paused": JSONSchema.flag.optional,
    ]
  }
}
