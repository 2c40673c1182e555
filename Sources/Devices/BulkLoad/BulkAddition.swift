package import PrivacyMap
package import SpatialDatabase

/// Adds many new devices in one transaction.
///
/// The devices are first collected in a temporary table. One statement per target table then copies all of them: a
/// statement per device and table takes three times as long (docs/reference/performance.md). All constraints of the
/// tables apply as usual. For ``minCount`` or more devices, the per-row triggers are replaced by one statement for all
/// devices. The triggers are dropped within the transaction only, so a rollback restores the schema. Triggers that
/// ``LateTrees`` has dropped are not touched.
package final class BulkAddition {
  private let writer: DeviceWriter
  private let author: DeviceWriter.Author
  /// When the devices are added, as a day and as column text.
  private let added: (day: Day, text: SQLValue)
  /// Statements that replace triggers.
  private let replacements: [Replacement]
  /// The last device that is stored in its tables.
  private var last: Int64
  /// The number of devices after ``last`` that are not stored yet.
  private var waiting: Int64 = 0
  /// See ``run(_:with:by:namespace:_:_:)``.
  private let namespace: String?

  /// With fewer devices, dropping triggers costs more than it saves: every connection must reread the schema.
  static let minCount = 1_000

  /// A trigger, and the statement that does the trigger's work for all devices after a row.
  private struct Replacement {
    let trigger: String
    let statement: String?
  }

  private static let replacements = [
    Replacement(trigger: "device_box_insert", statement: LateTrees.boxes.filling),
    Replacement(trigger: "device_listing_insert", statement: LateTrees.listings.filling),
    Replacement(trigger: "device_end_insert", statement: end),
    Replacement(trigger: "tmi_device_public_point", statement: time),
    // SpatiaLite checks the geometry here; it comes from SpatiaLite's own function, so no check is needed.
    Replacement(trigger: "ggi_device_public_point", statement: nil),
  ]

  private init(
    writer: DeviceWriter, author: DeviceWriter.Author, namespace: String?,
    replacements: [Replacement], last: Int64
  ) {
    self.writer = writer
    self.namespace = namespace
    self.author = author
    let now = writer.environment.now()
    added = (now.day, .text(now.text))
    self.replacements = replacements
    self.last = last
  }

  /// Runs `body`, which adds devices with `add` only. It may change other devices, and the added devices once they are
  /// stored, but must not delete any.
  ///
  /// - Parameters:
  ///   - count: the approximate number of devices that `body` adds.
  ///   - writer: computes the column values of a device.
  ///   - author: the author of all added devices.
  ///   - namespace: stores the key of each device at its source in this namespace; nil to store none.
  ///   - connection: in a transaction to which no other code writes meanwhile.
  ///   - body: adds the devices.
  /// - Returns: the result of `body`.
  /// - Throws: ``DatabaseFault``, and the errors of `body`; the caller must then roll back the transaction.
  package static func run<T>(
    _ count: Int, with writer: DeviceWriter, by author: DeviceWriter.Author,
    namespace: String? = nil, _ connection: borrowing Connection,
    _ body: (BulkAddition) throws -> T
  ) throws -> T {
    let mayDrop = count >= minCount && connection.mayDropTriggers
    let triggers = mayDrop ? try definitions(connection) : []
    for trigger in triggers {
      try connection.execute("DROP TRIGGER \(trigger.replacement.trigger)")
    }
    for table in try tables(connection) { try connection.execute(table) }
    let addition = BulkAddition(
      writer: writer, author: author, namespace: namespace,
      replacements: triggers.map(\.replacement),
      last: try connection.integer("SELECT max(rowid) FROM device") ?? 0)
    let result = try body(addition)
    try addition.store(connection)
    for trigger in triggers { try connection.execute(trigger.sql) }
    return result
  }

  /// Adds a device. Without an `id`, it gets a new one.
  ///
  /// - Returns: the rowid that the device gets when it is stored.
  package func add(
    _ row: DeviceRow, id: DeviceID? = nil, source: (rowid: Int64, key: String?)?,
    _ connection: borrowing Connection
  ) throws -> Int64 {
    let rowid = last + waiting + 1
    let place = row.placement.place
    var values = try row.newValues(
      id ?? writer.environment.newDeviceID(), source: source, addedOn: added.day, connection)
    values.insert([.integer(rowid), .real(place.longitude), .real(place.latitude)], at: 0)
    try connection.execute(Self.note, joining: values)
    for (position, choice) in row.fields.choices.enumerated() {
      try connection.execute(
        "INSERT INTO new_choice VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        DeviceWriter.row(of: choice, at: position, device: rowid))
    }
    waiting += 1
    return rowid
  }

  /// Copies the pending devices into their tables.
  package func store(_ connection: borrowing Connection) throws {
    guard waiting > 0 else { return }
    try connection.execute(
      Self.devices(makePoint: connection.makePoint(of: "longitude", "latitude")),
      [SQLValue(author.account), added.text])
    try connection.continueNumbers(of: "device")
    for statement in Self.dependents { try connection.execute(statement) }
    if let namespace { try connection.execute(Self.keys, [.text(namespace)]) }
    try FullText.add(after: last, connection)
    try connection.execute(Self.changes, [added.text])
    try connection.execute(
      Self.revisions,
      [
        .text(author.kind.rawValue), added.text, SQLValue(author.account),
        SQLValue(author.importRun), SQLValue(author.comment),
      ])
    for replacement in replacements {
      guard let statement = replacement.statement else { continue }
      try connection.execute(statement, [.integer(last)])
    }
    try connection.execute("DELETE FROM new_device")
    try connection.execute("DELETE FROM new_choice")
    last += waiting
    waiting = 0
  }

  private static func definitions(
    _ connection: borrowing Connection
  ) throws -> [(replacement: Replacement, sql: String)] {
    try replacements.compactMap { replacement in
      try connection.definition(of: "trigger", replacement.trigger).map { (replacement, $0) }
    }
  }
}

extension BulkAddition {
  /// The number of columns of the temporary table.
  private static let columnCount = 3 + DeviceRow.newNames.count

  private static func tables(_ connection: borrowing Connection) throws -> [String] {
    let columns = try connection.definitions(of: DeviceRow.newNames, like: "device")
    return [
      """
      CREATE TEMP TABLE IF NOT EXISTS new_device (rowid INTEGER PRIMARY KEY,
        true_longitude DOUBLE PRECISION, true_latitude DOUBLE PRECISION, \(columns.joined(separator: ", ")))
      """,
      """
      CREATE TEMP TABLE IF NOT EXISTS new_choice (device_rowid INTEGER, position INTEGER, kind TEXT,
        channel TEXT, target TEXT, instructions TEXT, deadline_days INTEGER, checked_on TEXT)
      """,
    ]
  }

  /// Inserts a device into the temporary table.
  private static let note = """
    INSERT INTO new_device VALUES (\(SQLValue.marks(columnCount)))
    """

  /// Inserts all pending devices into `device`.
  private static func devices(makePoint: String) -> String {
    let names = DeviceRow.newNames.joined(separator: ", ")
    return """
      INSERT INTO device (rowid, public_point, account_rowid, created_at, updated_at, \(names))
      SELECT rowid, \(makePoint), ?1, ?2, ?2, \(names) FROM new_device ORDER BY rowid
      """
  }

  /// Inserts the rows that belong to the devices.
  private static let dependents = [
    """
    INSERT INTO device_location (device_rowid, longitude, latitude)
    SELECT rowid, true_longitude, true_latitude FROM new_device ORDER BY rowid
    """,
    """
    INSERT INTO device_choice (device_rowid, position, kind, channel, target, instructions,
      deadline_days, checked_on)
    SELECT device_rowid, position, kind, channel, target, instructions, deadline_days, checked_on
    FROM new_choice
    """,
  ]

  private static let keys = """
    INSERT INTO device_key (namespace, key, device_rowid)
    SELECT CAST(? AS TEXT), source_key, rowid FROM new_device WHERE source_key IS NOT NULL ORDER BY rowid
    """

  private static let changes = """
    INSERT INTO change (device_rowid, kind, changed_at)
    SELECT rowid, 'added', ? FROM new_device ORDER BY rowid
    """

  private static let revisions = """
    INSERT INTO revision (device_rowid, number, kind, made_at, account_rowid, import_rowid, comment)
    SELECT rowid, 1, ?, ?, ?, ?, ? FROM new_device ORDER BY rowid
    """

  /// Sets the time of the last insert into SpatiaLite's layer, as SpatiaLite's own trigger does.
  private static let time = """
    UPDATE geometry_columns_time SET last_insert = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
    WHERE f_table_name = 'device' AND f_geometry_column = 'public_point'
      AND EXISTS (SELECT 1 FROM device WHERE rowid > ?)
    """

  /// Sets the end of devices that are added with the status `removed` or `not_a_device`.
  private static let end = """
    UPDATE device SET ended_at = created_at
    WHERE rowid IN (SELECT rowid FROM new_device WHERE rowid > ? AND status IN ('removed', 'not_a_device'))
      AND ended_at IS NULL
    """
}
