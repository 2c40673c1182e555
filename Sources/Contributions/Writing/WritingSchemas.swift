import Devices
import PrivacyMap
import Service

/// The OpenAPI schemas of devices in requests.
enum WritingSchemas {
  static var all: [JSONSchema.Named] {
    JSONSchema.named([
      "sentDevice": sentDevice, "devicePatch": devicePatch, "location": .point,
    ])
  }

  /// A device in a request. Members that only the server sets may be sent back and are ignored.
  private static var sentDevice: JSONSchema {
    [
      "type": .oneOf(["Feature"]), "id": .text.optional, "geometry": .point.optional,
      "properties": sentProperties(required: ["name", "category"]), "links": .links.optional,
      "comment": .text.optional,
    ]
  }

  /// JSON Merge Patch of a device (RFC 7396).
  private static var devicePatch: JSONSchema {
    [
      "geometry": .point.optional, "properties": sentProperties(required: []).optional,
      "comment": .text.optional,
    ]
  }

  private static func sentProperties(required: Set<String>) -> JSONSchema {
    let properties = DeviceProperty.all.map { property in
      (
        property.name,
        required.contains(property.name)
          ? property.schema.orNull : property.schema.orNull.optional
      )
    }
    return .object(
      properties + DeviceForm.asides.sorted().map { ($0, .text(maximum: 500).optional) })
  }
}
