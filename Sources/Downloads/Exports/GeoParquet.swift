import Import
import Reference
import Service
import SpatialDatabase

/// Writes devices as GeoParquet 1.1, by means of `farol-formats`: one point for each device, and the columns of
/// the GeoPackage.
struct GeoParquet {
  private let notes: ExportNotes
  private let publicTags: PublicTags

  init(_ notes: ExportNotes, _ publicTags: PublicTags) {
    self.notes = notes
    self.publicTags = publicTags
  }

  private static let position = FlatColumn.all.filter { $0.kind == .degrees }
  private static let columns = FlatColumn.all.filter { $0.kind != .degrees }
  /// The size of a chunk of rows, in bytes.
  private static let pieceSize = 256 << 10

  /// Creates the file.
  ///
  /// - Returns: its path; the caller removes it.
  /// - Throws: ``ImportFailure`` if the program is missing or fails.
  func make(_ devices: ExportedDevices, _ connection: borrowing Connection) throws -> String {
    try FormatProgram.besideThis.parquet(
      Self.columns.map { ($0.name, $0.typed) }, rows: devices.total, about: notes.about
    ) { sink in try write(devices, connection, to: sink) }
  }

  private func write(
    _ devices: ExportedDevices, _ connection: borrowing Connection,
    to sink: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let selection = FlatSelection(Self.position + Self.columns)
    let (longitude, latitude) = (selection.columns[0].place, selection.columns[1].place)
    var rows = TypedRows(capacity: Self.pieceSize + 16_384)
    var values = try TypedCells(
      selection.columns.dropFirst(2), notes.credits, publicTags, connection)
    try devices.forEach(selection.sql, connection) { row in
      rows.append(longitude: row.double(longitude), latitude: row.double(latitude))
      try values.append(row, to: &rows)
      guard rows.count >= Self.pieceSize else { return }
      try rows.withBytes(sink)
      rows.removeAll()
    }
    try rows.withBytes(sink)
  }
}

/// The cells of a row as typed values.
private struct TypedCells {
  /// A plain struct, because a file reads it fifty times for each of a million rows.
  private struct Cell {
    let kind: FlatColumn.Kind
    let typed: TypedRows.Kind
    let place: Int
    let isHiddenWhenCoarse: Bool
  }

  private let cells: [Cell]
  private let own: ExportCredit
  private let credits: [Int64: ExportCredit]
  private let address: [UInt8]
  private var dependent: DependentRows

  init(
    _ columns: some Sequence<(column: FlatColumn, place: Int)>, _ credits: ExportCredits,
    _ publicTags: PublicTags, _ connection: borrowing Connection
  ) throws {
    cells = columns.map { column, place in
      Cell(
        kind: column.kind, typed: column.typed, place: place,
        isHiddenWhenCoarse: column.isHiddenWhenCoarse)
    }
    own = credits.own
    self.credits = credits.bySource
    address = Array(credits.deviceAddress.utf8)
    dependent = try DependentRows(publicTags, connection)
  }

  mutating func append(_ row: Row, to rows: inout TypedRows) throws {
    let isCoarse = row.bool(FlatSelection.isCoarse)
    for number in cells.indices {
      let cell = cells[number]
      if isCoarse && cell.isHiddenWhenCoarse {
        rows.appendNull(cell.typed)
      } else {
        try append(cell, of: row, to: &rows)
      }
    }
  }

  private mutating func append(_ cell: Cell, of row: Row, to rows: inout TypedRows) throws {
    switch cell.kind {
    case .references, .tags, .choices:
      let value = try dependent.value(of: row.int(FlatSelection.rowid), cell.kind)
      guard let value else { return rows.appendNull(.text) }
      value.withUnsafeBufferPointer { rows.append(utf8: $0) }
    case .credit(let part):
      let source = row.optionalInt(FlatSelection.source)
      Self.append((source.flatMap { credits[$0] } ?? own)[part], to: &rows)
    case .address:
      row.withUTF8(cell.place) { id in
        (address + id).withUnsafeBufferPointer { rows.append(utf8: $0) }
      }
    case .flag: rows.append(row.bool(cell.place))
    case _ where row.isNull(cell.place): rows.appendNull(cell.typed)
    case .integer: rows.append(row.int(cell.place))
    case .number, .degrees: rows.append(row.double(cell.place))
    case .list: Self.append(list: row, cell.place, to: &rows)
    case .text, .time, .day: row.withUTF8(cell.place) { rows.append(utf8: $0) }
    }
  }

  private static func append(_ text: String?, to rows: inout TypedRows) {
    guard var text else { return rows.appendNull(.text) }
    text.withUTF8 { rows.append(utf8: $0) }
  }

  /// A JSON array of codes or numbers, joined by semicolons; null if it is empty.
  private static func append(list row: Row, _ place: Int, to rows: inout TypedRows) {
    row.withUTF8(place) { json in
      guard json.count > 2 else { return rows.appendNull(.text) }
      var text = CSVText(capacity: 64)
      text.append(list: json)
      // The apostrophe before a negative number is only for spreadsheets.
      var bytes = text.bytes[...]
      if bytes.first == UInt8(ascii: "'") { bytes = bytes.dropFirst() }
      bytes.withUnsafeBufferPointer { rows.append(utf8: $0) }
    }
  }
}

extension FlatColumn {
  /// The type of its values in a file with types.
  fileprivate var typed: TypedRows.Kind {
    switch kind {
    case .integer: .integer
    case .number, .degrees: .number
    case .flag: .flag
    case .time: .time
    case .day: .day
    case .text, .list, .credit, .references, .tags, .choices, .address: .text
    }
  }
}
