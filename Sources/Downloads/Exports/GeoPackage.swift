import Import
import Reference
import Service
import SpatialDatabase

/// Writes devices as a GeoPackage 1.3 (OGC 12-128r18): one feature table with an R*Tree, and Dublin
/// Core metadata about the file.
struct GeoPackage {
  private let notes: ExportNotes
  private let publicTags: PublicTags
  private let columns = FlatColumn.all.filter { !["longitude", "latitude"].contains($0.name) }

  init(_ notes: ExportNotes, _ publicTags: PublicTags) {
    self.notes = notes
    self.publicTags = publicTags
  }

  /// The maximum size of the file, in bytes.
  static let limit = 8 << 30

  /// Creates the file.
  ///
  /// - Throws: ``DatabaseFault`` of kind `diskFull` when the disk has no space for it.
  func make(_ devices: ExportedDevices, _ connection: borrowing Connection) throws -> ScratchFile {
    let file = try ScratchFile(limit: Self.limit)
    // “GPKG”, and version 1.3.0.
    try file.execute("PRAGMA application_id = 1196444487")
    try file.execute("PRAGMA user_version = 10300")
    try file.write { target in
      for statement in GeoPackageSchema.statements(columns: columns.map(Self.definition)) {
        try target.execute(statement)
      }
      let box = try insert(devices, connection, into: target)
      try describe(box, in: target)
      for trigger in GeoPackageSchema.triggers { try target.execute(trigger) }
    }
    try file.finish()
    return file
  }

  /// A column definition with the type names of GeoPackage (12-128r18, table 1).
  private static func definition(_ column: FlatColumn) -> String {
    let type =
      switch column.kind {
      case .integer: "INTEGER"
      case .number, .degrees: "DOUBLE"
      case .flag: "BOOLEAN"
      case .time: "DATETIME"
      case .day: "DATE"
      case .text, .list, .credit, .references, .tags, .choices, .address: "TEXT"
      }
    return "\"\(column.name)\" \(type)"
  }

  /// The west, south, east and north limits of all devices; nil without devices.
  private typealias Box = (Double, Double, Double, Double)

  private func insert(
    _ devices: ExportedDevices, _ connection: borrowing Connection, into target: Connection
  ) throws -> Box? {
    let place = [
      FlatColumn(name: "longitude", kind: .degrees, sql: "device.longitude"),
      FlatColumn(name: "latitude", kind: .degrees, sql: "device.latitude"),
    ]
    let selection = FlatSelection(place + columns)
    let values = FlatValues(credits: notes.credits)
    var dependent = try DependentRows(publicTags, connection)
    let marks = SQLValue.marks(columns.count + 2)
    let feature = "INSERT INTO devices VALUES (\(marks))"
    let entry = "INSERT INTO rtree_devices_geom VALUES (?, ?, ?, ?, ?)"
    var box: Box?
    try devices.forEach(selection.sql, connection) { row in
      let (longitude, latitude) = (
        row.double(selection.columns[0].place), row.double(selection.columns[1].place)
      )
      let rowid = SQLValue.integer(row.int(FlatSelection.rowid))
      var record = [rowid, .blob(Self.point(longitude, latitude))]
      record.reserveCapacity(columns.count + 2)
      for column in selection.columns.dropFirst(2) {
        record.append(try values.value(row, column, &dependent))
      }
      try target.execute(feature, record)
      try target.execute(
        entry,
        [rowid, .real(longitude), .real(longitude), .real(latitude), .real(latitude)])
      let known = box ?? (longitude, latitude, longitude, latitude)
      box = (
        min(known.0, longitude), min(known.1, latitude), max(known.2, longitude),
        max(known.3, latitude)
      )
    }
    return box
  }

  /// A point as a GeoPackage binary (12-128r18 §2.1.3): header without an envelope, then WKB, both
  /// little-endian.
  static func point(_ longitude: Double, _ latitude: Double) -> [UInt8] {
    var bytes: [UInt8] = [0x47, 0x50, 0, 1]
    bytes.reserveCapacity(29)
    func append(_ value: some FixedWidthInteger) {
      withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }
    append(Int32(4326))
    bytes.append(1)
    append(UInt32(1))
    append(longitude.bitPattern)
    append(latitude.bitPattern)
    return bytes
  }

  private func describe(_ box: Box?, in target: Connection) throws {
    let moment = FlatValues.moment(notes.exportedAt)
    try target.execute(
      """
      INSERT INTO gpkg_contents (table_name, data_type, identifier, description, last_change,
        min_x, min_y, max_x, max_y, srs_id)
      VALUES ('devices', 'features', ?, ?, ?, ?, ?, ?, ?, 4326)
      """,
      [
        .text(notes.title), .text(notes.text), .text(moment), SQLValue(box?.0), SQLValue(box?.1),
        SQLValue(box?.2), SQLValue(box?.3),
      ])
    try target.execute(
      """
      INSERT INTO gpkg_geometry_columns VALUES ('devices', 'geom', 'POINT', 4326, 0, 0)
      """)
    try target.execute(
      """
      INSERT INTO gpkg_metadata (id, md_scope, md_standard_uri, mime_type, metadata)
      VALUES (1, 'dataset', 'http://purl.org/dc/terms/', 'text/xml', ?)
      """, [.text(dublinCore)])
    try target.execute(
      """
      INSERT INTO gpkg_metadata_reference (reference_scope, table_name, timestamp, md_file_id)
      VALUES ('table', 'devices', ?, 1)
      """, [.text(moment)])
  }

  /// The metadata of the file in Dublin Core terms.
  private var dublinCore: String {
    var xml = XMLText()
    xml.raw("<metadata xmlns:dcterms=\"http://purl.org/dc/terms/\">\n")
    xml.element("dcterms:title", notes.title)
    xml.element("dcterms:description", notes.text)
    xml.element("dcterms:created", notes.exportedAt)
    xml.element("dcterms:source", notes.query)
    xml.element("dcterms:publisher", notes.credits.own.name)
    for credit in notes.credits.all {
      xml.element("dcterms:license", "\(credit.name): \(credit.licence)")
      xml.element("dcterms:rightsHolder", credit.attribution)
    }
    xml.raw("</metadata>")
    return String(decoding: xml.bytes, as: UTF8.self)
  }
}

/// The values of table cells, for formats with typed values.
struct FlatValues {
  let credits: ExportCredits

  func value(
    _ row: Row, _ column: (column: FlatColumn, place: Int), _ dependent: inout DependentRows
  ) throws -> SQLValue {
    let (column, place) = column
    if column.isHiddenWhenCoarse && row.bool(FlatSelection.isCoarse) { return .null }
    switch column.kind {
    case .text, .day: return SQLValue(row.optionalText(place))
    case .address: return .text(credits.deviceAddress + row.text(place))
    case .time: return SQLValue(row.optionalText(place).map(Self.moment))
    case .integer: return SQLValue(row.optionalInt(place))
    case .number, .degrees: return SQLValue(row.optionalDouble(place))
    case .flag: return SQLValue(row.bool(place))
    case .list:
      var text = CSVText(capacity: 64)
      row.withUTF8(place) { text.append(list: $0) }
      return text.count == 0 ? .null : .text(text.text)
    case .credit(let part):
      let credit = credits.credit(of: row.optionalInt(FlatSelection.source))
      return SQLValue(credit[part])
    case .references, .tags, .choices:
      let value = try dependent.value(of: row.int(FlatSelection.rowid), column.kind)
      return SQLValue(value.map { String(decoding: $0, as: UTF8.self) })
    }
  }

  /// A timestamp with milliseconds, as GeoPackage requires.
  static func moment(_ text: String) -> String {
    text.hasSuffix("Z") ? "\(text.dropLast()).000Z" : text
  }
}

extension ExportCredit {
  subscript(part: FlatColumn.Credit) -> String? {
    switch part {
    case .name: name
    case .licence: licence
    case .attribution: attribution
    case .url: url
    }
  }
}
