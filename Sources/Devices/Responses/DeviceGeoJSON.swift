package import Filters
package import Import
package import JSON
import Pictures
package import PrivacyMap
package import Reference
import Service
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
    /// The column with the rows of another table, if the property consists of them.
    let rows: Int
  }

  private let fields: [Field]
  private let publicTags: PublicTags
  /// The statement that reads all columns of a feature, without a WHERE clause.
  package let head: String
  private let selection: String
  private let selectionByID: String
  /// The statement that reads the feature of one public device by its row.
  package let statement: String
  /// The faster writer of lists, where only the properties of lists are requested.
  private let listing: DeviceListing?
  /// The choices of a past version, used instead of the choices in the database.
  private var pastChoices: [OfferedChoice]?
  /// The credit of records without a source, where each record must state its terms of use.
  package var ownCredit: ExportCredit?
  /// The instance's licence, for records without a source.
  private let ownLicence: String?

  private static let firstColumns = [
    "device.rowid", "device.id", "device.longitude", "device.latitude", "device.precision",
    "device.revision", "device.account_rowid", "device.hidden",
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
      let column = columns.count
      columns += property.columns
      var rows = column
      if let other = Self.rows(of: property.kind) {
        // Two properties may consist of the same rows.
        rows = columns.firstIndex(of: other) ?? columns.count
        if rows == columns.count { columns.append(other) }
      }
      fields.append(
        Field(
          key: property.key, kind: property.kind,
          isHiddenWhenCoarse: property.isHiddenWhenCoarse, column: column, rows: rows))
    }
    self.fields = fields
    self.publicTags = publicTags
    // Tables without a selected column are not joined.
    var tables = "device"
    for name in ["operator", "source"] where columns.contains(where: { $0.hasPrefix(name + ".") }) {
      tables += " LEFT JOIN \(name) ON \(name).rowid = device.\(name)_rowid"
    }
    head = "SELECT \(columns.joined(separator: ", ")) FROM \(tables)"
    selection = head + " WHERE device.rowid = ?"
    selectionByID = head + " WHERE device.id = ?"
    statement = selection + " AND device.hidden = 0"
    listing = properties.map(\.name) == DeviceListing.properties ? DeviceListing() : nil
  }

  /// Writes the features of a page as an array and returns their number.
  package func write(
    _ page: DeviceStore.Page, to json: inout JSONWriter, connection: borrowing Connection,
    crs: CoordinateSystem
  ) throws -> Int {
    var count = 0
    let connection = connection.with(page.plan)
    json.beginArray()
    if let listing, crs == .crs84 {
      let ready = try listing.write(page.rows, to: &json, connection) { row, json in
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
    try connection.forEach(statement, keys: rows.map(\.rowid)) { place, row in
      try write(row, to: &json, crs: crs, distance: rows[place].distance)
      count += 1
    }
    return count
  }

  /// The identity of a device in a row of ``head``, for the decision who may see it.
  struct Identity {
    let revision: Int64
    let author: Int64?
    let isHidden: Bool

    fileprivate init(_ row: borrowing Row) {
      revision = row.int(5)
      author = row.optionalInt(6)
      isHidden = row.bool(7)
    }
  }

  /// Writes one device, hidden or not, as a document with links, with one query. Returns nil when the row does not
  /// exist.
  func write(
    rowid: Int64, to json: inout JSONWriter, connection: borrowing Connection,
    crs: CoordinateSystem, links: [UInt8] = []
  ) throws -> Identity? {
    try connection.first(selection, [.integer(rowid)]) { row in
      try write(row, to: &json, crs: crs, links: links)
      return Identity(row)
    }
  }

  /// The same for the device with an id, unless `maySee` refuses it.
  func write(
    _ id: DeviceID, to json: inout JSONWriter, connection: borrowing Connection,
    crs: CoordinateSystem, links: [UInt8], where maySee: (Identity) -> Bool
  ) throws -> Identity? {
    try connection.first(selectionByID, [.text(id.text)]) { row -> Identity? in
      let identity = Identity(row)
      guard maySee(identity) else { return nil }
      try write(row, to: &json, crs: crs, links: links)
      return identity
    } ?? nil
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
          now.account_rowid,
          CAST(? AS BIGINT) AS revision, CAST(? AS TEXT) AS updated_at, \(values.joined(separator: ", "))
        FROM main.device AS now WHERE now.rowid = ?)
      """
    let arguments: [SQLValue] =
      [.integer(revision), .text(updatedAt)] + names.map { columns[$0] ?? .null }
      + [.integer(rowid), .integer(rowid)]
    try connection.forEach(sql + " " + selection, arguments) { row in
      try writer.write(row, to: &json, crs: .crs84)
    }
  }

  /// Writes one feature from a row of ``head``. `distance` is in metres from the place that a list is sorted
  /// by. `links`, an array in JSON, are appended where the feature is a document.
  package func write(
    _ row: borrowing Row, to json: inout JSONWriter, crs: CoordinateSystem,
    distance: Double? = nil, links: [UInt8] = []
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
    for field in fields {
      json.key(field.key)
      if isCoarse && field.isHiddenWhenCoarse {
        json.null()
      } else {
        try write(field, row: row, to: &json)
      }
    }
    if let distance {
      json.key("distance")
      json.double((distance * 10).rounded() / 10)
    }
    json.endObject()
    if !links.isEmpty {
      json.key("links")
      json.raw(links)
    }
    json.endObject()
  }

  private func write(_ field: Field, row: borrowing Row, to json: inout JSONWriter) throws {
    let column = field.column
    switch field.kind {
    case .answersFor: Self.writeOperator(row, at: column, to: &json)
    case .source: writeSource(row, at: column, to: &json)
    case .licence:
      row.isNull(column) ? json.optional(ownLicence) : json.text(row, column)
    case .offeredChoices: try writeChoices(row, field, to: &json)
    case .references: try writeReferences(row, at: field.rows, to: &json)
    case .tags: writeTags(row, at: field.rows, to: &json)
    case .photos: try writePhotos(row, at: field.rows, to: &json)
    case .registered: json.value(try ConfirmedOperator.name(in: row, at: field.rows) ?? .null)
    case .statement: json.value(try ConfirmedOperator.statement(in: row, at: field.rows) ?? .null)
    case .claims: try writeClaims(row, field, to: &json)
    case .codes, .numbers: row.withUTF8(column) { json.raw(utf8: $0) }
    case .text, .time, .day: json.text(row, column)
    case .integer: row.isNull(column) ? json.null() : json.integer(row.int(column))
    case .number: row.isNull(column) ? json.null() : json.double(row.double(column))
    case .flag: json.bool(row.bool(column))
    }
  }

  /// The column with the rows of another table that a property consists of.
  private static func rows(of kind: DeviceProperty.Kind) -> String? {
    switch kind {
    case .offeredChoices: choices
    case .references: references
    case .tags: DeviceTags.column
    case .photos: photos
    case .registered, .statement: ConfirmedOperator.rows
    case .claims: VerificationStore.rows
    case .answersFor, .source, .licence, .codes, .numbers, .text, .time, .day, .integer, .number,
      .flag:
      nil
    }
  }

  private static let choices = NestedRows.column(
    "position, \(OfferedChoice.columns)", "FROM device_choice WHERE device_rowid = device.rowid")
  private static let photos = NestedRows.column(
    "position, rowid, id, alt, width, height, version",
    "FROM photo WHERE device_rowid = device.rowid AND state = 'public'")
  private static let references = NestedRows.column(
    "namespace, key", "FROM device_key WHERE device_rowid = device.rowid")

  /// Whether the JSON of the codes of choices is not an empty list.
  private static func hasChoices(_ row: borrowing Row, at column: Int) -> Bool {
    row.withUTF8(column) { $0.count } > 2
  }

  private static let contacts: [StaticString] = [
    "contact", "privacy_policy", "data_protection_contact",
  ]
  private static let sourceMembers: [StaticString] = ["name", "licence", "attribution", "url"]
  private static let choiceMembers: [StaticString] = [
    "kind", "channel", "target", "instructions", "deadline_days", "checked_on",
  ]

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
    _ row: borrowing Row, _ field: Field, to json: inout JSONWriter
  ) throws {
    json.beginArray()
    if let pastChoices {
      for choice in pastChoices { json.offered(choice) }
    } else if Self.hasChoices(row, at: field.column) {
      for choice in try row.rows(field.rows, keys: 1) {
        json.beginObject()
        for (name, value) in zip(Self.choiceMembers, choice.dropFirst()) {
          json.key(name)
          json.value(value)
        }
        json.endObject()
      }
    }
    json.endArray()
  }

  private func writeClaims(
    _ row: borrowing Row, _ field: Field, to json: inout JSONWriter
  ) throws {
    let column = field.column
    let words = try VerificationStore.words(in: row, at: field.rows)
    VerificationJSON(
      trust: VerificationStore.trust(words), staleOn: row.text(column),
      seenOn: Day(text: row.text(column + 1)) ?? Day(daysSinceEpoch: 0),
      staleMonths: Int(row.int(column + 2))
    ).write(to: &json)
  }

  private func writePhotos(
    _ row: borrowing Row, at column: Int, to json: inout JSONWriter
  ) throws {
    json.beginArray()
    for photo in try row.rows(column, keys: 2) where photo.count == 7 {
      json.beginObject()
      PhotoJSON.write(
        id: photo[2].stringValue ?? "", alt: photo[3].stringValue ?? "",
        width: Int64(photo[4].intValue ?? 0), height: Int64(photo[5].intValue ?? 0),
        version: Int64(photo[6].intValue ?? 0), to: &json)
      json.endObject()
    }
    json.endArray()
  }

  private func writeReferences(
    _ row: borrowing Row, at column: Int, to json: inout JSONWriter
  ) throws {
    json.beginObject()
    var open: String?
    for reference in try row.rows(column, keys: 2) {
      guard let namespace = reference.first?.stringValue, let key = reference.last else { continue }
      if namespace != open {
        if open != nil { json.endArray() }
        json.key(namespace)
        json.beginArray()
        open = namespace
      }
      json.value(key)
    }
    if open != nil { json.endArray() }
    json.endObject()
  }

  private func writeTags(_ row: borrowing Row, at column: Int, to json: inout JSONWriter) {
    let kept = row.optionalBlob(column)
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
