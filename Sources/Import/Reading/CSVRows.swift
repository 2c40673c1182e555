import JSON
import WrittenValues

/// Converts the records of a CSV file to rows. One of the first records contains the column names.
struct CSVRows {
  private var splitter: CSVSplitter
  /// The number of records before the rows: titles, and at last the header.
  private var before: Int
  private let headerRow: Int
  private var header: [String]?
  /// The header as written; empty for a list without one.
  private var headerFields: [[UInt8]] = []
  private var count = 0

  /// - Parameters:
  ///   - separator: an ASCII byte.
  ///   - quote: the ASCII byte around texts.
  ///   - headerRow: the number of the record with the column names, from 1, without blank ones and without the
  ///     line `sep=;` of Excel; 0 if the list has no names.
  init(separator: UInt8, quote: UInt8 = UInt8(ascii: "\""), headerRow: Int = 1) {
    splitter = CSVSplitter(separator: separator, quote: quote)
    before = headerRow
    self.headerRow = headerRow
  }

  mutating func take(
    _ piece: UnsafeBufferPointer<UInt8>, _ reported: ([String]) -> Void,
    _ body: (SourceRow) throws -> Void
  ) throws {
    var splitter = self.splitter
    try splitter.take(piece) { try take($0, reported, body) }
    self.splitter = splitter
  }

  mutating func finish(
    _ reported: ([String]) -> Void, _ body: (SourceRow) throws -> Void
  ) throws {
    var splitter = self.splitter
    do {
      try splitter.finish { try take($0, reported, body) }
    } catch var failure as ImportFailure {
      failure.row = failure.row ?? count + 1
      throw failure
    }
    guard header != nil else {
      throw ImportFailure(
        before == headerRow
          ? "the file is empty" : "the file ends before the row with the column names")
    }
  }

  private mutating func take(
    _ record: CSVSplitter.Record, _ reported: ([String]) -> Void,
    _ body: (SourceRow) throws -> Void
  ) throws {
    // Spreadsheets write the rows below a list, too.
    guard !record.isBlank else { return }
    if let line = record.openQuoteLine, header == nil {
      throw ImportFailure("a quote in the header does not end", line: line)
    }
    guard let header else {
      if CSVSeparator.isHint(record) { return }
      before -= 1
      guard before <= 0 else { return }
      let names = headerRow > 0 ? try Self.names(record) : Self.numbers(of: record)
      reported(names)
      header = names
      if headerRow > 0 { headerFields = record.fields.map(Array.init) }
      if headerRow == 0 { try take(record, reported, body) }
      return
    }
    // Joined files repeat their header.
    if isHeader(record) { return }
    count += 1
    guard record.isEnded || record.fields.count >= header.count else {
      throw ImportFailure(
        "the last row has \(record.fields.count) of \(header.count) fields and no line end; "
          + "the file was cut off", row: count, line: record.line)
    }
    try body(row(record, header))
  }

  private static func names(_ record: CSVSplitter.Record) throws -> [String] {
    var names = UniqueNames()
    return try record.fields.map { field in
      guard let text = String(validating: field, as: UTF8.self) else {
        throw ImportFailure(
          "the header is not UTF-8; name the file's encoding in the mapping", line: record.line)
      }
      return names.next(CleanText(text, limit: 200, lines: false).text)
    }
  }

  private func isHeader(_ record: CSVSplitter.Record) -> Bool {
    guard headerFields.count > 1, record.fields.count == headerFields.count,
      let first = record.fields.first
    else { return false }
    // A joined file may begin with a byte order mark.
    let start = first.starts(with: [0xEF, 0xBB, 0xBF]) ? first.dropFirst(3) : first
    return start.elementsEqual(headerFields[0])
      && zip(record.fields, headerFields).dropFirst().allSatisfy { $0.elementsEqual($1) }
  }

  private static func numbers(of record: CSVSplitter.Record) -> [String] {
    var names = UniqueNames()
    return record.fields.map { _ in names.next("") }
  }

  private func row(_ record: CSVSplitter.Record, _ header: [String]) -> SourceRow {
    var row = SourceRow(number: count, line: record.line, columns: JSONObject())
    row.columns.members.reserveCapacity(header.count)
    if let fault = Self.fault(record, header) { row.fault = fault }
    if headerRow == 0 {
      // Titles above a list have fewer fields than its rows.
      for (place, field) in record.fields.enumerated().dropFirst(header.count)
      where !field.isEmpty {
        let text = JSONValue.string(String(decoding: field, as: UTF8.self))
        row.columns.members.append(("column \(place + 1)", text))
      }
    }
    for (name, field) in zip(header, record.fields) where !field.isEmpty {
      guard let text = String(validating: Self.plain(field), as: UTF8.self) else {
        row.fault = RowFault(
          code: "not_text",
          detail: "“\(name)” is not utf-8; name the file's encoding in the mapping.")
        continue
      }
      row.columns.members.append((name, .string(text)))
    }
    return row
  }

  /// The text of `="007"`, the form by which spreadsheets mark a number as text.
  private static func plain(_ field: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard field.first == UInt8(ascii: "="), field.count > 3, field.last == UInt8(ascii: "\""),
      field.dropFirst().first == UInt8(ascii: "\"")
    else { return field }
    let inner = field.dropFirst(2).dropLast()
    return inner.contains(UInt8(ascii: "\"")) ? field : inner
  }

  /// Missing or additional fields shift values into the wrong columns, so such a row is rejected.
  /// Additional empty fields at the end are harmless.
  private static func fault(_ record: CSVSplitter.Record, _ header: [String]) -> RowFault? {
    if let line = record.openQuoteLine {
      return RowFault(
        code: "open_quote",
        detail:
          "The quote that begins in line \(line) has no proper end, so this row has text of the next rows."
      )
    }
    let count = record.fields.count
    let isWhole =
      count >= header.count && record.fields.dropFirst(header.count).allSatisfy(\.isEmpty)
    return isWhole
      ? nil
      : RowFault(
        code: "field_count", detail: "The row has \(count) fields, the header \(header.count).")
  }
}
