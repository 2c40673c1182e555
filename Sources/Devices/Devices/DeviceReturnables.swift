package import JSON
import PrivacyMap
import Service

/// All properties of a device in responses, as members of a JSON Schema (OGC API – Features Part 5,
/// 23-058r2, “returnables and receivables”).
package enum DeviceReturnables {
  package static var properties: JSONObject {
    var members: [(key: String, value: JSONValue)] = [
      ("id", ["type": "string", "format": "uuid", "readOnly": true, "x-ogc-role": "id"]),
      ("geometry", ["format": "geometry-point", "x-ogc-role": "primary-geometry"]),
    ]
    members += DeviceProperty.all.map { ($0.name, $0.returnable) }
    return JSONObject(members)
  }
}

extension DeviceProperty {
  fileprivate var returnable: JSONValue {
    var schema = schema
    if !isEntered { schema = schema.with("readOnly", true) }
    // The parameter `datetime` of lists refers to it.
    if name == "updated_at" { schema = schema.with("x-ogc-role", "primary-instant") }
    return schema.value
  }
}
