package import JSON
import PrivacyMap
package import Service

/// All properties of a device in responses, as members of a JSON Schema (OGC API – Features Part 5,
/// 23-058r2, “returnables and receivables”).
package enum DeviceReturnables {
  package static func properties(_ addresses: Addresses) -> JSONObject {
    var members: [(key: String, value: JSONValue)] = [
      ("id", ["type": "string", "format": "uuid", "readOnly": true, "x-ogc-role": "id"]),
      ("geometry", ["format": "geometry-point", "x-ogc-role": "primary-geometry"]),
    ]
    members += DeviceProperty.all.map { ($0.name, $0.returnable(addresses)) }
    return JSONObject(members)
  }
}

extension DeviceProperty {
  fileprivate func returnable(_ addresses: Addresses) -> JSONValue {
    var schema = schema
    if let scheme {
      let codes = addresses.url("/api/taxonomies/\(scheme.rawValue)")
      schema = schema.with("x-ogc-codelistUri", .string(codes))
    }
    if !isEntered { schema = schema.with("readOnly", true) }
    // The parameter `datetime` of lists refers to it.
    if name == "updated_at" { schema = schema.with("x-ogc-role", "primary-instant") }
    return schema.inDraft2020
  }

  /// The taxonomy of its codes.
  private var scheme: Scheme? {
    switch entry {
    case .code(_, let scheme), .codes(_, let scheme, _): scheme
    default: nil
    }
  }
}
