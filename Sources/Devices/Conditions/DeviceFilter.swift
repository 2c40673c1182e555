import CQL2
import Locking
package import PrivacyMap
package import SpatialDatabase

/// A filter of devices, as lists, tiles, counts and exports read it from the query parameters.
///
/// Different conditions are combined with AND, the values of one condition with OR.
package struct DeviceFilter: Sendable {
  /// At most one of each type.
  package var conditions: [any DeviceCondition]

  package init(_ conditions: [any DeviceCondition] = []) { self.conditions = conditions }

  /// The condition of a type; nil if the filter does not contain it.
  package subscript<Condition: DeviceCondition>(_ type: Condition.Type) -> Condition? {
    get {
      for condition in conditions { if let found = condition as? Condition { return found } }
      return nil
    }
    set {
      let place = conditions.firstIndex { $0 is Condition }
      if let place { conditions.remove(at: place) }
      if let newValue { conditions.insert(newValue, at: place ?? conditions.endIndex) }
    }
  }

  /// Whether most cells of `device_listing` with a matching device have no other devices of its category.
  var fillsCells: Bool { conditions.allSatisfy(\.fillsCells) }

  /// The statuses to return: the parameter's values. Without the parameter, these are the standing statuses and any
  /// other status whose code the filter contains. A filter such as `NOT (status = 'reported')` thus finds only devices
  /// that the list without a filter has.
  package var statuses: [DeviceStatus] {
    if let named = self[StatusCondition.self] { return named.codes }
    let expression = self[ExpressionCondition.self]?.filter
    return DeviceStatus.allCases.filter { status in
      DeviceStatus.standing.contains(status)
        || expression?.compares("status", with: status.rawValue) == true
    }
  }

  /// The WHERE clause over `device` and `operator`, and its arguments.
  ///
  /// - Parameters:
  ///   - vocabulary: the categories and terms that the filter names.
  ///   - today: the day to which freshness refers.
  ///   - includesHidden: whether the filter includes devices that are not public.
  ///   - usesTree: whether the R*Tree finds the devices of boxes. Without it, the statement compares the position of
  ///     each device that it finds otherwise.
  ///   - connection: the connection that runs the statement.
  /// - Returns: the clause, and the values of its `?` in order.
  /// - Throws: ``InvalidFilter`` if the expression was not checked against the fields before.
  package func condition(
    vocabulary: Vocabulary, today: Day, includesHidden: Bool = false, usesTree: Bool = true,
    connection: borrowing Connection
  ) throws -> (sql: String, arguments: [SQLValue]) {
    var whole = self
    whole[StatusCondition.self] = StatusCondition(codes: statuses)
    let categories = usesTree ? self[CategoryCondition.self]?.codes ?? [] : []
    var clauses = FilterClauses(
      includesHidden ? "1 = 1" : "device.hidden = 0", vocabulary, today: today, usesTree: usesTree,
      categoryInTree: categories.count == 1 ? vocabulary.category(categories[0])?.number : nil)
    for condition in whole.conditions { try condition.write(to: &clauses, connection) }
    return (clauses.sql, clauses.arguments)
  }

  /// The filter in terms of the point index.
  ///
  /// - Returns: nil when it uses data that the index does not contain.
  package func pointFilter(vocabulary: Vocabulary, today: Day) -> PointFilter? {
    var points = PointFilter()
    for condition in conditions where !condition.narrow(&points, vocabulary, today: today) {
      return nil
    }
    // An expression, which may name other statuses, is not in the index.
    if points.statuses == nil { points.statuses = Self.standing }
    return points
  }

  /// The filter in terms of the point index, with the one condition that the index lacks, such as words, replaced by
  /// the set of matching rows.
  ///
  /// Up to `few` rows are found faster in the table, one by one, than by a scan of the index.
  ///
  /// - Returns: nil when it uses further data that the index lacks, or when at most `few` rows match.
  /// - Throws: an error of the database, and ``TooCostly`` on a thread that serves sockets if the index lacks data.
  package func pointFilter(
    vocabulary: Vocabulary, today: Day, few: Int = 2_000, _ connection: borrowing Connection
  ) throws -> PointFilter? {
    var points = PointFilter()
    var other: (any DeviceCondition)?
    for condition in conditions where !condition.narrow(&points, vocabulary, today: today) {
      try SocketThread.leave()
      guard other == nil else { return nil }
      other = condition
    }
    if let other, try !other.narrow(&points, vocabulary, few: few, connection) { return nil }
    if points.statuses == nil { points.statuses = Self.standing }
    return points
  }

  private static let standing = CodeSet(DeviceStatus.standing.map { IndexNumber.of($0) })

  /// The conditions that a change did not concern: a device meets them as it did before.
  ///
  /// - Returns: nil if the device did not meet another one before the change.
  package func unchanged(
    since former: some FormerDevice, _ connection: borrowing Connection
  ) throws -> DeviceFilter? {
    var unchanged: [any DeviceCondition] = []
    for condition in conditions {
      guard let held = try condition.held(on: former, connection) else {
        unchanged.append(condition)
        continue
      }
      guard held else { return nil }
    }
    return DeviceFilter(unchanged)
  }
}
