import JSON
import PrivacyMap

/// A property of the features of a further collection.
struct CollectionProperty: Equatable, Sendable {
  /// What its values are, as its file shows.
  enum Kind: String, CaseIterable, Sendable {
    case boolean, integer, number, date, timestamp
    /// An array of texts.
    case texts
    case text
  }

  let name: String
  let kind: Kind

  /// How filters see it; `place` is where it stands among the properties of its collection.
  func field(at place: Int) -> FilterField {
    // Keys are places, so that no name of a file stands in a statement.
    let value = "json_extract(feature.properties, '$.\"\(place)\"')"
    return switch kind {
    case .boolean: FilterField(.boolean, value)
    case .integer, .number: FilterField(.number, value)
    case .date: FilterField(.date, value)
    case .timestamp: FilterField(.timestamp, value)
    case .texts: FilterField(.texts, value)
    case .text: FilterField(.text, value)
    }
  }

  /// Properties as the `collection` table keeps them.
  static func json(_ properties: [CollectionProperty]) -> JSONValue {
    .array(properties.map { ["name": .string($0.name), "kind": .string($0.kind.rawValue)] })
  }

  /// Reads ``json(_:)``.
  static func list(_ text: String) -> [CollectionProperty] {
    let values = (try? JSONValue(parsing: Array(text.utf8)).arrayValue) ?? []
    return values.compactMap { value in
      guard let name = value["name"]?.stringValue,
        let kind = value["kind"]?.stringValue.flatMap(Kind.init(rawValue:))
      else { return nil }
      return CollectionProperty(name: name, kind: kind)
    }
  }
}

/// Finds out what the values of one property are, by looking at all of them.
struct PropertyTally {
  /// What they may still be.
  private var candidates = Set(CollectionProperty.Kind.allCases)
  private var isEmpty = true
  /// Whether all values are texts that may stand for something else, as in CSV.
  let isLoose: Bool

  init(isLoose: Bool) { self.isLoose = isLoose }

  /// The narrowest kind that holds all values; text where there is none.
  var kind: CollectionProperty.Kind {
    if isEmpty { return .text }
    return CollectionProperty.Kind.allCases.first { candidates.contains($0) } ?? .text
  }

  mutating func add(_ value: JSONValue) {
    guard !value.isNull else { return }
    isEmpty = false
    candidates.formIntersection(Self.kinds(of: value, isLoose: isLoose))
  }

  private static func kinds(
    of value: JSONValue, isLoose: Bool
  ) -> Set<CollectionProperty.Kind> {
    switch value {
    case .bool: return [.boolean, .text]
    case .integer: return [.integer, .number, .text]
    case .double: return [.number, .text]
    case .array(let values):
      return values.allSatisfy { $0.stringValue != nil } ? [.texts, .text] : [.text]
    case .string(let text): return kinds(of: text, isLoose: isLoose)
    case .object, .null: return [.text]
    }
  }

  private static func kinds(of text: String, isLoose: Bool) -> Set<CollectionProperty.Kind> {
    var kinds: Set<CollectionProperty.Kind> = [.text]
    if Day(text: text) != nil { kinds.insert(.date) }
    if Timestamp(text: text) != nil { kinds.insert(.timestamp) }
    guard isLoose else { return kinds }
    if LooseTruth.value(text) != nil { kinds.insert(.boolean) }
    switch LooseNumber.value(text) {
    case .integer: kinds.formUnion([.integer, .number])
    case .double: kinds.insert(.number)
    default: break
    }
    return kinds
  }
}

/// Truth values in the texts of a table, as Python (`True`), R (`TRUE`) and others write them.
private enum LooseTruth {
  static func value(_ text: String) -> Bool? {
    switch text {
    case "true", "True", "TRUE": true
    case "false", "False", "FALSE": false
    default: nil
    }
  }
}

/// Numbers in the texts of a table. `007` is a code, not a number.
private enum LooseNumber {
  static func value(_ text: String) -> JSONValue? {
    guard let first = text.utf8.first, first == UInt8(ascii: "-") || (48...57).contains(first)
    else { return nil }
    // The grammar of JSON has no leading zeros, no plus and no hexadecimals.
    return try? JSONValue(parsing: Array(text.utf8))
  }
}

extension CollectionProperty.Kind {
  /// A value of a file as it is kept; null where there is none.
  func stored(_ value: JSONValue) -> JSONValue {
    switch (self, value) {
    case (_, .null): return .null
    case (.text, .string), (.texts, .array), (.boolean, .bool), (.integer, .integer),
      (.number, .integer), (.number, .double), (.date, .string):
      return value
    case (.timestamp, .string(let text)):
      return Timestamp(text: text).map { .string($0.text) } ?? .null
    case (.boolean, .string(let text)):
      return LooseTruth.value(text).map { .bool($0) } ?? .null
    case (.integer, .string(let text)), (.number, .string(let text)):
      return LooseNumber.value(text) ?? .null
    default:
      // A property of several kinds is kept as text.
      var json = JSONWriter()
      json.value(value)
      return .string(String(decoding: json.bytes, as: UTF8.self))
    }
  }
}
