import Filters
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
  /// Whether the file has times without a zone, which are read as UTC.
  package let assumesUTC: Bool

  package init(name: String, kind: Kind, assumesUTC: Bool = false) {
    self.name = name
    self.kind = kind
    self.assumesUTC = assumesUTC
  }

  /// The property as a JSON Schema.
  var schema: JSONValue {
    var members = field(at: 0).schema.objectValue ?? JSONObject()
    if kind == .integer { members["type"] = "integer" }
    if assumesUTC { members["description"] = "The source states no time zone; read as UTC." }
    return .object(members)
  }

  /// The field for filters. `place` is the index of the property in its collection.
  func field(at place: Int) -> FilterField {
    // JSON keys are indexes, so that no name of a file becomes part of an SQL statement.
    let path = "feature.properties, '$.\"\(place)\"'"
    let value = "json_extract(\(path))"
    return switch kind {
    case .boolean:
      FilterField(
        .boolean, "CASE json_type(\(path)) WHEN 'true' THEN 1 WHEN 'false' THEN 0 END")
    case .integer: FilterField(.number, "CAST(\(value) AS BIGINT)")
    case .number: FilterField(.number, "CAST(\(value) AS DOUBLE PRECISION)")
    case .date: FilterField(.date, value)
    case .timestamp: FilterField(.timestamp, value)
    case .texts: FilterField(.texts, value)
    case .text: FilterField(.text, value)
    }
  }

  /// Properties in the form of the `collection` table.
  package static func json(_ properties: [CollectionProperty]) -> JSONValue {
    .array(
      properties.map { property in
        var members = JSONObject([
          ("name", .string(property.name)), ("kind", .string(property.kind.rawValue)),
        ])
        if property.assumesUTC { members["utc"] = true }
        return .object(members)
      })
  }

  /// Reads ``json(_:)``.
  package static func list(_ text: String) -> [CollectionProperty] {
    let values = (try? JSONValue(parsing: Array(text.utf8)).arrayValue) ?? []
    return values.compactMap { value in
      guard let name = value["name"]?.stringValue,
        let kind = value["kind"]?.stringValue.flatMap(Kind.init(rawValue:))
      else { return nil }
      return CollectionProperty(
        name: name, kind: kind, assumesUTC: value["utc"]?.boolValue ?? false)
    }
  }
}

/// Determines the type of a property from all of its values.
package struct PropertyTally {
  /// The types that are still possible.
  private var candidates = Set(CollectionProperty.Kind.allCases)
  private var isEmpty = true
  /// Whether a value is a time without a zone.
  private var lacksZone = false
  /// Whether all values are texts that may represent other types, as in CSV.
  package let isLoose: Bool
  /// The type that the file declares.
  package let declared: CollectionProperty.Kind?

  package init(isLoose: Bool, declared: CollectionProperty.Kind? = nil) {
    self.isLoose = isLoose
    self.declared = declared
  }

  /// The property with its kind.
  package func property(named name: String) -> CollectionProperty {
    CollectionProperty(name: name, kind: kind, assumesUTC: kind == .timestamp && lacksZone)
  }

  /// The declared kind if it fits all values; otherwise the most specific kind that does, text if there is
  /// none.
  package var kind: CollectionProperty.Kind {
    if let declared, candidates.contains(declared) { return declared }
    if isEmpty { return .text }
    return CollectionProperty.Kind.allCases.first { candidates.contains($0) } ?? .text
  }

  package mutating func add(_ value: JSONValue) {
    guard !value.isNull else { return }
    isEmpty = false
    if case .string(let text) = value, !lacksZone { lacksZone = ZonelessTime.value(text) != nil }
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
    if Timestamp(text: text) != nil || ZonelessTime.value(text) != nil { kinds.insert(.timestamp) }
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

/// Times without a zone, as many databases and programs write them: `2024-05-01T10:00:00` or with a space.
/// They are read as UTC.
private enum ZonelessTime {
  static func value(_ text: String) -> Timestamp? {
    guard text.utf8.count >= 16, text.utf8.count <= 40,
      let gap = text.utf8.dropFirst(10).first,
      gap == UInt8(ascii: "T") || gap == UInt8(ascii: " ")
    else { return nil }
    let time = text.dropFirst(11)
    guard time.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ":" || $0 == ".") }) else {
      return nil
    }
    // RFC 3339 needs seconds.
    let seconds = time.utf8.count == 5 ? ":00" : ""
    return Timestamp(text: "\(text.prefix(10))T\(time)\(seconds)Z")
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
      return (Timestamp(text: text) ?? ZonelessTime.value(text)).map { .string($0.text) } ?? .null
    case (.boolean, .string(let text)):
      return LooseTruth.value(text).map { .bool($0) } ?? .null
    case (.integer, .string(let text)), (.number, .string(let text)):
      return LooseNumber.value(text) ?? .null
    default:
      // Values of a property with mixed types are stored as text.
      return .string(value.text)
    }
  }
}
