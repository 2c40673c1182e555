import JSON
import Service

/// The JSON of the hours of a week: `[{"weekday": 1, "from": "18:00", "to": "20:30"}]`.
enum WeeklyHours {
  /// Spans that a volunteer can have.
  static let maximum = 21

  static let shape = JSONShape<VisitHours.Span>(
    nil, .init("weekday", .integer(1...7)) { $0.weekday },
    .text("from") { VisitHours.Span.text($0.from) }, .text("to") { VisitHours.Span.text($0.to) })

  static func stored(_ spans: [VisitHours.Span]) -> String {
    JSONValue.array(spans.map(shape.json)).text
  }

  static func spans(stored: String) -> [VisitHours.Span] {
    let value = (try? JSONValue(parsing: Array(stored.utf8))) ?? .null
    return value.arrayValue?.compactMap(span) ?? []
  }

  /// Reads one span; nil if it is malformed.
  static func span(_ value: JSONValue) -> VisitHours.Span? {
    guard let object = value.objectValue,
      Set(object.members.map(\.key)) == ["weekday", "from", "to"],
      let weekday = value["weekday"]?.intValue, (1...7).contains(weekday),
      let from = value["from"]?.stringValue.flatMap(VisitHours.Span.minutes),
      let to = value["to"]?.stringValue.flatMap(VisitHours.Span.minutes), from < to
    else { return nil }
    return VisitHours.Span(weekday: weekday, from: from, to: to)
  }
}
