import SpatialDatabase

/// One column of the exports that are tables (CSV, GeoPackage).
///
/// They are made from ``DeviceProperty``: what has members becomes several columns, lists are joined by
/// semicolons. Documents of their own (claims, photos, statements) stand at the device's address.
package struct FlatColumn: Sendable {
  /// What a value is.
  enum Kind: Equatable, Sendable {
    case text, integer, number, flag, time, day
    /// Decimal degrees with at most seven decimals.
    case degrees
    /// A JSON array of codes or numbers in the table, joined by semicolons in the file.
    case list
    /// Of the credits of the record.
    case credit(Credit)
    /// `namespace:key`, joined by semicolons.
    case references
    /// A JSON object.
    case tags
  }

  /// A part of ``ExportCredit``.
  enum Credit: Sendable { case name, licence, attribution, url }

  let name: String
  let kind: Kind
  /// Where it stands in `device` joined with `operator`; nil where it comes from elsewhere.
  let sql: String?
  /// Whether a record coarser than exact leaves it out.
  var isHiddenWhenCoarse = false

  /// Every column, in order.
  static let all: [FlatColumn] =
    [
      FlatColumn(name: "id", kind: .text, sql: "device.id"),
      FlatColumn(name: "longitude", kind: .degrees, sql: "device.longitude"),
      FlatColumn(name: "latitude", kind: .degrees, sql: "device.latitude"),
    ] + DeviceProperty.exported.flatMap(Self.columns)

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
    case .codes, .numbers, .offeredChoices: return one(.list, from: property.columns.first)
    case .references: return one(.references, from: nil)
    case .tags: return one(.tags, from: nil)
    case .answersFor:
      return property.columns.map { column in
        let member = column.drop { $0 != "." }.dropFirst()
        let name = member == "name" ? property.name : "\(property.name)_\(member)"
        return FlatColumn(name: name, kind: .text, sql: column)
      }
    case .source:
      return [
        FlatColumn(name: "source", kind: .credit(.name), sql: nil),
        FlatColumn(name: "licence", kind: .credit(.licence), sql: nil),
        FlatColumn(name: "attribution", kind: .credit(.attribution), sql: nil),
        FlatColumn(name: "source_url", kind: .credit(.url), sql: nil),
      ]
    case .claims, .photos, .statement, .registered: return []
    }
  }
}

extension DeviceProperty {
  /// What exports carry of a device: all but what is a document of its own.
  static let exported = all.filter { property in
    switch property.kind {
    case .claims, .photos, .statement, .registered: false
    default: true
    }
  }
}

/// The statement that tables are exported from, and where in its rows each column stands.
struct FlatSelection: Sendable {
  /// `SELECT … FROM …`, without a condition.
  let sql: String
  /// Each column with its place in a row; those from elsewhere have none.
  let columns: [(column: FlatColumn, place: Int)]

  /// The row id of the device.
  static let rowid = 0
  /// Whether the record is coarser than exact.
  static let isCoarse = 1
  /// The row id of its source.
  static let source = 2

  init(_ wanted: [FlatColumn] = FlatColumn.all) {
    var selected = ["device.rowid", "device.precision <> 'exact'", "device.source_rowid"]
    columns = wanted.map { column in
      guard let sql = column.sql else { return (column, -1) }
      selected.append(sql)
      return (column, selected.count - 1)
    }
    sql = "SELECT \(selected.joined(separator: ", ")) FROM \(DeviceStore.tables)"
  }
}
