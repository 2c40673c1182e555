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
  /// The separator of a table.
  package let separator: Character?
  /// Whether texts are UTF-8 that was read as Windows-1252.
  package let isDoubleEncoded: Bool
  /// The number of rows read, and of those that could not be read.
  package let rows, unreadable: Int
  /// Whether all rows were read.
  package let isComplete: Bool
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
  ///   - input: the member `input` of a mapping; what it leaves out is detected.
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
    do {
      try reading.read()
      if isDetected, reading.hasForeignBytes { throw ImportFailure("the file is not UTF-8") }
    } catch let failure as ImportFailure {
      // A header or row that is not UTF-8 may be Windows-1252, which every file is.
      guard isDetected, failure.choices.isEmpty, reading.isTable else { throw failure }
      options.encoding = .windows1252
      var second = InspectionReading(file, options, limits, program)
      do { try second.read() } catch is ImportFailure { throw failure }
      reading = second
    }
    self.init(reading)
  }

  private init(_ reading: InspectionReading) {
    format = reading.format ?? .csv
    isPacked = reading.isPacked
    encoding = reading.encoding
    separator = reading.separator.map { Character(UnicodeScalar($0)) }
    isDoubleEncoded = reading.tally.isDoubleEncoded
    rows = reading.tally.rows
    unreadable = reading.tally.unreadable
    isComplete = reading.isComplete
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

/// One reading of a list.
struct InspectionReading {
  private let reader: ImportReader
  private let limits: ListInspection.Limits
  let encoding: TextEncoding
  private(set) var format: ImportFormat?
  private(set) var isPacked = false
  private(set) var separator: UInt8?
  private(set) var tally = InspectionTally()
  private(set) var isComplete = true
  private(set) var fault: String?

  /// Thrown through the reader when enough rows are read.
  private struct Enough: Error {}

  init(
    _ file: ByteSource, _ options: ImportReader.Options, _ limits: ListInspection.Limits,
    _ program: FormatProgram
  ) {
    reader = ImportReader(file, options: options, program: program)
    encoding = options.encoding
    self.limits = limits
  }

  /// Whether another encoding may help.
  var isTable: Bool { format == .csv && encoding == .utf8 }
  var hasForeignBytes: Bool { isTable && tally.hasForeignBytes }

  /// - Throws: ``ImportFailure`` if no row can be read.
  mutating func read() throws {
    do {
      format = try reader.format()
      isPacked = try reader.isPacked()
      separator = try reader.separator()
    } catch is ImportReader.OutOfTime { throw ImportFailure.slowStart }
    var tally = self.tally
    defer { self.tally = tally }
    do {
      try reader.forEachRow(header: { tally.add(header: $0) }) { row in
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
