import JSON
import Service

/// A schema of the OpenAPI document for readers: its members, their types, and which are required.
struct DocumentedShape {
  /// A part of a type description.
  enum Word {
    case text(String)
    /// The name of another shape.
    case shape(String)
  }

  struct Member {
    let name: String
    let kind: [Word]
    let isRequired: Bool
    /// Limits, codes and descriptions of the schema.
    let note: String
  }

  let name: String
  /// The type, if it has no members.
  let kind: [Word]
  let members: [Member]

  var anchor: String { Self.anchor(name) }

  static func anchor(_ name: String) -> String { "shape-\(name)" }

  /// All shapes, sorted by name.
  static func all(_ features: [(key: String, value: JSONValue)]) -> [DocumentedShape] {
    let schemas = OpenAPISchemas.components(features)["schemas"]?.objectValue?.members ?? []
    return schemas.map { DocumentedShape($0.key, $0.value) }
      .sorted { $0.name.lowercased() < $1.name.lowercased() }
  }

  init(_ name: String, _ schema: JSONValue) {
    self.name = name
    kind = Self.kind(of: schema)
    members = Self.members(of: schema)
  }

  /// The members of an object, or of all parts of a composed object.
  private static func members(of schema: JSONValue) -> [Member] {
    if let parts = schema["allOf"]?.arrayValue { return parts.flatMap(members) }
    let required = Set(schema["required"]?.arrayValue?.compactMap(\.stringValue) ?? [])
    return (schema["properties"]?.objectValue?.members ?? []).map { member in
      Member(
        name: member.key, kind: kind(of: member.value),
        isRequired: required.contains(member.key), note: note(on: member.value))
    }
  }

  private static func kind(of schema: JSONValue) -> [Word] {
    if let reference = schema["$ref"]?.stringValue {
      return [.shape(String(reference.split(separator: "/").last ?? ""))]
    }
    if let parts = schema["allOf"]?.arrayValue {
      let shapes = parts.map(kind)
      return Array(shapes.joined(separator: [.text(" + ")]))
    }
    if let parts = schema["oneOf"]?.arrayValue {
      return Array(parts.map(kind).joined(separator: [.text(" or ")]))
    }
    if schema["enum"] == [.null] { return [.text("null")] }
    let nothing: [Word] = schema["nullable"]?.boolValue == true ? [.text(" or null")] : []
    guard let type = schema["type"]?.stringValue else { return [.text("any value")] }
    if type == "array", let items = schema["items"] {
      return [.text("array of ")] + kind(of: items) + nothing
    }
    let format = schema["format"]?.stringValue.map { " (\($0))" } ?? ""
    return [.text(type + format)] + nothing
  }

  /// Codes and limits of a value, the member names of a nested object, and the description in the
  /// schema.
  private static func note(on schema: JSONValue) -> String {
    let inner = schema["items"] ?? schema
    var notes: [String] = []
    if let codes = inner["enum"]?.arrayValue?.compactMap(\.stringValue) {
      notes.append(codes.joined(separator: ", "))
    }
    if let minimum = schema["minimum"]?.numberValue {
      let isIncluded = schema["exclusiveMinimum"]?.boolValue != true
      notes.append("\(isIncluded ? "from" : "above") \(number(minimum))")
    }
    if let maximum = schema["maximum"]?.numberValue { notes.append("to \(number(maximum))") }
    if let unit = schema["x-ogc-unit"]?.stringValue { notes.append("unit \(unit)") }
    if let maximum = inner["maxLength"]?.intValue { notes.append("at most \(maximum) characters") }
    if let inside = inner["properties"]?.objectValue?.members, !inside.isEmpty {
      notes.append(inside.map(\.key).joined(separator: ", "))
    }
    if let words = schema["description"]?.stringValue { notes.append(words) }
    return notes.joined(separator: "; ")
  }

  private static func number(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? "\(Int64(value))" : "\(value)"
  }
}
