package import PrivacyMap
import Reference
import Service
import SpatialDatabase
package import WebServer

/// The device is one of these.
struct IDCondition: ColumnCondition {
  static let (name, summary) = ("ids", "Devices with any of these ids.")
  static let column = "device.id"
  let codes: [DeviceID]

  static var isForWatches: Bool { false }
  static func schema(_: Vocabulary) -> Parameter.Schema { .text(maxLength: 300 * 37) }
  static func code(_ text: String, _: Vocabulary) -> DeviceID? { DeviceID(text: text) }
  static func text(_ id: DeviceID) -> String { id.text }
}

/// The time of the last change.
struct ChangeTimeCondition: DeviceCondition {
  let range: TimeRange

  static func parameters(_: Vocabulary) -> [Parameter] {
    [
      .query(
        "datetime", .text(maxLength: 100),
        "Devices last changed at this moment, on this day in UTC, or in this interval (RFC 3339).")
    ]
  }

  static var isForWatches: Bool { false }

  init?(_ query: Query, _: DeviceParameters) throws {
    guard let range = try TimeRange(query) else { return nil }
    self.range = range
  }

  func write(to clauses: inout FilterClauses, _: borrowing Connection) {
    if let start = range.start { clauses.add("device.updated_at >= ?", [.text(start.text)]) }
    if let end = range.end { clauses.add("device.updated_at <= ?", [.text(end.text)]) }
  }
}

/// The times from `start` through `end`; nil is an open end.
package struct TimeRange: Equatable, Sendable {
  package var start: Timestamp?
  package var end: Timestamp?

  /// Reads the `datetime` parameter of OGC API – Features (17-069r4, §7.15.4): an instant, or an
  /// interval in which `..` or an empty text is an open end. A day means all of it, in UTC.
  ///
  /// - Returns: nil when the text is neither, or when the end is before the start.
  package init?(text: String) {
    let parts = text.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    if parts.count == 1 {
      guard let start = Self.moment(parts[0], "00:00:00"),
        let end = Self.moment(parts[0], "23:59:59")
      else { return nil }
      (self.start, self.end) = (start, end)
      return
    }
    guard parts.count == 2 else { return nil }
    let ends = zip(parts, ["00:00:00", "23:59:59"]).map { part, time -> Timestamp?? in
      part.isEmpty || part == ".." ? .some(nil) : Self.moment(part, time).map { .some($0) }
    }
    guard let start = ends[0], let end = ends[1], start != nil || end != nil else { return nil }
    if let start, let end, end < start { return nil }
    (self.start, self.end) = (start, end)
  }

  /// Reads `datetime`.
  package init?(_ query: Query) throws {
    guard let text = query["datetime"] else { return nil }
    guard let range = TimeRange(text: text) else {
      throw InvalidInput("datetime", Message("error.datetime"))
    }
    self = range
  }

  /// A moment, or this time of a day.
  private static func moment(_ text: Substring, _ time: String) -> Timestamp? {
    Day(text: text) == nil ? Timestamp(text: text) : Timestamp(text: "\(text)T\(time)Z")
  }
}

/// The operator has any of these names.
struct OperatorCondition: DeviceCondition {
  let names: [String]

  static func parameters(_: Vocabulary) -> [Parameter] {
    [.query("operator", .repeated(.text()), "Devices of any of these operators, by name.")]
  }

  init?(_ query: Query, _: DeviceParameters) throws {
    names = try query.texts("operator")
    if names.isEmpty { return nil }
  }

  func write(to clauses: inout FilterClauses, _: borrowing Connection) {
    clauses.isOneOf("operator.name", names)
  }

  func held(on former: some FormerDevice, _ connection: borrowing Connection) throws -> Bool? {
    guard former.changed.contains("operator") else { return nil }
    return try former.operatorName(connection).map(names.contains) ?? false
  }
}

/// The record is under any of these licences. A change of a device keeps its source and thus its licence.
struct LicenceCondition: DeviceCondition {
  /// Names, as the sources give them.
  let names: [String]
  /// Whether the licence of contributions to this instance is one of them.
  let coversOwn: Bool

  static func parameters(_: Vocabulary) -> [Parameter] {
    [
      .query(
        "licence", .repeated(.text()),
        "Devices whose record is under any of these licences, as the record's `source` names it.")
    ]
  }

  init?(_ query: Query, _ parameters: DeviceParameters) throws {
    names = try query.texts("licence")
    coversOwn = names.contains(parameters.licence)
    if names.isEmpty { return nil }
  }

  func write(to clauses: inout FilterClauses, _: borrowing Connection) {
    let own = coversOwn ? "device.source_rowid IS NULL OR " : ""
    clauses.add(
      """
      (\(own)device.source_rowid IN (\(SourceStore.rows(underLicences: names.count))))
      """, names.map { .text($0) })
  }
}

extension Query {
  /// The texts of a parameter that accepts any text of a useful length.
  func texts(_ name: String) throws -> [String] {
    try values(name).map { text in
      guard !text.isEmpty, text.unicodeScalars.count <= 200 else {
        throw InvalidInput(name, Message("error.text_length", ["maximum": "200"]))
      }
      return text
    }
  }
}
