package import CQL2
package import PrivacyMap
package import Service
package import SpatialDatabase
package import WebServer

/// One condition of a list of devices, such as `category=webcam,alpr`: its parameters, and how each reader of a filter
/// evaluates it.
///
/// Lists, tiles, statistics, feeds, exports, live changes and watches ask the conditions of a ``DeviceFilter`` for the
/// form that they need and know none of them by name. A new condition is one type in ``DeviceParameters/kinds``, or in
/// the ``FilteringFeature/conditions`` of a feature. It needs parameters and SQL; with the other forms it is faster or
/// more exact.
package protocol DeviceCondition: Sendable {
  /// Its query parameters.
  static func parameters(_ vocabulary: Vocabulary) -> [Parameter]
  /// Whether the filter of a watch can have it. The area of a watch selects the place, and a watch is about changes
  /// from now on.
  static var isForWatches: Bool { get }

  /// Reads it; nil if the query does not have its parameters.
  ///
  /// - Throws: ``InvalidInput`` with the name of the invalid parameter.
  init?(_ query: Query, _ parameters: DeviceParameters) throws

  /// The condition that combines `known` with a part of a filter in CQL2; nil if it cannot express that part.
  static func narrowed(_ known: Self?, by part: Filter, _ vocabulary: Vocabulary) -> Self?

  /// Adds its SQL over `device` and `operator`.
  func write(to clauses: inout FilterClauses, _ connection: borrowing Connection) throws

  /// Restricts a filter of the point index.
  ///
  /// - Returns: false if the index lacks its data.
  func narrow(_ points: inout PointFilter, _ vocabulary: Vocabulary, today: Day) -> Bool

  /// Restricts a filter of the point index to rows that the database finds.
  ///
  /// - Returns: false if this is slower than SQL over the table, as for up to `few` rows.
  func narrow(
    _ points: inout PointFilter, _ vocabulary: Vocabulary, few: Int,
    _ connection: borrowing Connection
  ) throws -> Bool

  /// Whether a device met it before a change; nil if it did as it does now. Only asked if the index lacks its data,
  /// because the entry of the device in the index is known for both moments.
  func held(on former: some FormerDevice, _ connection: borrowing Connection) throws -> Bool?

  /// Whether most cells of `device_listing` with a matching device have no other devices of its category.
  var fillsCells: Bool { get }
}

extension DeviceCondition {
  package static var isForWatches: Bool { true }
  package static func narrowed(_: Self?, by _: Filter, _: Vocabulary) -> Self? { nil }
  package func narrow(_: inout PointFilter, _: Vocabulary, today _: Day) -> Bool { false }
  package func narrow(
    _: inout PointFilter, _: Vocabulary, few _: Int, _: borrowing Connection
  ) throws -> Bool { false }
  package func held(on _: some FormerDevice, _: borrowing Connection) throws -> Bool? { nil }
  package var fillsCells: Bool { false }
}

/// A feature that contributes conditions.
package protocol FilteringFeature: Feature {
  static var conditions: [any DeviceCondition.Type] { get }
}

/// A device before a change, with the values that the point index does not contain.
package protocol FormerDevice {
  var vocabulary: Vocabulary { get }
  /// The code of its category.
  var category: String { get }
  /// The properties with another value after the change.
  var changed: Set<String> { get }

  /// The name of its recorded operator.
  func operatorName(_ connection: borrowing Connection) throws -> String?
  /// Its name and its description.
  func texts(_ connection: borrowing Connection) throws -> [String]
}

/// The WHERE clause of a filter.
package struct FilterClauses {
  package let vocabulary: Vocabulary
  /// The day to which freshness refers.
  package let today: Day
  /// Whether the R*Tree finds the devices of boxes.
  let usesTree: Bool
  /// The number of the only category, which is looked up in the R*Tree together with boxes.
  let categoryInTree: UInt8?
  private var clauses: [String]
  private(set) var arguments: [SQLValue] = []

  init(
    _ clause: String, _ vocabulary: Vocabulary, today: Day, usesTree: Bool, categoryInTree: UInt8?
  ) {
    clauses = [clause]
    (self.vocabulary, self.today) = (vocabulary, today)
    (self.usesTree, self.categoryInTree) = (usesTree, categoryInTree)
  }

  var sql: String { clauses.joined(separator: " AND ") }

  package mutating func add(_ clause: String, _ arguments: [SQLValue]) {
    clauses.append(clause)
    self.arguments += arguments
  }

  mutating func isOneOf(_ column: String, _ values: [String]) {
    // PostgreSQL accepts no empty list.
    guard !values.isEmpty else { return add("1 = 0", []) }
    add("\(column) IN (\(SQLValue.marks(values.count)))", values.map { .text($0) })
  }
}
