package import CQL2
package import PrivacyMap
package import Service
package import SpatialDatabase
package import WebServer

/// A condition that accepts any of several codes, separated by commas in one parameter.
package protocol CodeCondition: DeviceCondition {
  associatedtype Code: Equatable & Sendable
  /// The name of the parameter.
  static var name: String { get }
  /// The description of the parameter.
  static var summary: String { get }
  static func schema(_ vocabulary: Vocabulary) -> Parameter.Schema
  /// Nil if there is no such code.
  static func code(_ text: String, _ vocabulary: Vocabulary) -> Code?

  /// An empty list matches no device.
  init(codes: [Code])
  var codes: [Code] { get }
}

/// A condition about one column, which filters in CQL2 name as the parameter.
package protocol ColumnCondition: CodeCondition {
  /// The SQL expression that is compared with the codes.
  static var column: String { get }
  static func text(_ code: Code) -> String
}

extension CodeCondition {
  package static func parameters(_ vocabulary: Vocabulary) -> [Parameter] {
    [.query(name, schema(vocabulary), summary)]
  }

  package init?(_ query: Query, _ parameters: DeviceParameters) throws {
    guard let text = query[Self.name] else { return nil }
    let texts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard texts.count <= 300 else {
      throw InvalidInput(Self.name, Message("error.too_many_values"))
    }
    for text in texts where Self.code(text, parameters.vocabulary) == nil {
      throw InvalidInput.unknownCode(Self.name, text)
    }
    let each = texts.count == 1 ? texts : Set(texts).sorted()
    self.init(codes: each.compactMap { Self.code($0, parameters.vocabulary) })
  }
}

extension ColumnCondition {
  package static func narrowed(
    _ known: Self?, by part: Filter, _ vocabulary: Vocabulary
  ) -> Self? {
    guard let (property, values) = part.anyOfTexts, property == name else { return nil }
    var codes: [Code] = []
    for code in values.compactMap({ code($0, vocabulary) })
    where known?.codes.contains(code) != false && !codes.contains(code) {
      codes.append(code)
    }
    // The filter and the parameter have no value in common.
    return codes.isEmpty ? nil : Self(codes: codes)
  }

  package func write(to clauses: inout FilterClauses, _: borrowing Connection) throws {
    clauses.isOneOf(Self.column, codes.map(Self.text))
  }
}

extension CodeCondition where Code: RawRepresentable<String> & CaseIterable {
  package static func schema(_: Vocabulary) -> Parameter.Schema {
    .codes(Code.allCases.map(\.rawValue))
  }
  package static func code(_ text: String, _: Vocabulary) -> Code? { Code(rawValue: text) }
}

extension ColumnCondition where Code: RawRepresentable<String> {
  package static func text(_ code: Code) -> String { code.rawValue }
}

extension ColumnCondition where Code == String {
  package static func text(_ code: String) -> String { code }
}

package struct CategoryCondition: ColumnCondition {
  package static let (name, summary) = ("category", "Devices of any of these.")
  package static let column = "device.category"
  package let codes: [String]

  package init(codes: [String]) { self.codes = codes }

  package static func schema(_ vocabulary: Vocabulary) -> Parameter.Schema {
    .codes(vocabulary.categories.map(\.code))
  }

  package static func code(_ text: String, _ vocabulary: Vocabulary) -> String? {
    vocabulary.category(text) == nil ? nil : text
  }

  package func narrow(_ points: inout PointFilter, _ vocabulary: Vocabulary, today _: Day) -> Bool {
    points.narrow(\.categories, to: codes.compactMap { vocabulary.category($0)?.number })
  }

  package var fillsCells: Bool { true }
}

/// Each term includes its descendants.
struct CollectedDataCondition: CodeCondition {
  static let (name, summary) = ("data_collected", "Devices that collect any of these.")
  let codes: [String]

  static func schema(_ vocabulary: Vocabulary) -> Parameter.Schema { .terms(.data, vocabulary) }

  static func code(_ text: String, _ vocabulary: Vocabulary) -> String? {
    vocabulary.contains(text, in: .data) ? text : nil
  }

  private func withDescendants(_ vocabulary: Vocabulary) -> [String] {
    vocabulary.canonical(
      codes.flatMap { vocabulary.withDescendants(of: $0, in: .data) }, in: .data)
  }

  func write(to clauses: inout FilterClauses, _ connection: borrowing Connection) {
    let terms = withDescendants(clauses.vocabulary)
    clauses.add(
      connection.jsonContainsAny("device.data_collected", count: terms.count),
      terms.map { .text($0) })
  }

  func narrow(_ points: inout PointFilter, _ vocabulary: Vocabulary, today _: Day) -> Bool {
    points.dataAny = vocabulary.bits(withDescendants(vocabulary), in: .data)
    return true
  }
}

struct OfferedChoiceCondition: CodeCondition {
  static let (name, summary) = ("choices", "Devices that offer any of these choices.")
  let codes: [String]

  static func schema(_ vocabulary: Vocabulary) -> Parameter.Schema { .terms(.choices, vocabulary) }

  static func code(_ text: String, _ vocabulary: Vocabulary) -> String? {
    vocabulary.contains(text, in: .choices) ? text : nil
  }

  func write(to clauses: inout FilterClauses, _ connection: borrowing Connection) {
    clauses.add(
      connection.jsonContainsAny("device.choices", count: codes.count), codes.map { .text($0) })
  }

  func narrow(_ points: inout PointFilter, _ vocabulary: Vocabulary, today _: Day) -> Bool {
    points.choicesAny = vocabulary.bits(codes, in: .choices)
    return true
  }
}

struct OperatorKindCondition: ColumnCondition {
  static let (name, summary) = ("operator_kind", "Devices of operators of any of these kinds.")
  static let column = "COALESCE(operator.kind, 'unknown')"
  let codes: [Operator.Kind]

  func narrow(_ points: inout PointFilter, _: Vocabulary, today _: Day) -> Bool {
    points.narrow(\.operatorKinds, to: codes.map { IndexNumber.of($0) })
  }
}

struct SettingCondition: ColumnCondition {
  static let (name, summary) = ("setting", "Devices in any of these settings.")
  static let column = "device.setting"
  let codes: [Setting]

  func narrow(_ points: inout PointFilter, _: Vocabulary, today _: Day) -> Bool {
    points.narrow(\.settings, to: codes.map { IndexNumber.of($0) + 1 })
  }
}

/// A filter without it selects ``DeviceFilter/statuses``.
package struct StatusCondition: ColumnCondition {
  package static let (name, summary) = (
    "status", "Devices in any of these states; `removed` and `not_a_device` only when named."
  )
  package static let column = "device.status"
  package let codes: [DeviceStatus]

  package init(codes: [DeviceStatus]) { self.codes = codes }

  package func narrow(_ points: inout PointFilter, _: Vocabulary, today _: Day) -> Bool {
    points.narrow(\.statuses, to: codes.map { IndexNumber.of($0) })
  }
}

struct FreshnessCondition: CodeCondition {
  static let (name, summary) = (
    "freshness", "Devices looked at recently, due to be looked at, or long unseen."
  )
  let codes: [Freshness]

  func write(to clauses: inout FilterClauses, _: borrowing Connection) {
    let ranges = codes.map { $0.staleDays(today: clauses.today) }
    clauses.add(
      "(" + ranges.map { _ in "device.stale_on BETWEEN ? AND ?" }.joined(separator: " OR ") + ")",
      ranges.flatMap { [.text($0.lowerBound.text), .text($0.upperBound.text)] })
  }

  func narrow(_ points: inout PointFilter, _: Vocabulary, today: Day) -> Bool {
    points.dueDays = codes.map { $0.dueDays(today: today) }
    return true
  }
}

extension Freshness {
  /// The stale days of devices that are so fresh today.
  fileprivate func staleDays(today: Day) -> ClosedRange<Day> {
    let now = today.daysSinceEpoch
    return switch self {
    case .stale: Day(daysSinceEpoch: -719_000)...today
    case .due: Day(daysSinceEpoch: now + 1)...Day(daysSinceEpoch: now + Freshness.dueDays)
    case .fresh: Day(daysSinceEpoch: now + Freshness.dueDays + 1)...Day(daysSinceEpoch: 2_932_896)
    }
  }

  /// The same days in the point index.
  package func dueDays(today: Day) -> ClosedRange<UInt16> {
    let days = staleDays(today: today)
    return IndexNumber.of(days.lowerBound)...IndexNumber.of(days.upperBound)
  }
}

struct CountryCondition: ColumnCondition {
  static let (name, summary) = (
    "country", "Devices in any of these countries (ISO 3166-1 alpha-2)."
  )
  static let column = "device.country"
  let codes: [String]

  static func schema(_: Vocabulary) -> Parameter.Schema { .text() }

  static func code(_ text: String, _: Vocabulary) -> String? {
    text.utf8.count == 2 && text.utf8.allSatisfy { (65...90).contains($0) } ? text : nil
  }

  func narrow(_ points: inout PointFilter, _: Vocabulary, today _: Day) -> Bool {
    let packed = codes.map(IndexedPoint.packedCountry)
    points.countries = points.countries.map { packed.filter($0.contains) } ?? packed
    return true
  }
}

extension Parameter.Schema {
  fileprivate static func terms(_ scheme: Scheme, _ vocabulary: Vocabulary) -> Parameter.Schema {
    .codes(vocabulary.terms(of: scheme).map(\.code))
  }
}
