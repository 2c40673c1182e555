package import Devices
package import PrivacyMap
import Reference
import Service
package import WebServer

/// A parsed request for statistics.
package struct StatisticsQuestion {
  /// The requested time span and its intervals.
  struct Span {
    /// Nil if the days from the first to the last form one interval.
    var interval: CalendarInterval?
    var from: Day?
    /// Today at the latest.
    var to: Day
  }

  /// An area to compare with others.
  struct Area {
    /// As requested: `place:2267057` or `country:PT`.
    var id: String
    var name: String?
    /// Its condition, in addition to the filter.
    var place: PlaceArea
  }

  var filter: DeviceFilter
  var properties: [StatisticsProperty] = []
  var span: Span?
  var areas: [Area] = []
  var gridZoom: Int?
  /// The maximum number of groups.
  var limit: Int

  static let defaultLimit = 1_000
  static let maximumLimit = 10_000
  static let maximumAreas = 12
  static let maximumIntervals = 1_000
  /// The maximum number of intervals without `from`: a year of days.
  static let usualIntervals = 366
  /// The maximum number of rows in a series; only as many of the largest groups are reported as fit.
  static let maximumSteps = 20_000
  /// The maximum number of cells in a grid, including empty ones: 256 by 256.
  static let maximumCells = 65_536
}

/// Parses requests for statistics.
package struct StatisticsParameters {
  package let parameters: DeviceParameters

  package init(parameters: DeviceParameters) {
    self.parameters = parameters
  }

  var declared: [Parameter] {
    parameters.declared + [
      .query(
        "group_by", .codes(StatisticsProperty.allCases.map(\.rawValue)),
        "The properties to count devices by: one, or two combined."),
      .query(
        "interval", .oneOf(CalendarInterval.allCases.map(\.rawValue)),
        "Also counts changes over time, by day, week (from Monday), month or year, in UTC."),
      .query(
        "from", .text(maxLength: 40),
        "The first day (2026-01-31, or a moment), widened to its interval; by default the day the "
          + "first device was added, and no more than \(StatisticsQuestion.usualIntervals) intervals "
          + "before the last."),
      .query(
        "to", .text(maxLength: 40),
        "The last day, widened to its interval; by default today. Without an interval, `from` and "
          + "`to` make one."),
      .query(
        "compare", .repeated(.text(maxLength: 60)),
        "An area to report separately as well: `place:` and an id of `/api/places`, or "
          + "`country:` and a code; repeat it, at most \(StatisticsQuestion.maximumAreas) times."),
      .query(
        "grid",
        .integer(
          minimum: PointIndex.gridZooms.lowerBound, maximum: PointIndex.gridZooms.upperBound),
        "Also counts devices per Web Mercator tile of this zoom, for example for a heat map."),
      .query(
        "limit",
        .integer(
          minimum: 1, maximum: StatisticsQuestion.maximumLimit,
          byDefault: StatisticsQuestion.defaultLimit),
        "The maximum number of groups, largest first; a number above the maximum is lowered to it."),
    ]
  }

  /// Parses a request; `to` and missing values default to `today`.
  ///
  /// - Throws: ``InvalidInput`` naming the invalid parameter.
  package func question(_ query: Query, today: Day, language: String) throws -> StatisticsQuestion {
    var question = StatisticsQuestion(
      filter: try parameters.filter(query),
      limit: try PageCursor.limit(
        query["limit"], byDefault: StatisticsQuestion.defaultLimit,
        maximum: StatisticsQuestion.maximumLimit))
    question.properties = try Self.properties(query["group_by"])
    question.span = try Self.span(query, today: today)
    question.areas = try areas(query, language: language)
    question.gridZoom = try Self.gridZoom(query["grid"])
    return question
  }

  private static func properties(_ text: String?) throws -> [StatisticsProperty] {
    guard let text else { return [] }
    let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard names.count <= 2, Set(names).count == names.count else {
      throw InvalidInput("group_by", Message("error.group_by_count"))
    }
    return try names.map { name in
      guard let property = StatisticsProperty(rawValue: name) else {
        throw InvalidInput.unknownCode("group_by", name)
      }
      return property
    }
  }

  private static func span(_ query: Query, today: Day) throws -> StatisticsQuestion.Span? {
    let interval = try query["interval"].map { name in
      guard let interval = CalendarInterval(rawValue: name) else {
        throw InvalidInput.unknownCode("interval", name)
      }
      return interval
    }
    let from = try day(query, "from")
    let to = try day(query, "to")
    guard interval != nil || from != nil || to != nil else { return nil }
    // There is no data after today.
    let last = min(to ?? today, today)
    if let from, from > last { throw InvalidInput("from", Message("error.from_after_to")) }
    return StatisticsQuestion.Span(interval: interval, from: from, to: last)
  }

  private static func day(_ query: Query, _ name: String) throws -> Day? {
    guard let text = query[name] else { return nil }
    guard let day = Day(text: text) ?? Timestamp(text: text)?.day else {
      throw InvalidInput(name, Message("error.day_or_moment"))
    }
    return day
  }

  private func areas(_ query: Query, language: String) throws -> [StatisticsQuestion.Area] {
    let ids = query.values("compare")
    guard ids.count <= StatisticsQuestion.maximumAreas else {
      throw InvalidInput(
        "compare",
        Message("error.too_many_areas", ["maximum": "\(StatisticsQuestion.maximumAreas)"]))
    }
    return try ids.map { try area($0, language: language) }
  }

  private func area(_ id: String, language: String) throws -> StatisticsQuestion.Area {
    let parts = id.split(separator: ":", maxSplits: 1).map(String.init)
    guard parts.count == 2, ["place", "country"].contains(parts[0]) else {
      throw InvalidInput("compare", Message("error.compare"))
    }
    if parts[0] == "country" {
      let isCode = parts[1].utf8.count == 2 && parts[1].utf8.allSatisfy { (65...90).contains($0) }
      guard isCode else { throw InvalidInput.unknownCode("compare", parts[1]) }
      return StatisticsQuestion.Area(id: id, place: .country(parts[1]))
    }
    guard let number = Int64(parts[1]),
      let place = try parameters.places?.place(id: number, language: language),
      let area = try parameters.places?.area(of: number)
    else { throw InvalidInput("compare", Message("error.unknown_place")) }
    return StatisticsQuestion.Area(id: id, name: place.name, place: area)
  }

  private static func gridZoom(_ text: String?) throws -> Int? {
    guard let text else { return nil }
    let isPlain = !text.isEmpty && text.utf8.allSatisfy { (48...57).contains($0) }
    guard isPlain, let zoom = Int(text), PointIndex.gridZooms.contains(zoom) else {
      throw InvalidInput(
        "grid", Message("error.grid", ["maximum": "\(PointIndex.gridZooms.upperBound)"]))
    }
    return zoom
  }
}
