import Filters
import Foundation
import JSON
import PrivacyMap
import Service
import SpatialDatabase
import WebServer

/// One layer of an uploaded GeoPackage (OGC 12-128r19), which is an SQLite file.
///
/// Only real tables are read, because a view or a virtual table could run code chosen by its author.
package struct GeoPackageFile: FeatureFile {
  private let file: ReadOnlyFile
  private let table: String
  private let geometryColumn: String
  private let columns: [Column]
  private let system: CoordinateSystem

  package let isLoose = false
  package let kinds: [String: CollectionProperty.Kind]

  private struct Column {
    let name: String
    let isKey: Bool
    /// The kind for the declared type (12-128r19, table 1), in capital letters; nil for any other type.
    let kind: CollectionProperty.Kind?

    init(name: String, isKey: Bool, type: String) {
      self.name = name
      self.isKey = isKey
      kind =
        switch type.prefix(while: { $0 != "(" }) {
        case "BOOLEAN": .boolean
        case "TINYINT", "SMALLINT", "MEDIUMINT", "INT", "INTEGER": .integer
        case "FLOAT", "DOUBLE", "REAL": .number
        case "TEXT": .text
        case "DATE": .date
        case "DATETIME": .timestamp
        default: nil
        }
    }
  }

  /// The first bytes of every SQLite file.
  package static let mark = Array("SQLite format 3\0".utf8)

  /// - Parameters:
  ///   - path: the file.
  ///   - layer: the name of the layer; nil if there is only one.
  /// - Throws: ``InvalidInput`` for `file` or `layer`.
  package init(path: String, layer: String?) throws {
    do { file = try ReadOnlyFile(path: path, readers: 1, timeLimit: .seconds(600)) } catch {
      throw Self.unreadable("it is not a database")
    }
    do {
      (table, geometryColumn, columns, system) = try file.read { connection in
        try Self.layer(layer, connection)
      }
      kinds = Dictionary(
        columns.compactMap { column in column.kind.map { (column.name, $0) } },
        uniquingKeysWith: { first, _ in first })
    } catch let fault as DatabaseFault {
      try? file.close()
      throw Self.unreadable("\(fault.kind)")
    } catch {
      try? file.close()
      throw error
    }
  }

  private static func unreadable(_ why: String) -> InvalidInput {
    InvalidInput.refused("file", "error.collection.geopackage", ["reason": why])
  }

  private static func layer(
    _ wanted: String?, _ connection: borrowing Connection
  ) throws -> (String, String, [Column], CoordinateSystem) {
    let layers = try connection.rows(
      """
      SELECT contents.table_name, geometry.column_name, system.organization,
        system.organization_coordsys_id
      FROM gpkg_contents AS contents
      JOIN gpkg_geometry_columns AS geometry ON geometry.table_name = contents.table_name
      JOIN gpkg_spatial_ref_sys AS system ON system.srs_id = geometry.srs_id
      JOIN sqlite_master AS master ON master.name = contents.table_name
      WHERE contents.data_type = 'features' AND master.type = 'table'
        AND master.sql NOT LIKE 'CREATE VIRTUAL%'
      ORDER BY contents.table_name
      """
    ) { ($0.text(0), $0.text(1), $0.text(2), $0.int(3)) }
    let names = layers.map(\.0).joined(separator: ", ")
    guard
      let found = wanted == nil && layers.count == 1
        ? layers.first
        : layers.first(where: { $0.0 == wanted })
    else {
      let message =
        layers.isEmpty
        ? Message("error.collection.no_layer")
        : Message("error.collection.layer", ["names": String(names.prefix(500))])
      throw InvalidInput([("layer", message)], status: .unprocessableContent)
    }
    let columns = try connection.rows(
      "SELECT name, pk, upper(type) FROM pragma_table_info(?)", [.text(found.0)]
    ) { Column(name: $0.text(0), isKey: $0.int(1) > 0, type: $0.text(2)) }
    guard columns.contains(where: { $0.name == found.1 }) else {
      throw unreadable("gpkg_geometry_columns")
    }
    return (
      found.0, found.1, columns.filter { $0.name != found.1 }, try system(found.2, found.3)
    )
  }

  private static func system(_ organization: String, _ code: Int64) throws -> CoordinateSystem {
    switch (organization.uppercased(), code) {
    // GeoPackage stores longitude before latitude in every reference system (clause 2.1.3.1.1).
    case ("EPSG", 4326), ("EPSG", 4258), ("OGC", _): return .crs84
    case ("EPSG", 3857): return .epsg3857
    default:
      throw InvalidInput.refused(
        "file", "error.collection.system", ["system": "\(organization.prefix(20)):\(code)"])
    }
  }

  package func forEachFeature(_ body: (SourceFeature) throws -> Void) throws {
    let names = [geometryColumn] + columns.map(\.name)
    let sql =
      "SELECT \(names.map(Self.quoted).joined(separator: ", ")) FROM \(Self.quoted(table))"
    let keys = columns.indices.filter { columns[$0].isKey }
    var number = 0
    do {
      try file.read { connection in
        try connection.forEach(sql) { row in
          number += 1
          var feature = SourceFeature(number: number, properties: JSONObject())
          for (place, column) in columns.enumerated() {
            let value = Self.value(row.value(place + 1), isFlag: column.kind == .boolean)
            if keys == [place] { feature.key = value.intValue.map { "\($0)" } }
            if keys != [place] { feature.properties.members.append((column.name, value)) }
          }
          do throws(SourceFault) {
            feature.geometry = try geometry(row.optionalBlob(0))
          } catch { feature.fault = error }
          try body(feature)
        }
      }
    } catch let fault as DatabaseFault
      where [.corrupt, .notFarol, .unreadable].contains(fault.kind)
    {
      throw Self.unreadable("\(fault.kind)")
    }
  }

  /// A quoted SQL identifier.
  private static func quoted(_ name: String) -> String {
    "\"" + name.replacing("\"", with: "\"\"") + "\""
  }

  private static func value(_ value: SQLValue, isFlag: Bool) -> JSONValue {
    switch value {
    case .null, .blob: .null
    case .integer(let number): isFlag ? .bool(number != 0) : .integer(number)
    case .real(let number): number.isFinite ? .double(number) : .null
    case .text(let text): .string(text)
    }
  }

  /// Reads the binary format of clause 2.1.3: a header of 8 bytes, an envelope, well-known binary.
  private func geometry(_ blob: [UInt8]?) throws(SourceFault) -> Geometry? {
    guard let blob else { return nil }
    guard blob.count >= 8, blob.starts(with: Array("GP".utf8)) else { throw .geometry }
    let flags = blob[3]
    // Bit 4 marks an empty geometry.
    if flags & 0x10 != 0 { return nil }
    let envelope = [0, 32, 48, 48, 64]
    let size = Int(flags >> 1 & 0x07)
    guard size < envelope.count, blob.count >= 8 + envelope[size] else { throw .geometry }
    guard let shape = Geometry(wellKnownBinary: blob[(8 + envelope[size])...]),
      shape.fault == nil
    else { throw .geometry }
    return try SourceFault.checked { system == .epsg3857 ? shape.map(\.fromMercator) : shape }
  }
}

extension Geometry.Position {
  /// Converts metres of Web Mercator to degrees.
  var fromMercator: Geometry.Position {
    Geometry.Position(
      x / Earth.mercatorRadius * 180 / .pi, atan(sinh(y / Earth.mercatorRadius)) * 180 / .pi)
  }
}
