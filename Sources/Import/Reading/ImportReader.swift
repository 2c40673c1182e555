/// Reads the rows of a list in any format, without holding the whole list in memory.
package struct ImportReader {
  /// Options for reading a file. Nil values are detected.
  package struct Options: Equatable, Sendable {
    package var format: ImportFormat?
    /// Member names from the root of a JSON document to the array of rows.
    package var path: [String]?
    /// An ASCII character.
    package var separator: UInt8?
    package var encoding = TextEncoding.utf8

    package init() {}
  }

  private let source: ByteSource
  private let options: Options

  package init(_ source: ByteSource, options: Options = Options()) {
    self.source = source
    self.options = options
  }

  /// Passes every row in order to `body`. Unreadable rows carry their fault.
  ///
  /// - Parameters:
  ///   - progress: called about every 128 KiB.
  ///   - body: processes a row. An error stops the reading.
  /// - Throws: ``ImportFailure`` if the file is truncated or not a list, after passing on all earlier rows.
  package func forEachRow(
    progress: (ImportProgress) -> Void = { _ in }, _ body: (SourceRow) throws -> Void
  ) throws {
    let head = try head()
    let layout = try FormatGuess(head: head, name: source.name).layout(
      wanted: options.format, path: options.path)
    var rows = 0
    func count(_ row: SourceRow) throws {
      rows += 1
      try body(row)
    }
    func report(_ read: Int, _ total: Int) {
      progress(ImportProgress(bytesRead: read, bytesTotal: total, rows: rows))
    }
    switch layout.format {
    case .csv: try readCSV(head, report, count)
    case .osmXML: try readXML(report, count)
    case .geoJSON: try readJSON(layout.rows, JSONRows(kind: .feature), report, count)
    case .osmJSON: try readJSON(layout.rows, JSONRows(kind: .osmElement), report, count)
    case .json: try readJSON(layout.rows, JSONRows(kind: .plain), report, count)
    }
  }

  /// The format, detected from the beginning of the file.
  ///
  /// - Throws: ``ImportFailure`` if the file is not a list.
  package func format() throws -> ImportFormat {
    try FormatGuess(head: head(), name: source.name).layout(
      wanted: options.format, path: options.path
    ).format
  }

  private func head() throws -> [UInt8] {
    var head: [UInt8] = []
    do {
      try source.forEachPiece { piece in
        head += piece
        return head.count < 65_536
      }
    } catch  where !head.isEmpty {
      // A truncated short file is reported when its rows are read.
    }
    return head
  }

  private func readCSV(
    _ head: [UInt8], _ report: (Int, Int) -> Void, _ body: (SourceRow) throws -> Void
  ) throws {
    var rows = CSVRows(
      separator: options.separator ?? Self.separator(head), encoding: options.encoding)
    try forEachPieceAfterMark(report) { try rows.take($0, body) }
    try rows.finish(body)
  }

  private func readXML(
    _ report: (Int, Int) -> Void, _ body: (SourceRow) throws -> Void
  ) throws {
    var rows = try OSMXMLRows()
    try source.forEachPiece(progress: report) { piece in
      try rows.take(piece, body)
      return true
    }
    try rows.finish(body)
  }

  private func readJSON(
    _ layout: FileLayout.Rows, _ rows: JSONRows, _ report: (Int, Int) -> Void,
    _ body: (SourceRow) throws -> Void
  ) throws {
    var number = 0
    func element(_ bytes: [UInt8], _ line: Int) throws {
      number += 1
      try body(rows.row(bytes, number: number, line: line))
    }
    switch layout {
    case .array(let path):
      var splitter = JSONSplitter(target: .array(path))
      try forEachPieceAfterMark(report) { try splitter.take($0, element) }
      try splitter.finish(element)
    case .root:
      var splitter = JSONSplitter(target: .root)
      try forEachPieceAfterMark(report) { try splitter.take($0, element) }
      try splitter.finish(element)
    case .lines, .sequence:
      var splitter = LineSplitter(separator: layout == .sequence ? 0x1E : UInt8(ascii: "\n"))
      try forEachPieceAfterMark(report) { try splitter.take($0, element) }
      try splitter.finish(element)
    }
  }

  /// All pieces without the optional byte order mark at the start.
  private func forEachPieceAfterMark(
    _ report: (Int, Int) -> Void, _ body: (UnsafeBufferPointer<UInt8>) throws -> Void
  ) throws {
    var isFirst = true
    try source.forEachPiece(progress: report) { piece in
      var piece = piece
      if isFirst, piece.prefix(3).elementsEqual([0xEF, 0xBB, 0xBF]) {
        piece = UnsafeBufferPointer(rebasing: piece.dropFirst(3))
      }
      isFirst = false
      try body(piece)
      return true
    }
  }

  /// The most frequent separator in the header line. A comma if there is none.
  private static func separator(_ head: [UInt8]) -> UInt8 {
    let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
    var counts = [0, 0, 0]
    var isQuoted = false
    for byte in head {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if isQuoted { continue }
      if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { break }
      if let index = candidates.firstIndex(of: byte) { counts[index] += 1 }
    }
    let most = counts.max() ?? 0
    return zip(candidates, counts).first { $0.1 == most && most > 0 }?.0 ?? UInt8(ascii: ",")
  }
}
