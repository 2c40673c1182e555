import Import
import JSON
import PrivacyMap
import SpatialDatabase

/// Writes devices as GeoJSON features (RFC 7946) straight from the rows of a query.
struct DeviceGeoJSON {
  private let properties: [DeviceProperty]
  private let publicTags: PublicTags

  /// - Parameters:
  ///   - properties: what each feature carries.
  ///   - publicTags: the allow-list of kept tags.
  init(properties: [DeviceProperty], publicTags: PublicTags) {
    self.properties = properties
    self.publicTags = publicTags
  }

  /// The columns that ``write(_:to:connection:distance:)`` reads, in their order.
  var columns: String {
    (["device.rowid", "device.id", "device.longitude", "device.latitude", "device.precision"]
      + properties.flatMap(\.columns))
      .joined(separator: ", ")
  }

  /// The tables that ``columns`` come from; a table nobody reads is not joined.
  var tables: String {
    var tables = "device"
    if properties.contains(where: { $0.columns.contains { $0.hasPrefix("operator.") } }) {
      tables += " LEFT JOIN operator ON operator.rowid = device.operator_rowid"
    }
    if properties.contains(where: { $0.columns.contains { $0.hasPrefix("source.") } }) {
      tables += " LEFT JOIN source ON source.rowid = device.source_rowid"
    }
    return tables
  }

  /// One feature; `links` stand at its end where it is an answer of its own.
  ///
  /// - Parameters:
  ///   - distance: metres from the place a list was sorted by.
  ///   - crs: what the position is written in.
  func write(
    _ row: borrowing Row, to json: inout JSONWriter, connection: borrowing Connection,
    crs: CoordinateSystem, distance: Double? = nil, links: [Link] = []
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
    var column = 5
    for property in properties {
      json.key(property.name)
      if isCoarse && property.isHiddenWhenCoarse {
        json.null()
      } else {
        try write(property, row: row, at: column, to: &json, connection: connection)
      }
      column += property.columns.count
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
    _ property: DeviceProperty, row: borrowing Row, at column: Int, to json: inout JSONWriter,
    connection: borrowing Connection
  ) throws {
    switch property.kind {
    case .answersFor: writeOperator(row, at: column, to: &json)
    case .source: writeSource(row, at: column, to: &json)
    case .offeredChoices: try writeChoices(row, at: column, to: &json, connection: connection)
    case .references: try writeReferences(row.int(0), to: &json, connection: connection)
    case .tags: try writeTags(row.int(0), to: &json, connection: connection)
    case .codes, .numbers: row.withUTF8(column) { json.raw(utf8: $0) }
    case .text, .time, .day: json.text(row, column)
    case .integer: row.isNull(column) ? json.null() : json.integer(row.int(column))
    case .number: row.isNull(column) ? json.null() : json.double(row.double(column))
    case .flag: json.bool(row.bool(column))
    }
  }

  private func writeOperator(_ row: borrowing Row, at column: Int, to json: inout JSONWriter) {
    guard !row.isNull(column + 1) else { return json.null() }
    json.beginObject()
    json.key("name")
    json.text(row, column)
    json.key("kind")
    json.text(row, column + 1)
    for (offset, name) in ["contact", "privacy_policy", "data_protection_contact"].enumerated()
    where !row.isNull(column + 2 + offset) {
      json.key(name)
      json.text(row, column + 2 + offset)
    }
    json.endObject()
  }

  private func writeSource(_ row: borrowing Row, at column: Int, to json: inout JSONWriter) {
    guard !row.isNull(column) else { return json.null() }
    json.beginObject()
    for (offset, name) in ["name", "licence", "attribution", "url"].enumerated() {
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
    if row.withUTF8(column, { $0.count }) > 2 {
      try connection.forEach(
        """
        SELECT kind, channel, target, instructions, deadline_days, checked_on
        FROM device_choice WHERE device_rowid = ? ORDER BY position
        """, [.integer(row.int(0))]
      ) { choice in
        json.beginObject()
        for (offset, name) in ["kind", "channel", "target", "instructions"].enumerated() {
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

  private func writeReferences(
    _ rowid: Int64, to json: inout JSONWriter, connection: borrowing Connection
  ) throws {
    json.beginObject()
    var open: String?
    try connection.forEach(
      "SELECT namespace, key FROM device_key WHERE device_rowid = ? ORDER BY namespace, key",
      [.integer(rowid)]
    ) { reference in
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
    json.beginObject()
    let kept = try connection.first(
      "SELECT tags FROM device_tag WHERE device_rowid = ?", [.integer(rowid)]
    ) { $0.blob(0) }
    if let kept, let tags = try? JSONValue(parsing: kept).objectValue {
      let kept = tags.members.map { member in
        ImportedDevice.Tag(member.key, member.value.stringValue ?? "")
      }
      for tag in publicTags.shown(kept) {
        json.key(tag.key)
        json.string(tag.value)
      }
    }
    json.endObject()
  }
}

extension JSONWriter {
  /// A column's text, or null.
  mutating func text(_ row: borrowing Row, _ column: Int) {
    if row.isNull(column) {
      null()
    } else {
      row.withUTF8(column) { string(utf8: $0) }
    }
  }
}
