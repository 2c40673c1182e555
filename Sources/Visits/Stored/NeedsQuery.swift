import Devices
import PrivacyMap
import SpatialDatabase

/// Finds public devices with an open request or with a reason in their data.
struct NeedsQuery: Sendable {
  /// A device with its reasons.
  struct Found: Sendable {
    let device: VisitedDevice
    let needs: [DeviceNeed]
    /// The open request, if there is one.
    let request: Request?

    /// The reason of the request comes first.
    var reasons: [VisitReason] {
      let found = needs.map(VisitReason.init).filter {
        !device.isOfHousehold || $0.isSeenFromStreet
      }
      guard let asked = request?.reason else { return found }
      return [asked] + found.filter { $0 != asked }
    }
  }

  /// The public facts of an open request.
  struct Request: Sendable {
    let id: String
    let reason: VisitReason
    let isOpen: Bool
    let askedOn: String
  }

  /// Any of these reasons; empty for all.
  var reasons: [VisitReason] = []
  /// Any of these categories; empty for all.
  var categories: [String] = []
  var onlyAsked = false
  let today: Day

  /// SQL with its bound values.
  typealias Statement = (sql: String, values: [SQLValue])

  private var columns: Statement {
    let conditions = DeviceNeed.allCases.map { $0.condition(on: today) }
    return (
      """
      \(VisitedDevice.columns), \(conditions.map { "(\($0.sql))" }.joined(separator: ", ")),
      visit_request.id, visit_request.reason, visit_request.state, visit_request.asked_at
      """, conditions.flatMap(\.values)
    )
  }

  private static let tables = """
    \(DeviceStore.tables) LEFT JOIN visit_request
      ON visit_request.device_rowid = device.rowid AND visit_request.closed_at IS NULL
    """

  /// Whether the data of a device have a reason for which a visit is possible.
  private func need(_ reason: VisitReason) -> Statement? {
    reason.need.map { need in
      let (sql, values) = need.condition(on: today)
      return reason.isSeenFromStreet
        ? (sql, values) : ("\(sql) AND NOT \(Self.isOfHousehold)", values)
    }
  }

  /// Whether a device matches.
  private var condition: Statement {
    let wanted = reasons.isEmpty ? VisitReason.allCases : reasons
    let needs = onlyAsked ? [] : wanted.compactMap(need)
    let asked = wanted.map { SQLValue.text($0.rawValue) }
    let isAsked =
      "visit_request.reason IN (\(asked.map { _ in "?" }.joined(separator: ", ")))"
    let any = [isAsked] + needs.map { "(\($0.sql))" }
    var sql = "device.hidden = 0 AND NOT (\(Self.isPrivate)) AND (\(any.joined(separator: " OR ")))"
    var values = asked + needs.flatMap(\.values)
    if !categories.isEmpty {
      sql += " AND device.category IN (\(categories.map { _ in "?" }.joined(separator: ", ")))"
      values += categories.map { .text($0) }
    }
    return (sql, values)
  }

  /// A device with an unknown operator or setting does not count as inside a home.
  private static let isPrivate = "coalesce(\(DeviceNeed.isInHome), \(falsehood))"
  private static let isOfHousehold = "coalesce(\(DeviceNeed.isOfHousehold), \(falsehood))"
  private static let falsehood = "device.hidden <> device.hidden"

  private static func found(_ row: Row) -> Found {
    let first = VisitedDevice.count
    let needs = DeviceNeed.allCases.enumerated().filter { row.bool(first + $0.offset) }
      .map(\.element)
    let asked = first + DeviceNeed.allCases.count
    let request = row.optionalText(asked).map { id in
      Request(
        id: id, reason: VisitReason(rawValue: row.text(asked + 1)) ?? .stillThere,
        isOpen: row.text(asked + 2) == VisitState.open.rawValue,
        askedOn: String(row.text(asked + 3).prefix(10)))
    }
    return Found(device: VisitedDevice(row), needs: needs, request: request)
  }

  /// The devices in a box, latest first, before a row.
  func devices(
    in box: BoundingBox, before last: Int64, limit: Int, _ connection: borrowing Connection
  ) throws -> [Found] {
    var all: [Found] = []
    let (columns, condition) = (columns, condition)
    for half in box.halves {
      let sql = """
        SELECT \(columns.sql) FROM \(Self.tables)
        WHERE \(connection.within("device")) AND device.rowid < ? AND \(condition.sql)
        ORDER BY device.rowid DESC LIMIT ?
        """
      let values =
        columns.values + Self.values(half) + [.integer(last)] + condition.values
        + [SQLValue(limit)]
      all += try connection.rows(sql, values, decode: Self.found)
    }
    return Array(all.sorted { $0.device.rowid > $1.device.rowid }.prefix(limit))
  }

  private static func values(_ box: BoundingBox) -> [SQLValue] {
    [.real(box.west), .real(box.south), .real(box.east), .real(box.north)]
  }

  /// The devices nearest to a place, within a distance.
  func devices(
    near place: Coordinate, within metres: Double, limit: Int, _ connection: borrowing Connection
  ) throws -> [Found] {
    var all: [Found] = []
    let (columns, condition) = (columns, condition)
    for half in BoundingBox(around: place, metres: metres).halves {
      let sql = """
        SELECT \(columns.sql) FROM \(Self.tables)
        WHERE \(connection.within("device")) AND \(condition.sql)
        ORDER BY \(connection.nearness("device")), device.rowid LIMIT ?
        """
      let values =
        columns.values + Self.values(half) + condition.values
        + connection.nearnessArguments(longitude: place.longitude, latitude: place.latitude)
        + [SQLValue(limit)]
      all += try connection.rows(sql, values, decode: Self.found)
    }
    return Array(
      all.map { ($0, $0.device.place.distance(to: place)) }.filter { $0.1 <= metres }
        .sorted { ($0.1, $0.0.device.rowid) < ($1.1, $1.0.device.rowid) }
        .prefix(limit).map(\.0))
  }

  /// One device with its reasons; nil if it is not public.
  func device(_ row: Int64, _ connection: borrowing Connection) throws -> Found? {
    let columns = columns
    return try connection.first(
      "SELECT \(columns.sql) FROM \(Self.tables) WHERE device.rowid = ? AND device.hidden = 0",
      columns.values + [.integer(row)], decode: Self.found)
  }
}
