/// One JSON value as defined by RFC 8259, completely in memory.
///
/// Numbers keep their kind: `1` is an ``integer(_:)``, `1.0` and `1e3` are a ``double(_:)``. An
/// integer that does not fit into 64 bits becomes the nearest ``double(_:)``.
package enum JSONValue: Equatable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case double(Double)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)
}

extension JSONValue {
  /// Whether this is `null`.
  package var isNull: Bool { self == .null }

  /// The text of a string. Nil for other kinds.
  package var stringValue: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// An integer, or a double without a fraction that fits into 64 bits.
  package var intValue: Int? {
    switch self {
    case .integer(let value): Int(exactly: value)
    case .double(let value): Int(exactly: value)
    default: nil
    }
  }

  /// The number as a double, from either kind.
  package var numberValue: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }

  /// The Boolean value. Nil for other kinds, including numbers.
  package var boolValue: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The elements of an array. Nil for other kinds.
  package var arrayValue: [JSONValue]? {
    if case .array(let value) = self { value } else { nil }
  }

  /// The members of an object. Nil for other kinds.
  package var objectValue: JSONObject? {
    if case .object(let value) = self { value } else { nil }
  }

  /// The member of an object by name. Nil if it is absent or this is not an object.
  package subscript(_ key: String) -> JSONValue? {
    if case .object(let object) = self { object[key] } else { nil }
  }

  /// The element of an array. Nil if the index is out of range or this is not an array.
  package subscript(_ index: Int) -> JSONValue? {
    guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
  }
}

/// The members of a JSON object in document order.
package struct JSONObject: Equatable, Sendable {
  /// Names and values, in document order. Names are unique in a parsed object.
  package var members: [(key: String, value: JSONValue)]

  package init(_ members: [(key: String, value: JSONValue)] = []) {
    self.members = members
  }

  /// The value of the member `key`. Nil if it is absent.
  ///
  /// Setting replaces the member in its position or appends it. Setting nil removes it.
  package subscript(_ key: String) -> JSONValue? {
    get { members.first { $0.key == key }?.value }
    set {
      if let index = members.firstIndex(where: { $0.key == key }) {
        if let newValue { members[index].value = newValue } else { members.remove(at: index) }
      } else if let newValue {
        members.append((key, newValue))
      }
    }
  }

  package static func == (left: JSONObject, right: JSONObject) -> Bool {
    left.members.elementsEqual(right.members) { $0.key == $1.key && $0.value == $1.value }
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    members = elements.map { (key: $0.0, value: $0.1) }
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(floatLiteral value: Double) { self = .double(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  package init(nilLiteral: ()) { self = .null }

  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(JSONObject(elements.map { (key: $0.0, value: $0.1) }))
  }
}

extension JSONValue {
  /// A text, number or Boolean as text. Nil for null, lists and objects.
  package var scalarText: String? {
    switch self {
    case .string(let text): text
    case .integer(let number): String(number)
    case .double(let number): Int(exactly: number).map(String.init) ?? "\(number)"
    case .bool(let flag): flag ? "true" : "false"
    case .null, .array, .object: nil
    }
  }
}
