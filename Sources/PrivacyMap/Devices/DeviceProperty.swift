/// One property of a device: its name, its type, its columns and how people set it.
///
/// The statements that read and write devices, GeoJSON, the form of requests, the queryables, the
/// exports, the fields of imports and the OpenAPI document are all generated from ``all``.
package struct DeviceProperty: Sendable {
  /// The JSON type of a value.
  package enum Kind: Sendable {
    case text, integer, number, flag
    /// RFC 3339 in UTC.
    case time
    /// ISO 8601 day.
    case day
    /// A JSON array, as stored in the column.
    case codes, numbers
    /// `{"name", "kind"}` and, if all properties are requested, the contacts.
    case answersFor
    /// `{"name", "licence", "attribution", "url"}`.
    case source
    /// The licence of the record: its source's, otherwise the instance's.
    case licence
    /// `[{"kind", "channel", …}]`.
    case offeredChoices
    /// `{"namespace": ["key"]}`.
    case references
    /// `{"key": "value"}` of the tags on the allow-list.
    case tags
    /// Confirmations and disputes: one object for each claim.
    case claims
    /// `[{"id", "alt", "width", "height", "url", "thumb"}]`.
    case photos
    /// The statement of the operator: `{"operator", "stated_at", …}`.
    case statement
    /// `{"id", "name"}` of the registered organisation that operates the device.
    case registered
  }

  /// The values of a property, and the field that stores them.
  package enum Entry: Sendable {
    package typealias Path<Value> = any WritableKeyPath<DeviceFields, Value> & Sendable

    /// Plain text; the range is its length in Unicode scalars.
    case text(Path<String?>, ClosedRange<Int>, lines: Bool = false)
    case code(Path<String?>, Scheme)
    /// Codes of a scheme, stored in the order of the scheme or with `keepsOrder` as sent.
    case codes(Path<[String]>, Scheme, keepsOrder: Bool = false)
    /// One of these words.
    case word(Path<String?>, [String])
    case integer(Path<Int?>, ClosedRange<Int>)
    case number(Path<Double?>, Numbers)
    /// ISO 8601 duration, `none` or `indefinite`.
    case duration(Path<String?>)
    /// ISO 8601 year, month or day, not in the future.
    case date(Path<String?>)
    /// A day, not in the future.
    case day(Path<Day?>)
    /// ``DeviceFields/bearings``; an import also reads the field of view from them.
    case bearings
    /// People set it outside the table, under separate rules.
    case own(Kind)
    /// The server computes it.
    case computed(Kind)

    fileprivate var kind: Kind {
      switch self {
      case .text, .code, .word, .duration, .date: .text
      case .codes: .codes
      case .integer: .integer
      case .number: .number
      case .day: .day
      case .bearings: .numbers
      case .own(let kind), .computed(let kind): kind
      }
    }
  }

  /// The unit of a number, with its code in the Unified Code for Units of Measure (UCUM).
  package enum Unit: String, Sendable {
    case metres = "m"
    /// Degrees of an angle.
    case degrees = "deg"
  }

  /// The numbers that a property accepts.
  package struct Numbers: Sendable {
    package let range: ClosedRange<Double>
    /// The range that an import accepts: a list can have wrong numbers that no person has checked.
    package let likely: ClosedRange<Double>
    /// Whether the lower limit itself is refused.
    package let isAboveLowest: Bool
    package let unit: Unit

    package init(
      _ range: ClosedRange<Double>, likely: ClosedRange<Double>? = nil, above: Bool = false,
      unit: Unit
    ) {
      self.range = range
      self.likely = likely ?? range
      isAboveLowest = above
      self.unit = unit
    }
  }

  package let name: String
  package let key: StaticString
  package let kind: Kind
  package let entry: Entry
  /// The source columns, in `device` joined with `operator` and `source`.
  package let columns: [String]
  /// Whether lists contain it by default.
  package let isInLists: Bool
  /// Whether it is left out of records coarser than exact, because it could reveal the true place.
  package let isHiddenWhenCoarse: Bool
  /// Whether filters can name it (OGC API – Features Part 3).
  package let isQueryable: Bool

  init(
    _ name: StaticString, _ entry: Entry, columns: [String]? = nil, inLists: Bool = false,
    hiddenWhenCoarse: Bool = false, queryable: Bool = true
  ) {
    self.name = "\(name)"
    key = name
    kind = entry.kind
    self.entry = entry
    self.columns = columns ?? ["device.\(name)"]
    isInLists = inLists
    isHiddenWhenCoarse = hiddenWhenCoarse
    isQueryable = queryable
  }

  private static let byName = Dictionary(
    all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

  package static func named(_ name: String) -> DeviceProperty? { byName[name] }

  /// The properties that lists contain by default.
  package static let ofLists = all.filter(\.isInLists)

  /// The properties that people set and that have no rules of their own: each is one column of
  /// `device` with the same name.
  package static let plain = all.filter { property in
    switch property.entry {
    case .own, .computed: false
    default: true
    }
  }

  /// Whether people set it.
  package var isEntered: Bool {
    if case .computed = entry { false } else { true }
  }

  /// Whether a device has a value of a property that people set.
  package func isSet(in fields: DeviceFields) -> Bool {
    switch entry {
    case .text(let path, _, _), .code(let path, _), .word(let path, _), .duration(let path),
      .date(let path):
      fields[keyPath: path] != nil
    case .codes(let path, _, _): !fields[keyPath: path].isEmpty
    case .integer(let path, _): fields[keyPath: path] != nil
    case .number(let path, _): fields[keyPath: path] != nil
    case .day(let path): fields[keyPath: path] != nil
    case .bearings: !fields.bearings.isEmpty
    case .own(.answersFor): fields.answersFor != nil
    case .own(.offeredChoices): !fields.choices.isEmpty
    case .own: name == "precision"
    case .computed: false
    }
  }
}
