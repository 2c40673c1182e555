import Devices
package import JSON
import PrivacyMap

/// A property of the features of a further collection.
package struct CollectionProperty: Equatable, Sendable {
  /// The type of its values, determined from the file.
  package enum Kind: String, CaseIterable, Sendable {
    case boolean, integer, number, date, timestamp
    /// An array of texts.
    case texts
    case text
  }

  package let name: String
  package let kind: Kind

  package init(name: String, kind: Kind) {
    self.name = name
    self.kind = kind
  }

  /// The field for filters. `place` is the index of the property in its collection.
  func field(at place: Int) -> FilterField {
    // JSON keys are indexes, so that no name of a file becomes part of an SQL statement.
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

  /// Properties in the form of the `collection` table.
  package static func json(_ properties: [CollectionProperty]) -> JSONValue {
    .array(properties.map { ["name": .string($0.name), "kind": .string($0.kind.rawValue)] })
  }

  /// Reads ``json(_:)``.
  package static func list(_ text: String) -> [CollectionProperty] {
    let values = (try? JSONValue(parsing: Array(text.utf8)).arrayValue) ?? []
    return values.compactMap { value in
      guard let name = value["name"]?.stringValue,
        let kind = value["kind"]?.stringValue.flatMap(Kind.init(rawValue:))
      else { return nil }
      return CollectionProperty(name: name, kind: kind)
    }
  }
}

/// Determines the type of a property from all of its values.
package struct PropertyTally {
  /// The types that are still possible.
  private var candidates = Set(CollectionProperty.Kind.allCases)
  private var isEmpty = true
  /// Whether all values are texts that may represent other types, as in CSV.
  package let isLoose: Bool

  package init(isLoose: Bool) { self.isLoose = isLoose }

  /// The most specific kind that fits all values; text if none does.
  package var kind: CollectionProperty.Kind {
    if isEmpty { return .text }
    return CollectionProperty.Kind.allCases.first { candidates.contains($0) } ?? .text
  }

  package mutating func add(_ value: JSONValue) {
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

/// Boolean values in texts of a table, as written by Python (`True`), R (`TRUE`) and others.
private enum LooseTruth {
  static func value(_ text: String) -> Bool? {
    switch text {
    case "true", "True", "TRUE": true
    case "false", "False", "FALSE": false
    default: nil
    }
  }
}

/// Numbers in texts of a table. `007` is a code, not a number.
private enum LooseNumber {
  static func value(_ text: String) -> JSONValue? {
    guard let first = text.utf8.first, first == UInt8(ascii: "-") || (48...57).contains(first)
    else { return nil }
    // JSON numbers have no leading zeros, no plus sign and no hexadecimal form.
    return try? JSONValue(parsing: Array(text.utf8))
  }
}

extension CollectionProperty.Kind {
  /// The stored form of a value; null if there is no value.
  package func stored(_ value: JSONValue) -> JSONValue {
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
      // Values of a property with mixed types are stored as text.
      var json = JSONWriter()
      json.value(value)
      return .string(String(decoding: json.bytes, as: UTF8.self))
    }
  }
}
