import Devices
package import Service
package import SpatialDatabase

/// Items that wait for a decision: flags and reports, grouped by target, and contributions of new
/// accounts.
package struct QueueStore: InstancePart {
  /// Selects the kind, the number and the time of the oldest waiting items.
  private let counts: String

  package init(_ instance: Instance) {
    counts =
      (["SELECT kind, count(*), min(opened_at) FROM (\(Self.items)) AS item GROUP BY kind"]
      + instance.features.flatMap { $0.pending }.map(\.sql)).joined(separator: "\nUNION ALL\n")
  }

  /// The kind of an item that waits for a decision.
  package enum Kind: String, CaseIterable, Sendable {
    case flag, report, contribution, photo, verdict
    /// Lists of devices that contributors propose. They are counted, but are not items: each is decided on its own
    /// page.
    case list
    /// Planned mapping days, likewise.
    case mappingDay = "mapping_day"

    static let ofItems = allCases.filter { $0 != .list && $0 != .mappingDay }
  }

  /// One item.
  struct Item: Sendable {
    let kind: Kind
    /// The flagged target, or a review.
    let target: Target
    /// Whether a reason is serious (``FlagStore/Reason/isSerious``); such items come first.
    let isUrgent: Bool
    let openedAt: String
    /// The number of flags on the target.
    let count: Int64
  }

  /// The position at which a page ended.
  struct Place: Equatable, Sendable {
    let isUrgent: Bool
    let openedAt: String
    let type: String
    let id: String
  }

  /// All open items. Flags on the same target are one item, of kind report if one of them is a report.
  static let items = """
    SELECT CASE max(flag.kind) WHEN 'report' THEN 'report' ELSE 'flag' END AS kind,
      target_type AS type, target_id AS id,
      max(CASE WHEN \(FlagStore.Reason.isSeriousSQL) THEN 1 ELSE 0 END) AS urgent,
      min(created_at) AS opened_at, sum(times) AS count
    FROM flag WHERE outcome IS NULL GROUP BY target_type, target_id
    UNION ALL
    \(ReviewStore.items)
    """

  /// Urgent items first, then the oldest. Starts after `place` if given.
  static func page(after place: Place?) -> String {
    """
    SELECT kind, type, id, urgent, opened_at, count FROM (\(items)) AS item
    WHERE (CAST(? AS TEXT) IS NULL OR kind = ?)
    \(place == nil ? "" : "AND (-urgent, opened_at, type, id) > (?, ?, ?, ?)")
    ORDER BY -urgent, opened_at, type, id LIMIT ?
    """
  }

  func items(
    kind: Kind?, after place: Place?, limit: Int, _ connection: borrowing Connection
  ) throws -> [Item] {
    var arguments = [SQLValue(kind?.rawValue), SQLValue(kind?.rawValue)]
    if let place {
      arguments += [
        place.isUrgent ? -1 : 0, .text(place.openedAt), .text(place.type), .text(place.id),
      ]
    }
    return try connection.rows(
      Self.page(after: place), arguments + [SQLValue(limit)]
    ) { row in
      Item(
        kind: Kind(rawValue: row.text(0)) ?? .flag,
        target: Target(kind: Target.Kind(rawValue: row.text(1)) ?? .flag, id: row.text(2)),
        isUrgent: row.bool(3), openedAt: row.text(4), count: row.int(5))
    }
  }

  /// The number that waits of each kind and the time of the oldest. Kinds of which none waits are left out.
  package func waiting(
    _ connection: borrowing Connection
  ) throws -> [Kind: (count: Int64, since: String)] {
    var waiting: [Kind: (count: Int64, since: String)] = [:]
    try connection.forEach(
      counts, []
    ) { row in
      if let kind = Kind(rawValue: row.text(0)) { waiting[kind] = (row.int(1), row.text(2)) }
    }
    return waiting
  }
}

extension QueueStore.Place {
  /// The position of the last item of a page.
  init(_ item: QueueStore.Item) {
    isUrgent = item.isUrgent
    openedAt = item.openedAt
    type = item.target.kind.rawValue
    id = item.target.id
  }

  /// - Throws: ``InvalidInput`` if the cursor is invalid.
  init(cursor: PageCursor) throws {
    let keys = try cursor.keys(count: 4)
    self.init(isUrgent: keys[0] == "1", openedAt: keys[1], type: keys[2], id: keys[3])
  }

  var cursor: PageCursor { PageCursor(keys: [isUrgent ? "1" : "0", openedAt, type, id]) }
}
