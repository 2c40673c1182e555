internal import JSON

/// A GeoParquet file of the server with fewer rows.
package struct ParquetFilter {
  /// The numbers of rows that stay and that are left out.
  package struct Counts: Equatable, Sendable {
    package let kept, leftOut: Int
  }

  private let program: FormatProgram
  private let column: String
  private let texts: [UInt8]

  /// Leaves out the rows that have one of `texts` in `column`; no text contains a line end.
  package init(
    without texts: some Collection<[UInt8]>, in column: String,
    program: FormatProgram = .besideThis
  ) {
    self.program = program
    self.column = column
    self.texts = Array(texts.joined(separator: [0x0A]))
  }

  /// Passes the new file to `sink` in pieces; passes nothing if no row is left out. `next` returns the pieces of the
  /// file, and nil at its end.
  ///
  /// It throws ``ImportFailure`` if the file is damaged or the program fails, or errors of `next` and `sink`.
  package func run(
    _ next: () throws -> [UInt8]?, to sink: ([UInt8]) throws -> Void
  ) throws -> Counts {
    var found: Counts?
    try TemporaryFile.with(pieces: { _ in try next() }) { file, size in
      try TemporaryFile.with(pieces: { $0 == 0 ? texts : nil }) { list, _ in
        found = try filter(file, size: size, list, to: sink)
      }
    }
    guard let found else { throw FormatRefusal.failed("") }
    return found
  }

  private func filter(
    _ file: Int32, size: Int, _ list: Int32, to sink: ([UInt8]) throws -> Void
  ) throws -> Counts? {
    var (head, found): ([UInt8], Counts?) = ([], nil)
    try program.run(
      ["without": .string(column)], seconds: min(60 + size / 500_000, 36_000), file: file,
      second: list
    ) { piece in
      guard found == nil else { return try sink(Array(piece)) }
      head += piece
      guard let end = head.firstIndex(of: 0x0A) else { return }
      found = try Self.counts(head[..<end])
      let rest = Array(head[(end + 1)...])
      if !rest.isEmpty { try sink(rest) }
    }
    return found
  }

  private static func counts(_ line: ArraySlice<UInt8>) throws -> Counts {
    let json = try JSONValue(parsing: Array(line))
    guard let kept = json["kept"]?.intValue, let leftOut = json["left_out"]?.intValue else {
      throw FormatRefusal.failed("")
    }
    return Counts(kept: kept, leftOut: leftOut)
  }
}
