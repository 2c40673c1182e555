package import Filters
package import JSON
import PrivacyMap
import Service
import SpatialDatabase

/// The properties of devices that filters can name (OGC API – Features Part 3, “queryables”).
package enum DeviceQueryables {
  /// The names: every simple property, the public point, and the name and kind of the operator.
  static func fields(_ connection: borrowing Connection) -> [String: FilterField] {
    fields(withinBox: connection.within("device"))
  }

  /// The same without a database connection, for checking the names in a filter.
  package static let known = fields(withinBox: "")

  /// The declarations by name. Numbers have limits and a unit.
  package static var schemas: [String: JSONValue] {
    Dictionary(
      uniqueKeysWithValues: known.map { name, field in
        let property = field.kind == .number ? DeviceProperty.named(name) : nil
        return (name, property?.schema.inDraft2020 ?? field.schema)
      })
  }

  private static func fields(withinBox: String) -> [String: FilterField] {
    var fields: [String: FilterField] = [
      "geometry": FilterField(
        .geometry, "device.public_point", withinBox: withinBox, holdsPoints: true),
      "operator": FilterField(.text, "operator.name"),
      "operator_kind": FilterField(.text, "COALESCE(operator.kind, 'unknown')"),
    ]
    for property in DeviceProperty.all where property.isQueryable {
      guard fields[property.name] == nil, let kind = property.kind.filterKind,
        let column = property.columns.first
      else { continue }
      // An empty list means that the value is unknown.
      let sql = kind == .texts ? "NULLIF(\(column), '[]')" : column
      fields[property.name] = FilterField(kind, sql)
    }
    return fields
  }
}

extension DeviceProperty.Kind {
  /// The type of such values in filters; nil if filters cannot use them.
  fileprivate var filterKind: FilterField.Kind? {
    switch self {
    case .text: .text
    case .integer, .number: .number
    case .flag: .boolean
    case .time: .timestamp
    case .day: .date
    case .codes, .offeredChoices: .texts
    case .numbers, .answersFor, .source, .licence, .references, .tags, .claims, .photos,
      .statement, .registered:
      nil
    }
  }
}
