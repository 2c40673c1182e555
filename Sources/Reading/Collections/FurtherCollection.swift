import Filters
import Service
package import SpatialDatabase
import WebServer

/// A collection other than the devices: imported data of others, read-only.
package struct FurtherCollection: Sendable {
  package let rowid: Int64
  package let id: String
  package let title: String
  let description: String
  let licence: String
  package let attribution: String
  let url: String?
  let properties: [CollectionProperty]
  /// The index of the property to which `datetime` refers.
  let timeProperty: Int?
  let count: Int
  /// West, south, east, north; nil if no feature has a geometry.
  let box: [Double]?
  let interval: [String?]
  let createdAt: String

  /// The fields for filters. `geometry` is the shape. A property named `geometry`, or with the name of
  /// an earlier property, cannot be used in filters.
  let fields: [String: FilterField]

  static let geometry = FilterField(
    .geometry, "feature.geometry",
    withinBox: """
      feature.rowid IN (
        SELECT tree.rowid
        FROM (SELECT CAST(? AS DOUBLE PRECISION) AS w, CAST(? AS DOUBLE PRECISION) AS s,
          CAST(? AS DOUBLE PRECISION) AS e, CAST(? AS DOUBLE PRECISION) AS n) AS box
        CROSS JOIN collection_feature_box AS tree
        WHERE tree.west <= box.e AND tree.east >= box.w AND tree.south <= box.n
          AND tree.north >= box.s)
      """)

  private static let selection = """
    SELECT rowid, id, title, description, licence, attribution, url, properties, time_property,
      feature_count, west, south, east, north, starts, ends, created_at
    FROM collection
    """

  private init(_ row: Row) {
    rowid = row.int(0)
    id = row.text(1)
    title = row.text(2)
    description = row.text(3)
    licence = row.text(4)
    attribution = row.text(5)
    url = row.optionalText(6)
    properties = CollectionProperty.list(row.text(7))
    timeProperty = row.optionalInt(8).map { Int($0) }
    count = Int(row.int(9))
    box = row.isNull(10) ? nil : (10...13).map { row.double($0) }
    interval = [row.optionalText(14), row.optionalText(15)]
    createdAt = row.text(16)
    var fields = ["geometry": Self.geometry]
    for (place, property) in properties.enumerated() where fields[property.name] == nil {
      fields[property.name] = property.field(at: place)
    }
    self.fields = fields
  }

  /// The collection with an id.
  ///
  /// - Throws: ``NotFound``.
  package static func named(_ id: String, _ connection: borrowing Connection) throws
    -> FurtherCollection
  {
    let found = try connection.first(
      selection + " WHERE id = ? AND state = 'ready'", [.text(id)]
    ) { FurtherCollection($0) }
    guard let found else { throw NotFound.collection }
    return found
  }

  /// The collection in the path of a request.
  ///
  /// - Throws: ``NotFound``.
  static func asked(by request: Request, in database: Database) throws -> FurtherCollection {
    try database.readQuickly { try named(request.parameter("collectionId"), $0) }
  }

  /// All collections, ordered by title.
  package static func all(_ connection: borrowing Connection) throws -> [FurtherCollection] {
    try connection.rows(selection + " WHERE state = 'ready' ORDER BY title, id") {
      FurtherCollection($0)
    }
  }
}
