import CQL2
import Devices
import Filters
import PrivacyMap
import Service
import SpatialDatabase
import WebServer

/// Selects features of a further collection. All parameters are combined into one CQL2 filter.
struct FeatureQuery {
  let collection: FurtherCollection
  /// Nil for all of them.
  let filter: Filter?

  /// The parameters that OGC API – Features Part 1 requires for collections, and filters of Part 3.
  static let declared: [Parameter] =
    [
      .query(
        "bbox", .numbers(minimum: 4, maximum: 6),
        "Features that intersect this box, and those without a geometry: west, south, east, north. "
          + "A west greater than east crosses the antimeridian."),
      CoordinateSystem.ofBox,
      .query(
        "datetime", .text(maxLength: 100),
        "Features of this moment or interval (RFC 3339), and those without a time."),
    ] + FilterParameters.declared

  /// `own` are the names of further parameters of the endpoint.
  ///
  /// - Throws: ``InvalidInput`` with the invalid or unknown parameter.
  init(
    _ query: Query, of collection: FurtherCollection, own: Set<String>,
    limits: FilterLimits = FilterLimits()
  ) throws {
    let names = own.union(Self.declared.map(\.name))
    let properties = QueryableParameters(collection.fields, except: names)
    for name in query.names where !names.contains(name) && properties.fields[name] == nil {
      throw InvalidInput(name, Message("error.unknown_parameter"))
    }
    var parts = try properties.conditions(query)
    let given = try FilterParameters.filter(query, fields: collection.fields, limits: limits)
    if let given {
      parts.append(given)
    }
    if let box = try BoundingBox(query) {
      let shape = Geometry.box(west: box.west, south: box.south, east: box.east, north: box.north)
      parts.append(Self.meets(shape, orNothing: true))
    }
    if let times = try Self.times(query, of: collection) { parts.append(times) }
    filter = parts.count > 1 ? .and(parts) : parts.first
    self.collection = collection
  }

  /// Features that intersect a shape; with `orNothing` also features without a geometry.
  static func meets(_ shape: Geometry, orNothing: Bool) -> Filter {
    let meets = Filter.spatial(.intersects, .property("geometry"), .geometry(shape))
    return orNothing ? .or([meets, .isNull(.property("geometry"))]) : meets
  }

  private static func times(_ query: Query, of collection: FurtherCollection) throws -> Filter? {
    guard let range = try TimeRange(query) else { return nil }
    guard let place = collection.timeProperty, place < collection.properties.count else {
      return nil
    }
    let time = Operand.property(collection.properties[place].name)
    func end(_ moment: Timestamp?) -> Operand? { moment.map { .timestamp(Moment($0)) } }
    return .or([
      .temporal(.intersects, time, .interval(end(range.start), end(range.end))), .isNull(time),
    ])
  }

  /// The SQL condition over `collection_feature AS feature`, and its arguments.
  func condition() throws -> (sql: String, arguments: [SQLValue]) {
    var sql = "feature.collection_rowid = ?"
    var arguments: [SQLValue] = [.integer(collection.rowid)]
    if let filter {
      let more = try FilterSQL.condition(filter, fields: collection.fields)
      sql += " AND (\(more.sql))"
      arguments += more.arguments
    }
    return (sql, arguments)
  }

  /// The number of matching features.
  func count(_ connection: borrowing Connection) throws -> Int {
    guard filter != nil else { return collection.count }
    let condition = try condition()
    return Int(
      try connection.integer(
        "SELECT count(*) FROM collection_feature AS feature WHERE \(condition.sql)",
        condition.arguments) ?? 0)
  }
}
