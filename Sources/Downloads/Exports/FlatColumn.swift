import Devices
package import PrivacyMap

/// One column of the tabular exports (CSV, GeoPackage).
///
/// Generated from ``DeviceProperty``: an object becomes several columns, lists are joined by
/// semicolons. Nested documents (claims, photos, statements) are not included; the device's address has
/// them.
package struct FlatColumn: Sendable {
  /// The type of a value.
  package enum Kind: Equatable, Sendable {
    case text, integer, number, flag, time, day
    /// Decimal degrees with at most seven decimals.
    case degrees
    /// A JSON array of codes or numbers in the table, joined by semicolons in the file.
    case list
    /// A part of the credits of the record.
    case credit(Credit)
    /// `namespace:key`, joined by semicolons.
    case references
    /// A JSON array of the offered choices, as the API writes them.
    case choices
    /// A JSON object.
    case tags
    /// The address of the device's page, from its id.
    case address
  }

  /// A part of ``ExportCredit``.
  package enum Credit: Sendable { case name, licence, attribution, url }

  package let name: String
  package let kind: Kind
  /// The SQL expression in `device` joined with `operator`; nil for values from other tables.
  package let sql: String?
  /// Whether it is left out of records coarser than exact.
  var isHiddenWhenCoarse = false

  /// Every column, in order.
  package static let all: [FlatColumn] =
    [
      FlatColumn(name: "id", kind: .text, sql: "device.id"),
      FlatColumn(name: "longitude", kind: .degrees, sql: "device.longitude"),
      FlatColumn(name: "latitude", kind: .degrees, sql: "device.latitude"),
    ] + DeviceProperty.exported.flatMap(Self.columns) + [
      FlatColumn(name: "url", kind: .address, sql: "device.id")
    ]

  private static func columns(of property: DeviceProperty) -> [FlatColumn] {
    func one(_ kind: Kind, from column: String?) -> [FlatColumn] {
      [
        FlatColumn(
          name: property.name, kind: kind, sql: column,
          isHiddenWhenCoarse: property.isHiddenWhenCoarse)
      ]
    }
    switch property.kind {
    case .text: return one(.text, from: property.columns.first)
    case .integer: return one(.integer, from: property.columns.first)
    case .number: return one(.number, from: property.columns.first)
    case .flag: return one(.flag, from: property.columns.first)
    case .time: return one(.time, from: property.columns.first)
    case .day: return one(.day, from: property.columns.first)
    case .codes, .numbers: return one(.list, from: property.columns.first)
    case .offeredChoices:
      return one(.list, from: property.columns.first) + [
        FlatColumn(name: "choice_details", kind: .choices, sql: nil)
      ]
    case .references: return one(.references, from: nil)
    case .tags: return one(.tags, from: nil)
    case .answersFor:
      return property.columns.map { column in
        let member = column.drop { $0 != "." }.dropFirst()
        let name = member == "name" ? property.name : "\(property.name)_\(member)"
        // As in filters and statistics.
        let sql = member == "kind" ? "COALESCE(\(column), 'unknown')" : column
        return FlatColumn(name: name, kind: .text, sql: sql)
      }
    case .source:
      return [
        FlatColumn(name: "source", kind: .credit(.name), sql: nil),
        FlatColumn(name: "licence", kind: .credit(.licence), sql: nil),
        FlatColumn(name: "attribution", kind: .credit(.attribution), sql: nil),
        FlatColumn(name: "source_url", kind: .credit(.url), sql: nil),
      ]
    // The credits of the source contain the licence.
    case .licence: return []
    case .claims, .photos, .statement, .registered: return []
    }
  }
}

extension DeviceProperty {
  /// The properties that exports contain: all except nested documents.
  package static let exported = all.filter { property in
    switch property.kind {
    case .claims, .photos, .statement, .registered: false
    default: true
    }
  }
}

/// The statement for tabular exports, and the position of each column in its rows.
package struct FlatSelection: Sendable {
  /// `SELECT … FROM …`, without a WHERE clause.
  package let sql: String
  /// Each column with its position in a row; columns from other tables have no position.
  let columns: [(column: FlatColumn, place: Int)]

  /// The rowid of the device.
  static let rowid = 0
  /// Whether the record is coarser than exact.
  static let isCoarse = 1
  /// The rowid of its source.
  static let source = 2

  package init(_ wanted: [FlatColumn] = FlatColumn.all) {
    var selected = ["device.rowid", "device.precision <> 'exact'", "device.source_rowid"]
    columns = wanted.map { column in
      guard let sql = column.sql else { return (column, -1) }
      selected.append(sql)
      return (column, selected.count - 1)
    }
    sql = "SELECT \(selected.joined(separator: ", ")) FROM \(DeviceStore.tables)"
  }
}
