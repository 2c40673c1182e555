package import CharacterSets
import JSON
package import Projections

/// Reads the rows of a list in any format, without holding the whole list in memory.
package struct ImportReader {
  /// Options for reading a file. Nil values are detected.
  package struct Options: Equatable, Sendable {
    package var format: ImportFormat?
    /// Member names from the root of a JSON document to the array of rows.
    package var path: [String]?
    /// An ASCII character.
    package var separator: UInt8?
    /// The encoding of a text file; a byte order mark of UTF-16 is found even so.
    package var encoding = TextEncoding.utf8
    /// The number of the row with the column names of a table, from 1; 0 without such a row.
    package var headerRow = 1
    /// The coordinate system of the list; nil for degrees, or to use the file's statement.
    package var system: CoordinateSystem?
    /// The list to read, if the file has several: a table, a sheet, or a file of an archive.
    package var layer: String?
    /// Limit the elements of OpenStreetMap's binary format; empty: every element with a tag.
    package var tagTests: [TagTest] = []
    /// When to give up with ``ImportReader/OutOfTime``.
    package var deadline: ContinuousClock.Instant?

    package init() {}
  }

  /// Thrown when the deadline has passed. The program that reads the file has been ended.
  package struct OutOfTime: Error {}

  private let source: ByteSource
  private let options: Options
  private let program: FormatProgram

  /// `program` reads the formats that need a library.
  package init(
    _ source: ByteSource, options: Options = Options(), program: FormatProgram = .besideThis
  ) {
    self.source = source
    self.options = options
    self.program = program
  }

  /// Passes every row in order to `body`. Unreadable rows carry their fault.
  ///
  /// - Parameters:
  ///   - progress: called about every 128 KiB.
  ///   - header: called with the columns of a table, before its rows.
  ///   - stated: called with the file's statements about itself.
  ///   - body: processes a row. An error stops the reading.
  /// - Throws: ``ImportFailure`` if the file is truncated or not a list, after passing on all earlier rows.
  package func forEachRow(
    progress: (ImportProgress) -> Void = { _ in }, header: ([String]) -> Void = { _ in },
    stated: (FileStatement) -> Void = { _ in }, _ body: (SourceRow) throws -> Void
  ) throws {
    var rows = 0
    func count(_ row: SourceRow) throws {
      rows += 1
      try body(row)
    }
    func report(_ read: Int, _ total: Int) {
      progress(ImportProgress(bytesRead: read, bytesTotal: total, rows: rows))
    }
    if let packed = try packed() {
      return try read(packed, report, progress, header, stated, count)
    }
    let start = try start()
    let layout = try FormatGuess(head: start.head, name: source.name, system: options.system)
      .layout(
        wanted: options.format, path: options.path)
    var isPart = false
    func note(_ statement: FileStatement) {
      if case .incomplete = statement { isPart = true }
      stated(statement)
    }
    switch layout.format {
    case .csv: try readCSV(start.head, report, header, count)
    case .osmXML: try readXML(report, stated, count)
    case .geoJSON, .esriJSON:
      let rows = JSONRows(
        kind: layout.format == .esriJSON ? .esriFeature : .feature,
        system: options.system ?? layout.system)
      try readJSON(layout.rows, rows, report, note, count)
    case .osmJSON: try readJSON(layout.rows, JSONRows(kind: .osmElement), report, note, count)
    case .json: try readJSON(layout.rows, JSONRows(kind: .plain), report, note, count)
    }
    if rows == Self.socrataPage, !isPart, layout.maySocrataCut {
      stated(
        .incomplete(
          "it has 1,000 rows, as a page of a Socrata portal has; ask for all of them ($limit=50000)"
        ))
    }
  }

  /// The format of the rows, detected from the beginning of the file.
  ///
  /// - Throws: ``ImportFailure`` if the file is not a list.
  package func format() throws -> ImportFormat {
    if let packed = try packed() {
      switch try packed.rows() {
      case .features: return .geoJSON
      case .osmElements: return .osmJSON
      case .bytes(let name): return try unpacked(packed, name: name).format()
      }
    }
    return try FormatGuess(head: start().head, name: source.name, system: options.system).layout(
      wanted: options.format, path: options.path
    ).format
  }

  /// The encoding of a text file, from its byte order mark or otherwise from the options.
  package func encoding() throws -> TextEncoding {
    if let packed = try packed() {
      guard case .bytes(let name) = try packed.rows() else { return options.encoding }
      return try unpacked(packed, name: name).encoding()
    }
    return try start().encoding
  }

  /// Whether `farol-formats` reads the file.
  package func isPacked() throws -> Bool { try packed() != nil }

  /// The separator of a table; nil for other formats.
  ///
  /// - Throws: ``ImportFailure`` if the file is not a list, or its header does not use the requested separator.
  package func separator() throws -> UInt8? {
    if let packed = try packed() {
      guard case .bytes(let name) = try packed.rows() else { return nil }
      return try unpacked(packed, name: name).separator()
    }
    guard try format() == .csv else { return nil }
    return try CSVSeparator(start().head).separator(wanted: options.separator)
  }

  private func checkTime() throws {
    if let deadline = options.deadline, ContinuousClock.now > deadline { throw OutOfTime() }
  }

  /// The reason why `farol-formats` does not read the file; nil if it reads a row, or if the file needs no
  /// such program.
  package func packedFault() -> String? {
    struct Enough: Error {}
    guard (try? packed()) != nil else { return nil }
    do { try forEachRow { _ in throw Enough() } } catch let failure as ImportFailure {
      return failure.reason
    } catch is OutOfTime {
      return ImportFailure.slowStart.reason
    } catch {}
    return nil
  }

  /// The file, if `farol-formats` reads it.
  private func packed() throws -> PackedFile? {
    guard try PackedFile.isPacked(source.rawHead()) else { return nil }
    return PackedFile(source, program: program, options)
  }

  /// A reader of the list in an archive or a compressed file.
  private func unpacked(_ packed: PackedFile, name: String) -> ImportReader {
    ImportReader(ByteSource(unpacking: packed, name: name), options: options, program: program)
  }

  private func read(
    _ packed: PackedFile, _ report: (Int, Int) -> Void, _ progress: (ImportProgress) -> Void,
    _ header: ([String]) -> Void, _ stated: (FileStatement) -> Void,
    _ body: (SourceRow) throws -> Void
  ) throws {
    var splitter = LineSplitter(separator: UInt8(ascii: "\n"))
    var unpackedName: String?
    var number = 0
    var kind = JSONRows.Kind.feature
    var isStated = false
    func line(_ bytes: [UInt8], _ line: Int) throws {
      number += 1
      var row = JSONRows(kind: kind).row(bytes, number: number, line: line)
      row.line = nil
      try body(row)
    }
    try packed.forEachPiece(progress: report) { rows, piece in
      try checkTime()
      switch rows {
      case .bytes(let name):
        unpackedName = name
        return false
      case .features(let hasLinks):
        if hasLinks, !isStated {
          stated(.incomplete("it links to another file (NetworkLink), which is not read"))
          isStated = true
        }
      case .osmElements: kind = .osmElement
      }
      try splitter.take(piece, line)
      return true
    }
    guard let unpackedName else { return try splitter.finish(line) }
    try unpacked(packed, name: unpackedName).forEachRow(
      progress: progress, header: header, stated: stated, body)
  }

  /// The beginning of the text in UTF-8, and the encoding of the file.
  private func start() throws -> (head: [UInt8], encoding: TextEncoding) {
    let head = try rawHead()
    let encoding = TextEncoding(markOf: head) ?? options.encoding
    return (encoding == .utf8 ? head : Array(encoding.text(head).utf8), encoding)
  }

  /// Bytes of a text file, unpacked, for ``TextEncoding/guess(_:)``: its first parts that are not ASCII.
  package func foreignBytes() throws -> [UInt8] {
    if let packed = try packed() {
      guard case .bytes(let name) = try packed.rows() else { return [] }
      return try unpacked(packed, name: name).foreignBytes()
    }
    var bytes: [UInt8] = []
    try source.forEachPiece { piece in
      try checkTime()
      if piece.contains(where: { $0 >= 0x80 }) { bytes += piece }
      return bytes.count < 1 << 20
    }
    return bytes
  }

  /// The number of rows that Socrata returns without `$limit`. It does not report that there are more.
  private static let socrataPage = 1_000

  private func rawHead() throws -> [UInt8] {
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
    _ head: [UInt8], _ report: (Int, Int) -> Void, _ header: ([String]) -> Void,
    _ body: (SourceRow) throws -> Void
  ) throws {
    let separator = try CSVSeparator(head).separator(wanted: options.separator)
    var rows = CSVRows(
      separator: separator, quote: CSVSeparator.quote(head, separator: separator),
      headerRow: options.headerRow)
    try forEachTextPiece(report) { try rows.take($0, header, body) }
    try rows.finish(header, body)
  }

  private func readXML(
    _ report: (Int, Int) -> Void, _ stated: (FileStatement) -> Void,
    _ body: (SourceRow) throws -> Void
  ) throws {
    var rows = try OSMXMLRows()
    try source.forEachPiece(progress: report) { piece in
      try checkTime()
      try rows.take(piece, body)
      return true
    }
    try rows.finish(body)
    rows.statements.forEach(stated)
  }

  private func readJSON(
    _ layout: FileLayout.Rows, _ rows: JSONRows, _ report: (Int, Int) -> Void,
    _ stated: (FileStatement) -> Void, _ body: (SourceRow) throws -> Void
  ) throws {
    var number = 0
    var ways = OSMWaitingWays()
    let hasElements = rows.kind == .osmElement
    func element(_ bytes: [UInt8], _ line: Int) throws { try member(bytes, line, nil) }
    func member(_ bytes: [UInt8], _ line: Int, _ name: String?) throws {
      number += 1
      var row = rows.row(bytes, number: number, line: line)
      if let name, row.columns["@key"] == nil {
        row.columns.members.append(("@key", .string(name)))
      }
      if let row = hasElements ? ways.take(row) : row { try body(row) }
    }
    switch layout {
    case .array(let path):
      var splitter = JSONSplitter(target: .array(path))
      try forEachTextPiece(report) { try splitter.take($0, member) }
      try splitter.finish(member)
      if let reason = splitter.answer.incompleteness(rows: splitter.count) {
        stated(.incomplete(reason))
      }
    case .root:
      var splitter = JSONSplitter(target: .root)
      try forEachTextPiece(report) { try splitter.take($0, member) }
      try splitter.finish(member)
    case .lines, .sequence:
      var splitter = LineSplitter(separator: layout == .sequence ? 0x1E : UInt8(ascii: "\n"))
      try forEachTextPiece(report) { try splitter.take($0, element) }
      try splitter.finish(element)
    }
    for row in ways.placed { try body(row) }
  }

  /// All pieces of a text in UTF-8, without the optional byte order mark at the start.
  private func forEachTextPiece(
    _ report: (Int, Int) -> Void, _ body: (UnsafeBufferPointer<UInt8>) throws -> Void
  ) throws {
    var isFirst = true
    func pass(_ piece: UnsafeBufferPointer<UInt8>) throws {
      var piece = piece
      if isFirst, piece.prefix(3).elementsEqual([0xEF, 0xBB, 0xBF]) {
        piece = UnsafeBufferPointer(rebasing: piece.dropFirst(3))
      }
      isFirst = false
      try body(piece)
    }
    let encoding = try start().encoding
    guard encoding != .utf8 else {
      return try source.forEachPiece(progress: report) { piece in
        try checkTime()
        try pass(piece)
        return true
      }
    }
    var transcoder = Transcoder(from: encoding)
    try source.forEachPiece(progress: report) { piece in
      try checkTime()
      try transcoder.convert(piece, isLast: false, pass)
      return true
    }
    try transcoder.convert(UnsafeBufferPointer(start: nil, count: 0), isLast: true, pass)
  }
}
