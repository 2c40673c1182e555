import JSON
package import PrivacyMap
package import Service

/// The OpenAPI schemas of devices.
package enum DeviceSchemas {
  static var all: [JSONSchema.Named] {
    JSONSchema.named([
      "device": device(), "devices": .page(of: "device", with: ListSupplement.schemas),
    ])
  }

  /// The public members of a photo.
  package static let photo: JSONSchema = [
    "id": .uuid, "alt": .text(maximum: 300), "width": .integer, "height": .integer, "url": .text,
    "thumb": .text,
  ]

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
  /// The schema of the property's values other than null: their type and, where people set them, the accepted values.
  package var schema: JSONSchema {
    switch entry {
    case .text(_, let length, _):
      .text(Int64(length.lowerBound)...Int64(length.upperBound))
    case .word(_, let words): .oneOf(words)
    case .code(_, let scheme): .text.with("description", .string(Self.codes(of: scheme)))
    case .codes(_, let scheme, _):
      JSONSchema.list(of: .text).with("description", .string(Self.codes(of: scheme)))
    case .integer(_, let range): .integer(Int64(range.lowerBound)...Int64(range.upperBound))
    case .number(_, let numbers): numbers.schema
    case .duration, .date, .day, .bearings, .own, .computed: kind.schema
    }
  }

  private static func codes(of scheme: Scheme) -> String {
    "Codes of the taxonomy at /api/taxonomies/\(scheme.rawValue)."
  }
}

extension DeviceProperty.Numbers {
  /// A number with its limits, and its unit as OGC API – Features Part 5 (23-058r2) declares it.
  fileprivate var schema: JSONSchema {
    let schema = JSONSchema.number.with("minimum", .double(range.lowerBound))
      .with("maximum", .double(range.upperBound))
      .with("x-ogc-unit", .string(unit.rawValue))
    // OpenAPI 3.0 has a flag where JSON Schema has a number.
    return isAboveLowest ? schema.with("exclusiveMinimum", true) : schema
  }
}

extension DeviceProperty.Kind {
  /// The schema of values of this type.
  fileprivate var schema: JSONSchema {
    switch self {
    case .text, .licence: .text
    case .integer: .integer
    case .number: .number
    case .flag: .flag
    case .time: .time
    case .day: .day
    case .codes: .list(of: .text)
    case .numbers: .list(of: .number)
    case .offeredChoices, .claims: .list(of: .object)
    case .photos: .list(of: DeviceSchemas.photo)
    case .answersFor, .source, .references, .tags, .registered, .statement: .object
    }
  }
}
