import JSON
import PrivacyMap

/// Compares JSON with a schema of the OpenAPI document.
struct SchemaCheck {
  let document: JSONValue

  /// The faults of a response of an endpoint, such as `GET /api/places`. Other media types than JSON, and
  /// files of lines each of which is JSON, have none.
  func faults(
    ofResponseTo endpoint: String, status: Int, type: String?, body: [UInt8]
  ) throws -> [String] {
    let parts = endpoint.split(separator: " ").map(String.init)
    guard parts.count == 2, let type, type.contains("json") else { return [] }
    let operation = document["paths"]?[parts[1]]?[parts[0].lowercased()]
    let content = operation?["responses"]?["\(status)"]?["content"]?.objectValue
    guard
      let schema = content?.members.first(where: { type.hasPrefix($0.key) })?.value["schema"],
      schema["format"] != "binary"
    else { return [] }
    return faults(of: try JSONValue(parsing: body), against: schema)
  }

  /// The faults of a value, each with its path. Members that the schema does not declare are faults.
  func faults(of value: JSONValue, against schema: JSONValue, at path: String = "$") -> [String] {
    let schema = resolved(schema)
    if let parts = schema["oneOf"]?.arrayValue {
      let isNull = value.isNull && schema["nullable"]?.boolValue == true
      let isOne = parts.contains { faults(of: value, against: $0, at: path).isEmpty }
      return isNull || isOne ? [] : ["\(path): none of oneOf"]
    }
    if value.isNull {
      return schema["nullable"]?.boolValue == true ? [] : ["\(path): null"]
    }
    var found = faultsOfValue(value, schema, path)
    if let items = value.arrayValue, let item = schema["items"] {
      for (place, element) in items.enumerated() {
        found += faults(of: element, against: item, at: "\(path)[\(place)]")
      }
    }
    if let object = value.objectValue { found += faults(ofMembers: object, schema, path) }
    return found
  }

  private func faultsOfValue(
    _ value: JSONValue, _ schema: JSONValue, _ path: String
  ) -> [String] {
    var found: [String] = []
    if let type = schema["type"]?.stringValue, !Self.isOf(type, value) {
      found.append("\(path): not of type \(type)")
    }
    if let words = schema["enum"]?.arrayValue, !words.contains(value) {
      found.append("\(path): not in enum")
    }
    if let least = schema["minimum"]?.numberValue, let number = value.numberValue, number < least {
      found.append("\(path): below \(least)")
    }
    if let format = schema["format"]?.stringValue, let text = value.stringValue,
      !Self.isIn(format, text)
    {
      found.append("\(path): not in format \(format)")
    }
    return found
  }

  private func faults(
    ofMembers object: JSONObject, _ schema: JSONValue, _ path: String
  ) -> [String] {
    var found: [String] = []
    for name in required(schema) where object[name] == nil {
      found.append("\(path).\(name): missing")
    }
    let properties = properties(schema)
    for member in object.members {
      if let declared = properties[member.key] {
        found += faults(of: member.value, against: declared, at: "\(path).\(member.key)")
      } else if let others = schema["additionalProperties"] {
        found += faults(of: member.value, against: others, at: "\(path).\(member.key)")
      } else if !properties.members.isEmpty {
        found.append("\(path).\(member.key): not declared")
      }
    }
    return found
  }

  private func resolved(_ schema: JSONValue) -> JSONValue {
    guard let text = schema["$ref"]?.stringValue else { return schema }
    let name = text.split(separator: "/").last.map(String.init) ?? ""
    return document["components"]?["schemas"]?[name].map(resolved) ?? [:]
  }

  /// The members of an object, or of all parts of a composed object.
  private func properties(_ schema: JSONValue) -> JSONObject {
    let parts = (schema["allOf"]?.arrayValue ?? []).map { properties(resolved($0)).members }
    return JSONObject((schema["properties"]?.objectValue?.members ?? []) + parts.joined())
  }

  private func required(_ schema: JSONValue) -> [String] {
    (schema["required"]?.arrayValue ?? []).compactMap(\.stringValue)
      + (schema["allOf"]?.arrayValue ?? []).flatMap { required(resolved($0)) }
  }

  private static func isOf(_ type: String, _ value: JSONValue) -> Bool {
    switch type {
    case "string": value.stringValue != nil
    case "integer": value.intValue != nil
    case "number": value.numberValue != nil
    case "boolean": value.boolValue != nil
    case "array": value.arrayValue != nil
    case "object": value.objectValue != nil
    default: false
    }
  }

  private static func isIn(_ format: String, _ text: String) -> Bool {
    switch format {
    case "date": Day(text: text) != nil
    case "date-time": Timestamp(text: text) != nil
    case "uuid": DeviceID(text: text) != nil
    default: true
    }
  }
}
