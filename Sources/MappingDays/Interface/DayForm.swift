import JSON
import PrivacyMap
import Service
import Watching
import WebServer

/// Reads the body of a request that plans or changes a mapping day.
struct DayForm: Sendable {
  let rules: DayArea
  let vocabulary: Vocabulary

  private static let members: Set<String> = [
    "title", "purpose", "area", "meeting_point", "starts", "ends", "time_zone", "maximum", "kinds",
    "languages", "teams",
  ]

  static let schema: JSONSchema = [
    "title": .text(3...100), "purpose": .text(10...2_000), "area": DrawnPolygon.schema,
    "meeting_point":
      ([
        "longitude": .number, "latitude": .number,
        "words": JSONSchema.text(maximum: 200).orNull.optional,
      ] as JSONSchema).orNull.optional,
    "starts": .text, "ends": .text, "time_zone": .text(1...60),
    "maximum": .integer(1...Int64(DayPlan.maxParticipants)),
    "kinds": JSONSchema.list(of: .text).optional,
    "languages": JSONSchema.list(of: .oneOf(DayPlan.knownLanguages)).optional,
    "teams": JSONSchema.list(of: .text(1...40)).optional,
  ]

  /// - Throws: ``InvalidInput`` with every error.
  func read(_ request: Request, now: Timestamp) throws -> DayPlan {
    var body = try RequestBody(request, Self.members)
    let title = body.text("title", DayPlan.titles, isRequired: true)
    let purpose = body.text("purpose", DayPlan.purposes, isRequired: true, lines: true)
    let area = try area(&body)
    let meeting = try meeting(&body, area)
    let times = times(&body, now)
    let maximum = body.integer("maximum", 1...1_000_000, isRequired: true)
    if let maximum, maximum > DayPlan.maxParticipants {
      body.refuse(
        "maximum", Message("error.mapping_day.maximum", ["maximum": "\(DayPlan.maxParticipants)"]))
    }
    let kinds = body.codes("kinds", vocabulary.categories.map(\.code))
    let languages = body.codes("languages", DayPlan.knownLanguages)
    let teams = teams(&body)
    try body.check()
    guard let title, let purpose, let area, let times, let maximum else {
      throw Refusal(.badRequest, "error.missing_member")
    }
    return DayPlan(
      title: title, purpose: purpose, area: area, meeting: meeting, start: times.start,
      end: times.end, zone: times.zone, maximum: maximum, kinds: kinds ?? [],
      languages: languages ?? [], teams: teams)
  }

  private func teams(_ body: inout RequestBody) -> [String] {
    guard let value = body.value("teams") else { return [] }
    guard let items = value.arrayValue, items.count <= DayPlan.maxTeams else {
      body.fault("teams", Message("error.type.list", ["limit": "\(DayPlan.maxTeams)"]))
      return []
    }
    let names = items.map { PlainText.trimmed($0.stringValue ?? "") }
    if let fault = names.lazy.compactMap({ PlainText.fault($0, DayPlan.teamNames, lines: false) })
      .first
    {
      body.refuse("teams", fault)
    } else if Set(names.map { $0.lowercased() }).count < names.count {
      body.refuse("teams", Message("error.mapping_day.teams"))
    }
    return names
  }

  private func area(_ body: inout RequestBody) throws -> DrawnPolygon? {
    guard var inner = try body.object("area", DrawnPolygon.members, isRequired: true) else {
      return nil
    }
    let area = DrawnPolygon(&inner)
    body.take(inner)
    if let area, let fault = rules.fault(area) { body.refuse("area", fault) }
    return area
  }

  private func meeting(
    _ body: inout RequestBody, _ area: DrawnPolygon?
  ) throws -> DayPlan.MeetingPoint? {
    let names: Set<String> = ["longitude", "latitude", "words"]
    guard var inner = try body.object("meeting_point", names) else { return nil }
    let longitude = inner.number("longitude", -180...180, isRequired: true)
    let latitude = inner.number("latitude", -90...90, isRequired: true)
    let words = inner.text("words", DayPlan.meetingWords)
    body.take(inner)
    guard let longitude, let latitude else { return nil }
    let point = Coordinate.clamped(longitude: longitude, latitude: latitude)
    if let area, !DayArea.isNear(point, area) {
      body.refuse(
        "meeting_point",
        Message("error.mapping_day.meeting", ["kilometres": "\(Int(DayArea.nearby / 1_000))"]))
    }
    return DayPlan.MeetingPoint(point: point, words: words)
  }

  private func times(_ body: inout RequestBody, _ now: Timestamp) -> DayTimes? {
    let starts = body.text("starts", 1...16, isRequired: true)
    let ends = body.text("ends", 1...16, isRequired: true)
    let zone = body.text("time_zone", 1...60, isRequired: true)
    guard let starts, let ends, let zone else { return nil }
    do throws(DayTimes.Fault) {
      return try DayTimes(start: starts, end: ends, zone: zone, now: now)
    } catch {
      body.refuse(error.member, Message(error.key))
      return nil
    }
  }
}
