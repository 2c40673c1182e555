import JSON
import PrivacyMap
import Service
import SpatialDatabase
import WebServer

/// `/api/mapping-days`: the days for visitors, and an account's own days for its browser.
struct DayRoutes: Sendable {
  let feature: MappingDays

  static let path = "/api/mapping-days"
  static let one = path + "/{id}"
  static let id = Parameter.path("id", .text(maxLength: 100), "The UUID of a mapping day.")

  /// The lists of days.
  private enum List: String, CaseIterable {
    case running, coming, over

    var state: DayState {
      switch self {
      case .running: .running
      case .coming: .approved
      case .over: .over
      }
    }
  }

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "getMappingDays", .get, Self.path, tag: MappingDays.tag,
        summary: "Mapping days: those that run, that come next, or that are over, latest first.",
        access: .everyone,
        parameters: [
          .query(
            "list", .oneOf(List.allCases.map(\.rawValue), byDefault: List.coming.rawValue),
            "The days of one list.")
        ] + PageCursor.parameters("Mapping days"),
        answers: [.ok("A page of days.", schema: "mappingDays")], .personal(list)),
      Endpoint(
        "getOwnMappingDays", .get, Self.path + "/own", tag: MappingDays.tag,
        summary: "The mapping days that the account plans, and those in which it takes part.",
        access: .owner, answers: [.ok("At most 100 of each.", schema: "ownMappingDays")],
        .personal(own)),
      Endpoint(
        "getMappingDay", .get, Self.one, tag: MappingDays.tag, summary: "One mapping day.",
        access: .everyone, parameters: [Self.id],
        answers: [.ok("The day.", schema: "mappingDay")], .personal(get)),
      Endpoint(
        "getMappingDayCalendar", .get, Self.one + "/calendar", tag: MappingDays.tag,
        summary: "A mapping day as a calendar file (RFC 5545).", access: .everyone,
        parameters: [Self.id], answers: [.ok("The file.", "text/calendar")], .personal(calendar)),
    ]
  }

  @Sendable private func list(_ request: Request, _ caller: Caller) throws -> Response {
    let name = request.query["list"] ?? List.coming.rawValue
    guard let list = List(rawValue: name) else { throw InvalidInput.unknownCode("list", name) }
    let limit = try PageCursor.limit(request.query["limit"])
    let place = try request.query["cursor"].map { text in
      let keys = try PageCursor(text: text).keys(count: 3)
      guard keys[0] == list.rawValue, Timestamp(text: keys[1]) != nil, let row = Int64(keys[2])
      else { throw InvalidInput("cursor", Message("error.cursor_of_another_list")) }
      return (start: keys[1], row: row)
    }
    return try feature.database.read { connection in
      let found = try feature.days.all(
        in: list.state, after: place, limit: limit + 1, connection)
      let page = try found.prefix(limit).map {
        ShownDay.shape.json(try feature.shown($0, to: caller, connection))
      }
      let next = found.count > limit ? found.prefix(limit).last : nil
      return .json(
        ListPage(
          page,
          next: next.map {
            PageCursor(keys: [list.rawValue, $0.plan.start.text, "\($0.rowid)"]).text
          }), as: ShownDay.page)
    }
  }

  @Sendable private func own(_ request: Request, _ caller: Caller) throws -> Response {
    let account = try caller.signedIn().account
    return try feature.database.read { connection in
      .json(
        OwnDays(
          planned: try feature.days.planned(by: account, connection).map {
            try feature.shown($0, to: caller, connection)
          },
          joined: try feature.days.joined(by: account, connection).map {
            try feature.shown($0, to: caller, connection)
          }), as: ShownDay.shapeOfOwn)
    }
  }

  @Sendable private func get(_ request: Request, _ caller: Caller) throws -> Response {
    try feature.database.readQuickly { connection in
      try feature.answer(request.parameter("id"), to: caller, connection)
    }
  }

  @Sendable private func calendar(_ request: Request, _ caller: Caller) throws -> Response {
    let day = try feature.database.readQuickly {
      try feature.days.one(request.parameter("id"), for: caller, $0)
    }
    let file = DayCalendar(day: day, url: feature.addresses.url(day.path))
    return Response.bytes(
      Array(file.text.utf8), contentType: "text/calendar; charset=utf-8"
    )
    .with("Content-Disposition", "attachment; filename=\"mapping-day.ics\"")
  }
}
