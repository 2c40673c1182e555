package import CQL2
package import PrivacyMap
package import Reference
package import SpatialDatabase

/// A filter of devices, as lists, tiles, counts and exports read it from the query parameters.
///
/// Different conditions are combined with AND, the values of one condition with OR.
package struct DeviceFilter: Equatable, Sendable {
  package var box: BoundingBox?
  /// The area of the requested place.
  package var place: PlaceArea?
  package var changed: TimeRange?
  package var categories: [String] = []
  /// Each term includes its descendants.
  package var dataCollected: [String] = []
  package var choices: [String] = []
  package var operators: [String] = []
  package var operatorKinds: [Operator.Kind] = []
  package var settings: [Setting] = []
  /// Empty means ``DeviceStatus/standing``.
  package var statuses: [DeviceStatus] = []
  package var freshness: [Freshness] = []
  package var countries: [String] = []
  /// Licences of records.
  package var licences = Licences()
  /// Search words, all of which must match.
  package var words: String?
  /// A filter in CQL2 whose property names were already checked against ``DeviceQueryables``.
  package var expression: Filter?

  package init() {}

  /// Whether the point index alone can answer; otherwise SQL is needed.
  var isAnsweredByIndex: Bool {
    changed == nil && operators.isEmpty && words == nil && licences.isEmpty && expression == nil
  }

  /// Whether most cells of `device_listing` with a matching device have no other devices of its category.
  var fillsCells: Bool {
    var rest = self
    (rest.box, rest.place, rest.categories) = (nil, nil, [])
    // The cells on the edges of a box of a few cells have as many other devices.
    let areLarge = [box, place?.box].compactMap(\.self).allSatisfy { box in
      let width = box.halves.reduce(0) { $0 + $1.east - $1.west }
      return min(width, box.north - box.south) >= 4 / ListingKey.cellsPerDegree
    }
    return areLarge && rest == DeviceFilter()
  }

  /// The statuses to return: those of the parameter; without it the standing ones, and any other one
  /// whose code the filter contains. A filter such as `NOT (status = 'reported')` thus finds only
  /// devices that the list without a filter has.
  package var effectiveStatuses: [DeviceStatus] {
    if !statuses.isEmpty { return statuses }
    return DeviceStatus.allCases.filter { status in
      DeviceStatus.standing.contains(status)
        || expression?.compares("status", with: status.rawValue) == true
    }
  }
}

/// Licences of records; a record matches if it is under any of them.
package struct Licences: Equatable, Sendable {
  /// Names, as the sources give them.
  package var names: [String] = []
  /// Whether the licence of contributions to this instance is one of them.
  package var coversOwn = false

  package init() {}

  var isEmpty: Bool { names.isEmpty }
}

/// The times from `start` through `end`; nil is an open end.
package struct TimeRange: Equatable, Sendable {
  package var start: Timestamp?
  package var end: Timestamp?

  /// Reads the `datetime` parameter of OGC API – Features (17-069r4, §7.15.4): an instant, or an
  /// interval in which `..` or an empty text is an open end. A day means all of it, in UTC.
  ///
  /// - Returns: nil when the text is neither, or when the end is before the start.
  package init?(text: String) {
    let parts = text.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    if parts.count == 1 {
      guard let start = Self.moment(parts[0], "00:00:00"),
        let end = Self.moment(parts[0], "23:59:59")
      else { return nil }
      (self.start, self.end) = (start, end)
      return
    }
    guard parts.count == 2 else { return nil }
    let ends = zip(parts, ["00:00:00", "23:59:59"]).map { part, time -> Timestamp?? in
      part.isEmpty || part == ".." ? .some(nil) : Self.moment(part, time).map { .some($0) }
    }
    guard let start = ends[0], let end = ends[1], start != nil || end != nil else { return nil }
    if let start, let end, end < start { return nil }
    (self.start, self.end) = (start, end)
  }

  /// A moment, or this time of a day.
  private static func moment(_ text: Substring, _ time: String) -> Timestamp? {
    Day(text: text) == nil ? Timestamp(text: text) : Timestamp(text: "\(text)T\(time)Z")
  }
}

extension DeviceFilter {
  /// The WHERE clause over `device` and `operator`, and its arguments.
  ///
  /// - Parameters:
  ///   - vocabulary: the categories and terms that the filter names.
  ///   - today: the day to which freshness refers.
  ///   - includesHidden: whether the filter includes devices that are not public.
  ///   - usesTree: whether the R*Tree finds the devices of boxes. Without it, the statement compares the position of each
  ///     device that it finds otherwise.
  ///   - connection: the connection that runs the statement.
  /// - Returns: the clause, and the values of its `?` in order.
  /// - Throws: ``InvalidFilter`` if ``expression`` was not checked against the fields before.
  package func condition(
    vocabulary: Vocabulary, today: Day, includesHidden: Bool = false, usesTree: Bool = true,
    connection: borrowing Connection
  ) throws -> (sql: String, arguments: [SQLValue]) {
    var clauses = [includesHidden ? "1 = 1" : "device.hidden = 0"]
    var arguments: [SQLValue] = []
    func isOneOf(_ column: String, _ values: [String]) {
      guard !values.isEmpty else { return }
      clauses.append("\(column) IN (\(Self.marks(values.count)))")
      arguments += values.map { .text($0) }
    }
    // The R-tree also stores the category, so a single category is looked up there.
    let isInTree = usesTree && categories.count == 1
    let category = isInTree ? vocabulary.category(categories[0])?.number : nil
    for box in [box, place?.box].compactMap({ $0 }) {
      let halves = box.halves
      let within =
        if !usesTree {
          """
          (device.longitude >= ? AND device.latitude >= ? AND device.longitude <= ? AND device.latitude <= ?)
          """
        } else if category == nil {
          connection.within("device")
        } else {
          connection.within("device", alongWith: "category")
        }
      clauses.append("(" + halves.map { _ in within }.joined(separator: " OR ") + ")")
      arguments += halves.flatMap { half -> [SQLValue] in
        let edges: [SQLValue] = [half.west, half.south, half.east, half.north].map { .real($0) }
        return edges + (category.map { [SQLValue(Int($0)), SQLValue(Int($0))] } ?? [])
      }
    }
    switch place {
    case .region(let region, _):
      let inside = connection.inside(region, "device")
      clauses.append(inside.sql)
      arguments += inside.arguments
    case .country(let code): isOneOf("device.country", [code])
    case .box, nil: break
    }
    isOneOf("device.category", categories)
    isOneOf("device.status", effectiveStatuses.map(\.rawValue))
    isOneOf("device.setting", settings.map(\.rawValue))
    isOneOf("device.country", countries)
    isOneOf("COALESCE(operator.kind, 'unknown')", operatorKinds.map(\.rawValue))
    isOneOf("operator.name", operators)
    if !licences.isEmpty {
      let own = licences.coversOwn ? "device.source_rowid IS NULL OR " : ""
      clauses.append(
        """
        (\(own)device.source_rowid IN (
          SELECT rowid FROM source WHERE licence IN (\(Self.marks(licences.names.count)))))
        """)
      arguments += licences.names.map { .text($0) }
    }
    for (column, codes) in [
      ("device.data_collected", dataWithDescendants(vocabulary)), ("device.choices", choices),
    ] where !codes.isEmpty {
      clauses.append(connection.jsonContainsAny(column, count: codes.count))
      arguments += codes.map { .text($0) }
    }
    if !freshness.isEmpty {
      let ranges = freshness.map { range in Self.days(of: range, today: today) }
      clauses.append(
        "(" + ranges.map { _ in "device.stale_on BETWEEN ? AND ?" }.joined(separator: " OR ") + ")")
      arguments += ranges.flatMap { [.text($0.lowerBound.text), .text($0.upperBound.text)] }
    }
    if let start = changed?.start {
      clauses.append("device.updated_at >= ?")
      arguments.append(.text(start.text))
    }
    if let end = changed?.end {
      clauses.append("device.updated_at <= ?")
      arguments.append(.text(end.text))
    }
    if let words {
      let found = Self.finding(words, vocabulary, connection)
      clauses.append(found.sql)
      arguments += found.arguments
    }
    if let expression {
      let filter = try FilterSQL.condition(
        expression, fields: DeviceQueryables.fields(connection))
      clauses.append("(\(filter.sql))")
      arguments += filter.arguments
    }
    return (clauses.joined(separator: " AND "), arguments)
  }

  /// A condition: the device contains all words, or is of a category that they name.
  private static func finding(
    _ words: String, _ vocabulary: Vocabulary, _ connection: borrowing Connection
  ) -> (sql: String, arguments: [SQLValue]) {
    guard let query = connection.searchText(SearchText.indexed(words)) else { return ("1 = 0", []) }
    let text = connection.matches("device")
    guard let named = categories(in: words, vocabulary) else { return (text, [.text(query)]) }
    let other = inCategories(named, connection)
    return ("(\(text) OR \(other.sql))", [.text(query)] + other.arguments)
  }

  func dataWithDescendants(_ vocabulary: Vocabulary) -> [String] {
    vocabulary.canonical(
      dataCollected.flatMap { vocabulary.withDescendants(of: $0, in: .data) }, in: .data)
  }

  /// The range of stale days that corresponds to a freshness today.
  package static func days(of freshness: Freshness, today: Day) -> ClosedRange<Day> {
    let now = today.daysSinceEpoch
    return switch freshness {
    case .stale: Day(daysSinceEpoch: -719_000)...today
    case .due:
      Day(daysSinceEpoch: now + 1)...Day(daysSinceEpoch: now + Freshness.dueDays)
    case .fresh:
      Day(daysSinceEpoch: now + Freshness.dueDays + 1)...Day(daysSinceEpoch: 2_932_896)
    }
  }

  private static func marks(_ count: Int) -> String {
    Array(repeating: "?", count: count).joined(separator: ", ")
  }
}
