package import CharacterSets
package import JSON

/// The content of a list before there is a mapping for it: its format, its columns, and rows spread over the
/// list. Nothing is stored.
package struct ListInspection: Sendable {
  /// The limits of one inspection.
  package struct Limits: Sendable {
    /// The number of rows to read: enough for fill rates, and read in a few seconds.
    package var rows = 100_000
    package var duration = Duration.seconds(15)
    /// Bytes of decompressed gzip.
    package var unpackedBytes = 1 << 30

    package init() {}
  }

  package let format: ImportFormat
  /// Whether `farol-formats` reads the file.
  package let isPacked: Bool
  package let encoding: TextEncoding
  package var encodingName: String { encoding.name }
  /// The names of the encodings to choose from.
  package static let encodings = TextEncoding.all.map(\.name)
  /// Whether the encoding is a guess from the words of the list.
  package let isEncodingGuessed: Bool
  /// The first texts with letters above ASCII, to check the encoding with.
  package let foreignSamples: [String]
  /// The number of the row with the column names of a table, from 1; 0 without such a row.
  package let headerRow: Int
  /// The separator of a table.
  package let separator: Character?
  /// Whether texts are UTF-8 that was read as Windows-1252.
  package let isDoubleEncoded: Bool
  /// The number of rows read, and of unreadable rows.
  package let rows, unreadable: Int
  /// Whether all rows were read.
  package let isComplete: Bool
  /// The file's own statement that it is only a part of the list; nil without one.
  package let incomplete: String?
  /// The reason why the file ends early.
  package let fault: String?
  package let columns: [InspectedColumn]
  /// Whether the file has more columns than are inspected.
  package let hasMoreColumns: Bool
  /// The numbers of the rows to which ``positions`` and ``InspectedColumn/numbers`` belong.
  package let sample: [Int]
  /// The positions that the format itself provides, unchecked; nil for rows without one.
  package let positions: [SamplePosition?]

  /// Inspects a list.
  ///
  /// - Parameters:
  ///   - file: the list.
  ///   - input: the member `input` of a mapping; the inspection detects missing settings.
  ///   - limits: where to stop.
  ///   - program: reads the formats that need a library.
  /// - Throws: ``InvalidMapping`` for `input`, or ``ImportFailure`` if no row can be read. Its `choices` name
  ///   the lists of the file if there are several.
  package init(
    of file: ByteSource, input: JSONValue? = nil, limits: Limits = Limits(),
    program: FormatProgram = .besideThis
  ) throws {
    var options = try ImportMapping.readingOptions(input)
    options.deadline = .now + limits.duration
    let file = file.limited(toUnpacked: limits.unpackedBytes)
    var reading = InspectionReading(file, options, limits, program)
    let isDetected = input?["encoding"] == nil
    var isGuessed = false
    do {
      try reading.read()
      if isDetected, reading.hasForeignBytes { throw ImportFailure("the file is not UTF-8") }
    } catch let failure as ImportFailure {
      guard isDetected, failure.choices.isEmpty, reading.isText,
        let bytes = try? reading.reader.foreignBytes(), !bytes.isEmpty,
        String(validating: bytes, as: UTF8.self) == nil
      else { throw failure }
      options.encoding = TextEncoding.guess(bytes)
      isGuessed = true
      var second = InspectionReading(file, options, limits, program)
      do { try second.read() } catch is ImportFailure { throw failure }
      reading = second
    }
    if input?["header_row"] == nil,
      HeaderRow.isUnlikely(reading.columnNames)
        || !reading.header.isEmpty && reading.tally.unreadable * 2 > reading.tally.rows
    {
      options.headerRow = 0
      options.headerRow = try InspectionReading(file, options, limits, program).headerRow()
      var third = InspectionReading(file, options, limits, program)
      do {
        if options.headerRow != 1 {
          try third.read()
          reading = third
        }
      } catch is ImportFailure {}
    }
    self.init(reading, isGuessed: isGuessed)
  }

  private init(_ reading: InspectionReading, isGuessed: Bool) {
    format = reading.format ?? .csv
    isPacked = reading.isPacked
    encoding = reading.encoding
    isEncodingGuessed = isGuessed
    foreignSamples = reading.tally.foreignSamples
    headerRow = reading.headerRowRead
    separator = reading.separator.map { Character(UnicodeScalar($0)) }
    isDoubleEncoded = reading.tally.isDoubleEncoded
    rows = reading.tally.rows
    unreadable = reading.tally.unreadable
    isComplete = reading.isComplete
    incomplete = reading.incomplete
    fault = reading.fault
    columns = reading.tally.inspectedColumns
    hasMoreColumns = reading.tally.hasMoreColumns
    sample = reading.tally.sample.map(\.row)
    positions = reading.tally.sample.map(\.position)
  }
}

/// A position as a row provides it; not checked.
package struct SamplePosition: Equatable, Sendable {
  package let longitude, latitude: Double
}

/// The two numbers of a position in one value, as written.
package struct SamplePair: Equatable, Sendable {
  package let first, second: Double
}

/// One reading of a list.
struct InspectionReading {
  let reader: ImportReader
  private let limits: ListInspection.Limits
  private(set) var encoding: TextEncoding
  /// The number of the row that was read as the column names.
  let headerRowRead: Int
  /// The column names of a table.
  private(set) var header: [String] = []
  private(set) var format: ImportFormat?
  private(set) var isPacked = false
  private(set) var separator: UInt8?
  private(set) var tally = InspectionTally()
  private(set) var isComplete = true
  private(set) var incomplete: String?
  private(set) var fault: String?

  /// Thrown through the reader when enough rows are read.
  private struct Enough: Error {}

  init(
    _ file: ByteSource, _ options: ImportReader.Options, _ limits: ListInspection.Limits,
    _ program: FormatProgram
  ) {
    reader = ImportReader(file, options: options, program: program)
    encoding = options.encoding
    headerRowRead = options.headerRow
    self.limits = limits
  }

  /// The column names of a table or a sheet; empty for other lists.
  var columnNames: [String] {
    let isSheet = isPacked && format == .geoJSON && tally.sample.allSatisfy { $0.position == nil }
    return isSheet ? tally.names : header
  }

  /// Whether another encoding may help.
  var isText: Bool { format != nil && format != .osmXML && encoding == .utf8 }
  var hasForeignBytes: Bool { isText && tally.hasForeignBytes }

  /// The likely number of the row with the column names, from a list that is read without them.
  func headerRow() throws -> Int {
    var found = HeaderRow()
    do {
      try reader.forEachRow { row in
        found.add(row)
        if found.isFull { throw Enough() }
      }
    } catch is Enough {} catch is ImportFailure {} catch is ImportReader.OutOfTime {}
    return found.number
  }

  /// - Throws: ``ImportFailure`` if no row can be read.
  mutating func read() throws {
    do {
      format = try reader.format()
      isPacked = try reader.isPacked()
      separator = try reader.separator()
      encoding = try reader.encoding()
    } catch is ImportReader.OutOfTime { throw ImportFailure.slowStart }
    var tally = self.tally
    defer { self.tally = tally }
    do {
      try reader.forEachRow(
        header: { names in
          tally.add(header: names)
          header = names
        },
        stated: { statement in
          if case .incomplete(let reason) = statement { incomplete = reason }
        }
      ) { row in
        guard tally.rows < limits.rows else { throw Enough() }
        tally.add(row)
      }
    } catch is Enough {
      isComplete = false
    } catch is ImportReader.OutOfTime {
      guard tally.rows > 0 else { throw ImportFailure.slowStart }
      isComplete = false
    } catch let failure as ImportFailure where tally.rows > 0 {
      isComplete = false
      fault = "\(failure)"
    }
  }
}
