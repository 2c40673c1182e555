import JSON

/// One parameter of an operation, for the checks of the router and for the OpenAPI document.
package struct Parameter: Sendable {
  /// The location of the value in a request.
  package enum Location: String, Sendable { case query, path }

  /// The accepted values, as an OpenAPI 3.0 schema.
  package indirect enum Schema: Sendable {
    case text(maxLength: Int = 200)
    case integer(minimum: Int, maximum: Int, byDefault: Int? = nil)
    case number, boolean
    /// An ISO 8601 day.
    case date
    /// `minimum` through `maximum` numbers separated by commas.
    case numbers(minimum: Int, maximum: Int)
    /// Codes separated by commas.
    case codes([String])
    /// One of a few codes.
    case oneOf([String], byDefault: String? = nil)
    /// One of a few URIs.
    case uri([String], byDefault: String)
    /// Several values, by repeating the parameter.
    case repeated(Schema)
  }

  package let name: String
  package let location: Location
  package let schema: Schema
  /// The effect of the parameter, in a sentence.
  package let description: String
  /// Whether requests without it are refused. Parameters of the path always are required.
  package let isRequired: Bool

  package static func query(
    _ name: String, _ schema: Schema, _ description: String, isRequired: Bool = false
  ) -> Parameter {
    Parameter(
      name: name, location: .query, schema: schema, description: description,
      isRequired: isRequired)
  }

  package static func path(_ name: String, _ schema: Schema, _ description: String) -> Parameter {
    Parameter(
      name: name, location: .path, schema: schema, description: description, isRequired: true)
  }

  /// The Parameter Object of OpenAPI 3.0.3 §4.7.12.
  ///
  /// `style` and `explode` are written explicitly because the OGC test suite checks for them.
  package static let shape = JSONShape<Parameter>(
    nil, .text("name", \.name), .text("in", \.location.rawValue),
    .text("description", \.description), .flag("required", \.isRequired),
    .text("style") { $0.location == .path ? "simple" : "form" },
    .flag("explode") { if case .repeated = $0.schema { true } else { false } },
    .object("schema", \.schema.described.keywords))
}

extension Parameter.Schema {
  var described: JSONSchema {
    func byDefault(_ value: JSONValue?, _ schema: JSONSchema) -> JSONSchema {
      value.map { schema.with("default", $0) } ?? schema
    }
    return switch self {
    case .text(let maxLength): .text(maximum: Int64(maxLength))
    case .integer(let minimum, let maximum, let value):
      byDefault(value?.json, .integer(Int64(minimum)...Int64(maximum)))
    case .number: .number
    case .boolean: .flag
    case .date: .day
    case .numbers(let minimum, let maximum):
      .list(of: .number).with("minItems", minimum.json).with("maxItems", maximum.json)
    case .codes(let codes): .list(of: .oneOf(codes))
    case .oneOf(let words, let value): byDefault(value?.json, .oneOf(words))
    case .uri(let uris, let value):
      JSONSchema.uri.with("enum", uris.json).with("default", .string(value))
    case .repeated(let schema): .list(of: schema.described)
    }
  }
}
