package import Import
package import JSON
package import PrivacyMap
package import Service
package import SpatialDatabase

/// Writes devices as GeoJSON features (RFC 7946) straight from the rows of a query.
package struct DeviceGeoJSON {
  /// How to write a property. A plain struct, because a page reads it some ten thousand times.
  private struct Field {
    let key: StaticString
    let kind: DeviceProperty.Kind
    let isHiddenWhenCoarse: Bool
    /// The first of the columns of the property.
    let column: Int
  }

  private let fields: [Field]
  /// The queries of the fields for a device, without those of its own row.
  private let queries: [String]
  private let publicTags: PublicTags
  /// The statement that reads all columns of a feature, without a WHERE clause and without dependent rows.
  package let head: String
  private let selection: String
  private var selectionOfPage: String { statement }
  /// The statement that reads the feature of one public device by its row.
  package let statement: String
  /// The faster writer of lists, where only the properties of lists are requested.
  private let listing: DeviceListing?
  /// The choices of a past version, used instead of those in the database.
  private var pastChoices: [OfferedChoice]?
  /// The credit of records without a source, where each record must state its terms of use.
  package var ownCredit: ExportCredit?
  /// The licence of records without a source: that of the instance.
  private let ownLicence: String?

  private static let firstColumns = [
    "device.rowid", "device.id", "device.longitude", "device.latitude", "device.precision",
  ]

  /// - Parameters:
  ///   - properties: the properties of each feature.
  ///   - publicTags: the allow-list of published source tags.
  ///   - licence: the licence of the instance; nil if the licence is not among the properties.
  package init(properties: [DeviceProperty], publicTags: PublicTags, licence: String? = nil) {
    ownLicence = licence
    var columns = Self.firstColumns
    var fields: [Field] = []
    for property in properties {
      fields.append(
        Field(
          key: property.key, kind: property.kind,
          isHiddenWhenCoarse: property.isHiddenWhenCoarse, column: columns.count))
      columns += property.columns
    }
    self.fields = fields
    queries = fields.compactMap { Self.query(of: $0.kind) }
    self.publicTags = publicTags
    // Tables without a selected column are not joined.
    var tables = "device"
    for name in ["operator", "source"] where columns.contains(where: { $0.hasPrefix(name + ".") }) {
      tables += " LEFT JOIN \(name) ON \(name).rowid = device.\(name)_rowid"
    }
    head = "SELECT \(columns.joined(separator: ", ")) FROM \(tables)"
    selection = head + " WHERE device.rowid = ?"
    statement = selection + " AND device.hidden = 0"
    listing = properties.map(\.name) == DeviceListing.properties ? DeviceListing() : nil
  }

  /// Writes the features of a page as an array and returns their number. `isLast` says that the read usually ends with
  /// them.
  package func write(
    _ page: DeviceStore.Page, to json: inout JSONWriter, connection: borrowing Connection,
    crs: CoordinateSystem, isLast: Bool = false
  ) throws -> Int {
    var count = 0
    json.beginArray()
    if let listing, crs == .crs84 {
      let ready = try listing.write(
        page.rows, to: &json, connection, isDense: page.isDense, isLast: isLast
      ) { row, json in
        count += try write([row], to: &json, connection, crs)
      }
      count += ready
    } else {
      count = try write(page.rows, to: &json, connection, crs)
    }
    json.endArray()
    return count
  }

  private func write(
    _ rows: [DeviceStore.Page.Entry], to json: inout JSONWriter, _ connection: borrowing Connection,
    _ crs: CoordinateSystem
  ) throws -> Int {
    var count = 0
    // With round trips, the details of many devices need one together.
    let isTogether = connection.hasRoundTrips && !queries.isEmpty
    let size = isTogether ? Self.together : max(1, rows.count)
    for start in stride(from: 0, to: rows.count, by: size) {
      let part = rows[start..<min(start + size, rows.count)]
      if isTogether { try connection.readAhead(part.flatMap { details(of: $0.rowid) }) }
      try connection.forEach(selectionOfPage, keys: part.map(\.rowid)) { place, row in
        try write(
          row, to: &json, connection: connection, crs: crs,
          distance: part[start + place].distance, isAhead: true)
        count += 1
      }
    }
    return count
  }

  /// The number of devices whose details are read together.
  private static let together = 50

  /// Writes one device, hidden or not, as a document with links. Returns false when the row does not exist.
  func write(
    rowid: Int64, to json: inout JSONWriter, connection: borrowing Connection,
    crs: CoordinateSystem, links: [Link], isLast: Bool = false
  ) throws -> Bool {
    if connection.hasRoundTrips {
      try connection.readAhead(
        [(selection, [.integer(rowid)])] + details(of: rowid), isLast: isLast)
    }
    return try connection.first(selection, [.integer(rowid)]) { row in
      try write(
        row, to: &json, connection: connection, crs: crs, links: links, isAhead: true)
      return true
    } ?? false
  }

  /// Writes a past version of a device. `columns` are the editable columns of that version; columns that never
  /// change are read from the database.
  package func write(
    rowid: Int64, columns: [String: SQLValue], choices: [OfferedChoice], revision: Int64,
    updatedAt: String, to json: inout JSONWriter, _ connection: borrowing Connection
  ) throws {
    var writer = self
    writer.pastChoices = choices
    // The statement is the same as for current devices; a one-row table of the same name replaces the real one.
    let names = StoredDevice.editable
    // Each value has the type of its column. In PostgreSQL the tables are in a schema `main`, too.
    let values = names.map { "CASE WHEN TRUE THEN ? ELSE now.\($0) END AS \($0)" }
    let sql = """
      WITH device AS (
        SELECT now.rowid AS rowid, now.id, now.country, now.country_uncertain, now.created_at, now.source_rowid,
          CAST(? AS BIGINT) AS revision, CAST(? AS TEXT) AS updated_at, \(values.joined(separator: ", "))
        FROM main.device AS now WHERE now.rowid = ?)
      """
    let arguments: [SQLValue] =
      [.integer(revision), .text(updatedAt)] + names.map { columns[$0] ?? .null }
      + [.integer(rowid), .integer(rowid)]
    try connection.forEach(sql + " " + selection, arguments) { row in
      try writer.write(row, to: &json, connection: connection, crs: .crs84)
    }
  }

  /// Writes one feature from a row of ``head``. `distance` is in metres from the place that a list is sorted
  /// by. `links` are appended where the feature is a document. `isAhead` says that the details were read ahead.
  package func write(
    _ row: borrowing Row, to json: inout JSONWriter, connection: borrowing Connection,
    crs: CoordinateSystem, distance: Double? = nil, links: [Link] = [], isAhead: Bool = false
  ) throws {
    json.beginObject()
    json.key("type")
    json.raw("\"Feature\"")
    json.key("id")
    row.withUTF8(1) { json.string(utf8: $0) }
    json.key("geometry")
    json.beginObject()
    json.key("type")
    json.raw("\"Point\"")
    json.key("coordinates")
    crs.write(longitude: row.double(2), latitude: row.double(3), to: &json)
    json.endObject()
    json.key("properties")
    json.beginObject()
    let isCoarse = row.withUTF8(4) { !$0.elementsEqual("exact".utf8) }
    if connection.hasRoundTrips, !isAhead { try connection.readAhead(details(of: row.int(0))) }
    for field in fields {
      json.key(field.key)
      if isCoarse && field.isHiddenWhenCoarse {
        json.null()
      } else {
        try write(field, row: row, to: &json, connection: connection)
      }
    }
    if let distance {
      json.key("distance")
      json.double((distance * 10).rounded() / 10)
    }
    json.endObject()
    if !links.isEmpty { json.links(links) }
    json.endObject()
  }

  private func write(
    _ field: Field, row: borrowing Row, to json: inout JSONWriter,
    connection: borrowing Connection
  ) throws {
    let column = field.column
    switch field.kind {
    case .answersFor: Self.writeOperator(row, at: column, to: &json)
    case .source: writeSource(row, at: column, to: &json)
    case .licence:
      row.isNull(column) ? json.optional(ownLicence) : json.text(row, column)
    case .offeredChoices: try writeChoices(row, at: column, to: &json, connection: connection)
    case .references: try writeReferences(row.int(0), to: &json, connection: connection)
    case .tags: try writeTags(row.int(0), to: &json, connection: connection)
    case .photos: try writePhotos(row.int(0), to: &json, connection: connection)
    case .registered:
      json.value(try ConfirmedOperator.name(of: row.int(0), connection) ?? .null)
    case .statement:
      json.value(try ConfirmedOperator.statement(of: row.int(0), connection) ?? .null)
    case .claims: try writeClaims(row, at: column, to: &json, connection: connection)
    case .codes, .numbers: row.withUTF8(column) { json.raw(utf8: $0) }
    case .text, .time, .day: json.text(row, column)
    case .integer: row.isNull(column) ? json.null() : json.integer(row.int(column))
    case .number: row.isNull(column) ? json.null() : json.double(row.double(column))
    case .flag: json.bool(row.bool(column))
    }
  }

  /// The queries that the fields of a device make at most.
  private func details(of rowid: Int64) -> [Database.Item] {
    queries.map { ($0, [.integer(rowid)]) }
  }

  private static func query(of kind: DeviceProperty.Kind) -> String? {
    switch kind {
    case .offeredChoices: choicesQuery
    case .references: referencesQuery
    case .tags: tagsQuery
    case .photos: photosQuery
    case .registered: ConfirmedOperator.nameQuery
    case .statement: ConfirmedOperator.statementQuery
    case .claims: VerificationStore.wordsQuery
    case .answersFor, .source, .licence, .codes, .numbers, .text, .time, .day, .integer, .number,
      .flag:
      nil
    }
  }

  private static let choicesQuery = """
    SELECT kind, channel, target, instructions, deadline_days, checked_on
    FROM device_choice WHERE device_rowid = ? ORDER BY position
    """
  private static let photosQuery = """
    SELECT id, alt, width, height, version FROM photo
    WHERE device_rowid = ? AND state = 'public' ORDER BY position, rowid
    """
  private static let referencesQuery =
    "SELECT namespace, key FROM device_key WHERE device_rowid = ? ORDER BY namespace, key"
  private static let tagsQuery = "SELECT tags FROM device_tag WHERE device_rowid = ?"

  /// Whether the JSON of the codes of choices is not an empty list.
  private static func hasChoices(_ row: borrowing Row, at column: Int) -> Bool {
    row.withUTF8(column) { $0.count } > 2
  }

  private static let contacts: [StaticString] = [
    "contact", "privacy_policy", "data_protection_contact",
  ]
  private static let sourceMembers: [StaticString] = ["name", "licence", "attribution", "url"]
  private static let choiceMembers: [StaticString] = ["kind", "channel", "target", "instructions"]

  /// Writes the operator of a device from the columns of that property, the first of which is `column`.
  static func writeOperator(_ row: borrowing Row, at column: Int, to json: inout JSONWriter) {
    guard !row.isNull(column + 1) else { return json.null() }
    json.beginObject()
    json.key("name")
    json.text(row, column)
    json.key("kind")
    json.text(row, column + 1)
    for (offset, name) in Self.contacts.enumerated()
    where !row.isNull(column + 2 + offset) {
      json.key(name)
      json.text(row, column + 2 + offset)
    }
    json.endObject()
  }

  private func writeSource(_ row: borrowing Row, at column: Int, to json: inout JSONWriter) {
    guard !row.isNull(column) else {
      if let ownCredit { ownCredit.write(to: &json) } else { json.null() }
      return
    }
    json.beginObject()
    for (offset, name) in Self.sourceMembers.enumerated() {
      json.key(name)
      json.text(row, column + offset)
    }
    json.endObject()
  }

  private func writeChoices(
    _ row: borrowing Row, at column: Int, to json: inout JSONWriter,
    connection: borrowing Connection
  ) throws {
    json.beginArray()
    if let pastChoices {
      for choice in pastChoices { json.offered(choice) }
    } else if Self.hasChoices(row, at: column) {
      try connection.forEach(Self.choicesQuery, [.integer(row.int(0))]) { choice in
        json.beginObject()
        for (offset, name) in Self.choiceMembers.enumerated() {
          json.key(name)
          json.text(choice, offset)
        }
        json.key("deadline_days")
        choice.isNull(4) ? json.null() : json.integer(choice.int(4))
        json.key("checked_on")
        json.text(choice, 5)
        json.endObject()
      }
    }
    json.endArray()
  }

  private func writeClaims(
    _ row: borrowing Row, at column: Int, to json: inout JSONWriter,
    connection: borrowing Connection
  ) throws {
    VerificationJSON(
      trust: VerificationStore.trust(try VerificationStore.words(of: row.int(0), connection)),
      staleOn: row.text(column), seenOn: Day(text: row.text(column + 1)) ?? Day(daysSinceEpoch: 0),
      staleMonths: Int(row.int(column + 2))
    ).write(to: &json)
  }

  private func writePhotos(
    _ rowid: Int64, to json: inout JSONWriter, connection: borrowing Connection
  ) throws {
    json.beginArray()
    try connection.forEach(Self.photosQuery, [.integer(rowid)]) { photo in
      json.beginObject()
      PhotoJSON.write(
        id: photo.text(0), alt: photo.text(1), width: photo.int(2), height: photo.int(3),
        version: photo.int(4), to: &json)
      json.endObject()
    }
    json.endArray()
  }

  private func writeReferences(
    _ rowid: Int64, to json: inout JSONWriter, connection: borrowing Connection
  ) throws {
    json.beginObject()
    var open: String?
    try connection.forEach(Self.referencesQuery, [.integer(rowid)]) { reference in
      let namespace = reference.text(0)
      if namespace != open {
        if open != nil { json.endArray() }
        json.key(namespace)
        json.beginArray()
        open = namespace
      }
      json.text(reference, 1)
    }
    if open != nil { json.endArray() }
    json.endObject()
  }

  private func writeTags(
    _ rowid: Int64, to json: inout JSONWriter, connection: borrowing Connection
  ) throws {
    let kept = try connection.first(Self.tagsQuery, [.integer(rowid)]) { $0.blob(0) }
    if let shown = kept.flatMap({ publicTags.json(shownOf: $0) }) {
      json.raw(shown)
    } else {
      json.raw("{}")
    }
  }
}

extension JSONWriter {
  /// Writes a choice with all its members, null where unknown.
  fileprivate mutating func offered(_ choice: OfferedChoice) {
    beginObject()
    member("kind", choice.kind)
    key("channel")
    optional(choice.channel?.rawValue)
    key("target")
    optional(choice.target)
    key("instructions")
    optional(choice.instructions)
    key("deadline_days")
    if let days = choice.deadlineDays { integer(days) } else { null() }
    key("checked_on")
    optional(choice.checkedOn?.text)
    endObject()
  }
}
