import JSON
package import PrivacyMap
package import Service

/// The OpenAPI schemas of devices.
package enum DeviceSchemas {
  static var all: [JSONSchema.Named] {
    JSONSchema.named([
      "device": device(), "devices": .page(of: "device", with: ListSupplement.schemas),
      "sentDevice": sentDevice,
      "devicePatch": devicePatch, "location": .point,
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
    return .object(properties + DeviceForm.asides.sorted().map { ($0, .text(most: 500).optional) })
  }

  /// A device in a response; `photos` replaces the schema of its photos.
  package static func device(photos: JSONSchema? = nil) -> JSONSchema {
    let properties = DeviceProperty.all.map { property in
      let schema = property.kind == .photos ? photos : nil
      return (property.name, (schema ?? property.schema.orNull).optional)
    }
    return [
      "type": .oneOf(["Feature"]), "id": .uuid.optional, "geometry": .point,
      "properties": .object(properties), "links": .links.optional,
    ]
  }
}

extension DeviceProperty {
  /// The schema of the property's values other than null.
  package var schema: JSONSchema {
    switch kind {
    case .text, .licence: .text
    case .integer: .integer
    case .number: .number
    case .flag: .flag
    case .time: .time
    case .day: .day
    case .codes: .list(of: .text)
    case .numbers: .list(of: .number)
    case .offeredChoices, .claims: .list(of: .object)
    case .photos: .list(of: PhotoSchemas.shown)
    case .answersFor, .source, .references, .tags, .registered, .statement: .object
    }
  }
}
