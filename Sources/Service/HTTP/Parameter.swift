package import JSON

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

  package static func query(
    _ name: String, _ schema: Schema, _ description: String
  ) -> Parameter {
    Parameter(name: name, location: .query, schema: schema, description: description)
  }

  package static func path(_ name: String, _ schema: Schema, _ description: String) -> Parameter {
    Parameter(name: name, location: .path, schema: schema, description: description)
  }

  /// The Parameter Object of OpenAPI 3.0.3 §4.7.12.
  ///
  /// `style` and `explode` are written explicitly because the OGC test suite checks for them.
  package func write(to json: inout JSONWriter) {
    json.beginObject()
    json.key("name")
    json.string(name)
    json.key("in")
    json.string(location.rawValue)
    json.key("description")
    json.string(description)
    json.key("required")
    json.bool(location == .path)
    json.key("style")
    json.string(location == .path ? "simple" : "form")
    json.key("explode")
    if case .repeated = schema { json.bool(true) } else { json.bool(false) }
    json.key("schema")
    schema.write(to: &json)
    json.endObject()
  }
}

extension Parameter.Schema {
  func write(to json: inout JSONWriter) {
    json.beginObject()
    json.key("type")
    switch self {
    case .text(let maxLength):
      json.string("string")
      json.key("maxLength")
      json.integer(maxLength)
    case .integer(let minimum, let maximum, let byDefault):
      json.string("integer")
      json.key("minimum")
      json.integer(minimum)
      json.key("maximum")
      json.integer(maximum)
      if let byDefault {
        json.key("default")
        json.integer(byDefault)
      }
    case .number: json.string("number")
    case .boolean: json.string("boolean")
    case .date:
      json.string("string")
      json.key("format")
      json.string("date")
    case .numbers(let minimum, let maximum):
      json.string("array")
      json.key("minItems")
      json.integer(minimum)
      json.key("maxItems")
      json.integer(maximum)
      json.key("items")
      json.raw("{\"type\":\"number\"}")
    case .codes(let codes):
      json.string("array")
      json.key("items")
      Self.oneOf(codes).write(to: &json)
    case .oneOf(let words, let byDefault):
      json.string("string")
      json.key("enum")
      json.strings(words)
      if let byDefault {
        json.key("default")
        json.string(byDefault)
      }
    case .uri(let uris, let byDefault):
      json.string("string")
      json.key("format")
      json.string("uri")
      json.key("enum")
      json.strings(uris)
      json.key("default")
      json.string(byDefault)
    case .repeated(let schema):
      json.string("array")
      json.key("items")
      schema.write(to: &json)
    }
    json.endObject()
  }
}
