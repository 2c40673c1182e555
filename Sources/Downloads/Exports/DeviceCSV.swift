import Import
import Reference
import Service
import SpatialDatabase

/// Writes devices as CSV (RFC 4180): UTF-8, with a header, lines ending in CR LF.
struct DeviceCSV {
  private let selection = FlatSelection()
  private let credits: ExportCredits
  private let publicTags: PublicTags

  init(_ credits: ExportCredits, _ publicTags: PublicTags) {
    self.credits = credits
    self.publicTags = publicTags
  }

  /// How to write a cell. A plain struct, because a file reads it fifty times for each of a million
  /// rows.
  private struct Cell {
    let kind: FlatColumn.Kind
    let place: Int
    let isHiddenWhenCoarse: Bool
  }

  /// The size of a chunk of output, in bytes.
  private static let pieceSize = 65_536

  func write(
    _ devices: ExportedDevices, _ connection: borrowing Connection,
    to sink: ([UInt8]) throws -> Void
  ) throws {
    var text = CSVText(capacity: Self.pieceSize + 8_192)
    for (place, column) in selection.columns.enumerated() {
      if place > 0 { text.separate() }
      text.append(column.column.name)
    }
    text.endRecord()
    let credited = CreditCells(credits)
    let address = Array(credits.deviceAddress.utf8)
    let cells = selection.columns.map { column, place in
      Cell(kind: column.kind, place: place, isHiddenWhenCoarse: column.isHiddenWhenCoarse)
    }
    var dependent = try DependentRows(publicTags, connection)
    try devices.forEach(selection.sql, connection) { row in
      let rowid = row.int(FlatSelection.rowid)
      let isCoarse = row.bool(FlatSelection.isCoarse)
      let source = row.optionalInt(FlatSelection.source)
      for place in cells.indices {
        let cell = cells[place]
        if place > 0 { text.separate() }
        guard !(isCoarse && cell.isHiddenWhenCoarse) else { continue }
        switch cell.kind {
        case .references, .tags, .choices:
          if let value = try dependent.value(of: rowid, cell.kind) {
            value.withUnsafeBufferPointer { text.append($0) }
          }
        case .credit(let part): text.append(ready: credited.cell(part, of: source))
        case .address:
          text.append(ready: address)
          row.withUTF8(cell.place) { text.append(plain: $0) }
        default: Self.write(row, cell.place, cell.kind, to: &text)
        }
      }
      text.endRecord()
      if text.count >= Self.pieceSize {
        try sink(text.bytes)
        text.removeAll()
      }
    }
    try sink(text.bytes)
  }

  private static func write(
    _ row: borrowing Row, _ place: Int, _ kind: FlatColumn.Kind, to text: inout CSVText
  ) {
    switch kind {
    case .degrees: text.append(degrees: row.double(place))
    case .flag: text.append(ready: row.bool(place) ? Self.true : Self.false)
    case .integer, .number, .time, .day: row.withUTF8(place) { text.append(plain: $0) }
    case .list: row.withUTF8(place) { text.append(list: $0) }
    default: row.withUTF8(place) { text.append($0) }
    }
  }

  private static let `true` = Array("true".utf8)
  private static let `false` = Array("false".utf8)
}

/// The cells of credits, formatted once for each source.
private struct CreditCells {
  private typealias Cells = (name: [UInt8], licence: [UInt8], attribution: [UInt8], url: [UInt8])
  private let own: Cells
  private let bySource: [Int64: Cells]

  init(_ credits: ExportCredits) {
    own = Self.cells(credits.own)
    bySource = credits.bySource.mapValues(Self.cells)
  }

  func cell(_ part: FlatColumn.Credit, of source: Int64?) -> [UInt8] {
    let cells = source.flatMap { bySource[$0] } ?? own
    return switch part {
    case .name: cells.name
    case .licence: cells.licence
    case .attribution: cells.attribution
    case .url: cells.url
    }
  }

  private static func cells(_ credit: ExportCredit) -> Cells {
    (
      cell(credit.name), cell(credit.licence), cell(credit.attribution), cell(credit.url ?? "")
    )
  }

  private static func cell(_ value: String) -> [UInt8] {
    var text = CSVText(capacity: 128)
    text.append(value)
    return text.bytes
  }
}
