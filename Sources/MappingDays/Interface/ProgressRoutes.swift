import JSON
import PrivacyMap
import Service
import SpatialDatabase
import WebServer

/// The progress of a mapping day: the figures of its live page and of its report, and the contributions as files.
///
/// Many people watch at once. All get the same response, which one request generates (``ProgressAnswers``); later
/// changes come from the live stream.
struct ProgressRoutes: Sendable {
  let feature: MappingDays

  /// The maximum number of contributions in a file; further ones have a cursor.
  private static let maximum = 5_000
  private static let fileTag = "The public contributions of a mapping day"

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "getMappingDayProgress", .get, DayRoutes.one + "/progress", tag: MappingDays.tag,
        summary: "The figures of a mapping day: while it runs, and as a report when it is over.",
        access: .everyone, parameters: [DayRoutes.id],
        answers: [.ok("The figures, at most seconds old.", schema: "mappingDayProgress")],
        .open(progress)),
      Endpoint(
        "getMappingDayContributions", .get, DayRoutes.one + "/contributions",
        tag: MappingDays.tag,
        summary: "\(Self.fileTag), as GeoJSON or as a table.", access: .everyone,
        parameters: [DayRoutes.id, .format(["json", "csv"])]
          + [
            .query(
              "cursor", .text(maxLength: 1_000),
              "Where a page begins, the `next` of the one before.")
          ],
        answers: [
          Endpoint.Answer(
            status: 200, description: "At most 5,000 contributions, the oldest first.",
            content: [("application/geo+json", "mappingDayContributions"), ("text/csv", nil)])
        ], .open(contributions)),
    ]
  }

  /// A public day, for every visitor.
  private func day(_ request: Request, _ connection: borrowing Connection) throws -> MappingDay {
    try feature.days.one(request.parameter("id"), for: .nobody, connection)
  }

  /// The id of a public day with its state: a response from before the end of a day is not its report.
  private func key(_ request: Request) throws -> String {
    let found = try feature.database.readQuickly { try day(request, $0) }
    return "\(found.id) \(found.state.rawValue)"
  }

  @Sendable private func progress(_ request: Request) throws -> Response {
    let key = try key(request)
    return try feature.answers.answer("progress \(key)") {
      let progress = try feature.database.read { connection in
        let day = try day(request, connection)
        return ShownProgress(
          day: day, figures: try feature.contributions.figures(of: day, connection),
          people: try feature.participants.counts(of: day.rowid, connection).joined,
          members: try feature.participants.teams(of: day.rowid, connection),
          url: feature.addresses.url(day.path), name: feature.name, licence: feature.licence)
      }
      return .json(progress, as: ShownProgress.shape)
    }
  }

  @Sendable private func contributions(_ request: Request) throws -> Response {
    let format = try Self.format(request)
    let after = try PageCursor.rows(request.query["cursor"], count: 1)?.first ?? 0
    // Viewers read the first page. Further pages are not cached: their cursors come from API clients.
    guard after == 0 else { return try file(request, format, after: after) }
    return try feature.answers.answer("contributions \(try key(request)) \(format)") {
      try file(request, format, after: 0)
    }
  }

  private func file(_ request: Request, _ format: String, after: Int64) throws -> Response {
    try feature.database.read { connection in
      let day = try day(request, connection)
      let found = try feature.contributions.page(
        of: day.rowid, after: after, limit: Self.maximum + 1, connection)
      let page = Array(found.prefix(Self.maximum))
      let last = found.count > Self.maximum ? page.last : nil
      let next = last.map { PageCursor(keys: ["\($0.rowid)"]).text }
      return format == "csv" ? csv(page, day, next) : geoJSON(page, day, next)
    }
  }

  private static func format(_ request: Request) throws -> String {
    guard let format = request.query["f"] else { return "json" }
    guard ["json", "csv"].contains(format) else { throw InvalidInput.unknownCode("f", format) }
    return format
  }

  private func geoJSON(
    _ page: [ContributionStore.Contribution], _ day: MappingDay, _ next: String?
  ) -> Response {
    let features = page.map { one -> JSONValue in
      [
        "type": "Feature", "id": .string("\(one.device)/\(one.kind)"),
        "geometry": .point((one.longitude, one.latitude)),
        "properties": [
          "device": .string(one.device), "name": .string(one.name),
          "category": .string(one.category), "kind": .string(one.kind),
          "made_at": .string(one.hour),
        ],
      ]
    }
    let body: JSONValue = [
      "type": "FeatureCollection", "features": .array(features), "next": next.json,
      "licence": .string(feature.licence),
      "citation": .string(
        ShownProgress.citation(day, feature.addresses.url(day.path), feature.name)),
    ]
    return .json(Array(body.text.utf8), contentType: "application/geo+json")
  }

  private func csv(
    _ page: [ContributionStore.Contribution], _ day: MappingDay, _ next: String?
  ) -> Response {
    var lines = ["device,name,category,kind,made_at,longitude,latitude,licence"]
    lines += page.map { one in
      [
        one.device, Self.cell(one.name), one.category, one.kind, one.hour, "\(one.longitude)",
        "\(one.latitude)", Self.cell(feature.licence),
      ].joined(separator: ",")
    }
    var response = Response.bytes(
      Array((lines.joined(separator: "\r\n") + "\r\n").utf8),
      contentType: "text/csv; charset=utf-8")
    response.headers.add(
      "Content-Disposition", "attachment; filename=\"mapping-day-\(day.id).csv\"")
    if let next {
      response.headers.add(
        "Link",
        "<\(feature.addresses.url("\(DayRoutes.path)/\(day.id)/contributions?f=csv&cursor=\(next)"))>; rel=\"next\""
      )
    }
    return response
  }

  /// A text in quotes (RFC 4180), which a table program does not take for a formula.
  private static func cell(_ text: String) -> String {
    "\"\(CSVText.startsFormula(text) ? "'" : "")\(text.replacing("\"", with: "\"\""))\""
  }
}

/// The figures of a day.
struct ShownProgress: Sendable {
  let day: MappingDay
  let figures: ContributionStore.Figures
  let people: Int64
  /// The numbers of people in teams.
  let members: [String: Int64]
  let url, name, licence: String

  /// The citation of the report.
  static func citation(_ day: MappingDay, _ url: String, _ name: String) -> String {
    "\(name): \(day.plan.title), \(day.plan.start.day.text). \(url)"
  }

  private static let hour = JSONShape<(hour: Int, kind: String, count: Int64)>(
    "mappingDayHour", .count("hour", \.hour),
    .init("kind", .oneOf(ContributionKind.self), \.kind), .count("count") { Int($0.count) })
  private static let category = JSONShape<(category: String, count: Int64)>(
    "mappingDayCategory", .text("category", \.category), .count("count") { Int($0.count) })

  private static let team = JSONShape<(name: String, contributions: Int64?, people: Int64?)>(
    "mappingDayTeam", .text("name", \.name),
    .count("contributions") { $0.contributions.map { Int($0) } },
    .count("people") { $0.people.map { Int($0) } })

  /// The teams in the order of the plan, which is not a ranking. A team that is too small has no figures.
  private var teams: [(name: String, contributions: Int64?, people: Int64?)] {
    day.plan.teams.map { name in
      let (people, count) = (members[name] ?? 0, figures.byTeam[name])
      // At the end, contributions of small teams are forgotten, and later the participants.
      let isLarge = people >= ContributionStore.minMembers
      let isShown = isLarge || day.state == .over && count != nil
      return (
        name, isShown ? count ?? 0 : nil, people >= ShownDay.minPeople ? people : nil
      )
    }
  }

  static let shape = JSONShape<ShownProgress>(
    "mappingDayProgress", .uuid("id", \.day.id), .oneOf("state", \.day.state),
    .count("added") { $0.count(.added) }, .count("confirmed") { $0.count(.confirmed) },
    .count("photographed") { $0.count(.photographed) },
    .count("corrected") { $0.count(.corrected) },
    .count("devices") { Int($0.figures.devices) }, .count("gone") { Int($0.figures.gone) },
    .list("hours", of: hour, \.figures.byHour),
    .list("categories", of: category, \.figures.byCategory),
    .count("devices_before") { $0.day.devicesBefore.map { Int($0) } },
    .count("devices_after") { $0.day.devicesAfter.map { Int($0) } },
    .list("teams", of: team, \.teams),
    .count("people") { $0.people >= ShownDay.minPeople ? Int($0.people) : nil },
    .text("licence", \.licence),
    .text("citation") { citation($0.day, $0.url, $0.name) })

  private func count(_ kind: ContributionKind) -> Int {
    Int(figures.byKind[kind.rawValue] ?? 0)
  }

  static let components = [
    hour.component, category.component, team.component, shape.component,
  ]
}
