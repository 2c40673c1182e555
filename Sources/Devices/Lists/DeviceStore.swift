internal import Locking
package import PrivacyMap
package import SpatialDatabase

/// Reads devices from the `device` table and the point index.
package struct DeviceStore: Sendable {
  package let database: Database
  package let index: MapIndex
  package let vocabulary: Vocabulary
  package let environment: Environment

  package init(
    database: Database, index: MapIndex, vocabulary: Vocabulary, environment: Environment
  ) {
    self.database = database
    self.index = index
    self.vocabulary = vocabulary
    self.environment = environment
  }

  /// One page of a list.
  package struct Page {
    package struct Entry {
      package let rowid: Int64
      /// Metres, where the list is sorted by distance.
      var distance: Double?
      /// Its list data, as far as the index knows it.
      package let listing: ListedPlace?

      package init(rowid: Int64, distance: Double? = nil, listing: ListedPlace?) {
        self.rowid = rowid
        self.distance = distance
        self.listing = listing
      }
    }

    /// In the order of the list.
    package var rows: [Entry]
    /// The number of matching devices on all pages.
    package var total: Int
    /// The start of the next page; nil on the last page.
    package var next: DeviceCursor?
    /// For the read of its rows.
    package var plan = ReadPlan()

    package init(rows: [Entry], total: Int, next: DeviceCursor? = nil) {
      self.rows = rows
      self.total = total
      self.next = next
    }
  }

  /// A page of the devices that match `filter`.
  ///
  /// The point index answers where it can; words are first resolved with the full-text index.
  /// Filters and orders that neither index supports (operators, times, other orders) are read from
  /// the database. `digest` is the fingerprint of filter and order for the next cursor.
  ///
  /// - Throws: ``TooCostly`` on a thread that serves sockets unless the point index alone answers.
  package func page(
    _ filter: DeviceFilter, order: DeviceOrder, after cursor: DeviceCursor?, limit: Int,
    digest: String, _ connection: borrowing Connection
  ) throws -> Page {
    let today = environment.now().day
    if let near = order.near {
      // Other words are excluded: if the number of matching rows grew between pages, the distance in the
      // cursor would be compared with another unit.
      if order.keys.isEmpty,
        let points = try filter.pointFilter(vocabulary: vocabulary, today: today)
          ?? (filter[WordCondition.self]?.named(vocabulary)?.others.isEmpty == true
            ? filter.pointFilter(vocabulary: vocabulary, today: today, connection) : nil)
      {
        return indexedPage(points, near: near, after: cursor, limit: limit, digest: digest)
      }
    } else if order.keys.isEmpty,
      let points = try filter.pointFilter(vocabulary: vocabulary, today: today, connection)
    {
      var page = indexedPage(points, after: cursor, limit: limit, digest: digest)
      page.plan.isDense = filter.fillsCells
      return page
    }
    return try queriedPage(
      filter, order: order, after: cursor, limit: limit, digest: digest, connection)
  }

  private func indexedPage(
    _ filter: PointFilter, after cursor: DeviceCursor?, limit: Int, digest: String
  ) -> Page {
    let last = cursor.map { UInt32(clamping: $0.rowid) }
    // One more row than requested shows whether there is a next page.
    let found = index.snapshot.rowids(matching: filter, after: last, limit: limit + 1)
    let rows = zip(found.rowids, found.listings).prefix(limit).map { rowid, listing in
      Page.Entry(rowid: Int64(rowid), listing: listing)
    }
    var next: DeviceCursor?
    if let last = rows.last, found.rowids.count > limit {
      next = DeviceCursor(keys: [], distance: nil, rowid: last.rowid, digest: digest)
    }
    return Page(rows: rows, total: found.total, next: next)
  }

  private func indexedPage(
    _ filter: PointFilter, near: Coordinate, after cursor: DeviceCursor?, limit: Int,
    digest: String
  ) -> Page {
    let snapshot = index.snapshot
    let last = cursor.flatMap { cursor in
      cursor.distance.map { NearPoint(metres: $0, rowid: UInt32(clamping: cursor.rowid)) }
    }
    let found = snapshot.nearest(to: near, matching: filter, after: last, limit: limit + 1)
    let rows = found.prefix(limit).map { near in
      Page.Entry(
        rowid: Int64(near.rowid), distance: near.metres,
        listing: snapshot.listing(ofRowid: near.rowid))
    }
    var next: DeviceCursor?
    if let last = rows.last, found.count > limit {
      next = DeviceCursor(keys: [], distance: last.distance, rowid: last.rowid, digest: digest)
    }
    return Page(rows: rows, total: snapshot.count(matching: filter), next: next)
  }

  private func queriedPage(
    _ filter: DeviceFilter, order: DeviceOrder, after cursor: DeviceCursor?, limit: Int,
    digest: String, _ connection: borrowing Connection
  ) throws -> Page {
    try SocketThread.leave()
    let condition = try filter.condition(
      vocabulary: vocabulary, today: environment.now().day, connection: connection)
    let total =
      try connection.integer(
        "SELECT count(*) FROM \(Self.tables) WHERE \(condition.sql)", condition.arguments) ?? 0
    let found =
      try order.near.map { near in
        try nearestRows(condition, near: near, after: cursor, limit: limit + 1, connection)
      } ?? sortedRows(condition, order: order, after: cursor, limit: limit + 1, connection)
    var next: DeviceCursor?
    if found.count > limit, let last = found.prefix(limit).last {
      next = DeviceCursor(
        keys: last.keys, distance: last.distance, rowid: last.rowid, digest: digest)
    }
    let snapshot = index.snapshot
    let rows = found.prefix(limit).map { row in
      Page.Entry(
        rowid: row.rowid, distance: row.distance.map { connection.metres(nearness: $0) },
        listing: UInt32(exactly: row.rowid).flatMap { snapshot.listing(ofRowid: $0) })
    }
    return Page(rows: rows, total: Int(total), next: next)
  }

  package static let tables =
    "device LEFT JOIN operator ON operator.rowid = device.operator_rowid"

  private typealias Condition = (sql: String, arguments: [SQLValue])
  private typealias FoundRow = (rowid: Int64, keys: [String?], distance: Double?)

  private func sortedRows(
    _ condition: Condition, order: DeviceOrder, after cursor: DeviceCursor?, limit: Int,
    _ connection: borrowing Connection
  ) throws -> [FoundRow] {
    let columns = (["device.rowid"] + order.keys.map(\.column)).joined(separator: ", ")
    var sql = "SELECT \(columns) FROM \(Self.tables) WHERE \(condition.sql)"
    var arguments = condition.arguments
    if let cursor {
      let after = order.after(cursor)
      sql += " AND \(after.sql)"
      arguments += after.arguments
    }
    sql += " ORDER BY \(order.clause) LIMIT ?"
    return try connection.rows(sql, arguments + [SQLValue(limit)]) { row in
      (row.int(0), order.keys.indices.map { row.optionalText($0 + 1) }, nil)
    }
  }

  private func nearestRows(
    _ condition: Condition, near: Coordinate, after cursor: DeviceCursor?, limit: Int,
    _ connection: borrowing Connection
  ) throws -> [FoundRow] {
    let nearness = connection.nearness("device")
    let place = connection.nearnessArguments(longitude: near.longitude, latitude: near.latitude)
    var sql = """
      SELECT rowid, nearness FROM (
        SELECT device.rowid AS rowid, \(nearness) AS nearness
        FROM \(Self.tables) WHERE \(condition.sql)) AS found
      """
    var arguments = place + condition.arguments
    if let cursor, let distance = cursor.distance {
      sql += " WHERE nearness > ? OR (nearness = ? AND rowid > ?)"
      arguments += [.real(distance), .real(distance), .integer(cursor.rowid)]
    }
    sql += " ORDER BY nearness, rowid LIMIT ?"
    return try connection.rows(sql, arguments + [SQLValue(limit)]) { row in
      (row.int(0), [], row.double(1))
    }
  }

  /// Whether a public device has this id.
  package func has(_ id: DeviceID) throws -> Bool {
    try database.readQuickly { connection in
      try connection.integer(
        "SELECT 1 FROM device WHERE id = ? AND hidden = 0", [.text(id.text)]) != nil
    }
  }

  /// The longitude and latitude of the true point. Only a private connection can read them.
  static func truePoint(
    of device: FoundDevice, _ connection: borrowing Connection
  ) throws -> (Double, Double)? {
    try connection.first(
      "SELECT longitude, latitude FROM device_location WHERE device_rowid = ?",
      [.integer(device.rowid)]
    ) { ($0.double(0), $0.double(1)) }
  }

  /// The number of devices of each category that match `filter`, in order of display.
  func categoryCounts(
    _ filter: DeviceFilter, _ connection: borrowing Connection
  ) throws -> [(category: String, count: Int)] {
    let today = environment.now().day
    var counts: [String: Int] = [:]
    if let points = try filter.pointFilter(vocabulary: vocabulary, today: today, connection) {
      for known in index.snapshot.profileCounts(matching: points) {
        guard let code = vocabulary.categoryCode(number: known.profile.category) else { continue }
        counts[code, default: 0] += known.count
      }
    } else {
      let condition = try filter.condition(
        vocabulary: vocabulary, today: today, connection: connection)
      try connection.forEach(
        "SELECT device.category, count(*) FROM \(Self.tables) WHERE \(condition.sql) "
          + "GROUP BY device.category", condition.arguments
      ) { counts[$0.text(0)] = Int($0.int(1)) }
    }
    return vocabulary.categories.compactMap { category in
      counts[category.code].map { (category.code, $0) }
    }
  }

  /// The public points of rows of a page.
  static func positions(
    of rows: some Sequence<Page.Entry>, _ connection: borrowing Connection
  ) throws -> [Coordinate] {
    var positions: [Coordinate] = []
    try connection.forEach(
      "SELECT longitude, latitude FROM device WHERE rowid = ? AND hidden = 0",
      keys: rows.map(\.rowid)
    ) { _, row in
      positions.append(Coordinate.clamped(longitude: row.double(0), latitude: row.double(1)))
    }
    return positions
  }

  /// The number of devices that match `filter`.
  package func count(_ filter: DeviceFilter) throws -> Int {
    let today = environment.now().day
    if let points = filter.pointFilter(vocabulary: vocabulary, today: today) {
      return index.snapshot.count(matching: points)
    }
    return try database.read { connection in
      let condition = try filter.condition(
        vocabulary: vocabulary, today: today, connection: connection)
      let count = try connection.integer(
        "SELECT count(*) FROM \(Self.tables) WHERE \(condition.sql)", condition.arguments)
      return Int(count ?? 0)
    }
  }
}
