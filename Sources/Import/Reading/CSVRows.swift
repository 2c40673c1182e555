import JSON

/// Converts the records of a CSV file to rows. The first record contains the column names.
struct CSVRows {
  private var splitter: CSVSplitter
  private let encoding: TextEncoding
  private var header: [String]?
  private var count = 0

  init(separator: UInt8, encoding: TextEncoding) {
    splitter = CSVSplitter(separator: separator)
    self.encoding = encoding
  }

  mutating func take(
    _ piece: UnsafeBufferPointer<UInt8>, _ told: ([String]) -> Void,
    _ body: (SourceRow) throws -> Void
  ) throws {
    var splitter = self.splitter
    try splitter.take(piece) { try take($0, told, body) }
    self.splitter = splitter
  }

  mutating func finish(
    _ told: ([String]) -> Void, _ body: (SourceRow) throws -> Void
  ) throws {
    var splitter = self.splitter
    do {
      try splitter.finish { try take($0, told, body) }
    } catch var failure as ImportFailure {
      failure.row = failure.row ?? count + 1
      throw failure
    }
    guard header != nil else { throw ImportFailure("the file is empty") }
  }

  private mutating func take(
    _ record: CSVSplitter.Record, _ told: ([String]) -> Void,
    _ body: (SourceRow) throws -> Void
  ) throws {
    guard let header else {
      let names = try Self.names(record, encoding)
      told(names)
      self.header = names
      return
    }
    count += 1
    guard record.isEnded || record.fields.count >= header.count else {
      throw ImportFailure(
        "the last row has \(record.fields.count) of \(header.count) fields and no line end; "
          + "the file was cut off", row: count, line: record.line)
    }
    try body(row(record, header))
  }

  private static func names(
    _ record: CSVSplitter.Record, _ encoding: TextEncoding
  ) throws -> [String] {
    var names: [String] = []
    var seen: [String: Int] = [:]
    for (position, field) in record.fields.enumerated() {
      guard let text = encoding.text(field) else {
        throw ImportFailure("the header is not \(encoding.rawValue)", line: record.line)
      }
      var name = CleanText(text, limit: 200, lines: false).text
      if name.isEmpty { name = "column \(position + 1)" }
      let times = (seen[name] ?? 0) + 1
      seen[name] = times
      names.append(times == 1 ? name : "\(name) (\(times))")
    }
    return names
  }

  private func row(_ record: CSVSplitter.Record, _ header: [String]) -> SourceRow {
    var row = SourceRow(number: count, line: record.line, columns: JSONObject())
    if let fault = Self.fault(record, header) { row.fault = fault }
    for (name, field) in zip(header, record.fields) where !field.isEmpty {
      guard let text = encoding.text(field) else {
        row.fault = RowFault(
          code: "not_text",
          detail: "“\(name)” is not \(encoding.rawValue); name the file's encoding in the mapping.")
        break
      }
      row.columns.members.append((name, .string(text)))
    }
    return row
  }

  /// Missing or additional fields shift values into the wrong columns, so such a row is rejected.
  /// Additional empty fields at the end are harmless.
  private static func fault(_ record: CSVSplitter.Record, _ header: [String]) -> RowFault? {
    let count = record.fields.count
    let isWhole =
      count >= header.count && record.fields.dropFirst(header.count).allSatisfy(\.isEmpty)
    return isWhole
      ? nil
      : RowFault(
        code: "field_count", detail: "The row has \(count) fields, the header \(header.count).")
  }
}
