/// The reason why an import stopped before the end of its file.
package struct ImportFailure: Error, Equatable, CustomStringConvertible {
  /// The problem, as a sentence without its full stop.
  package var reason: String
  /// The current row, counted from 1. Nil before the first row.
  package var row: Int?
  /// The line in the (decompressed) file, counted from 1, if known.
  package var line: Int?
  /// The lists of the file, if the mapping must name one; as `input.layer` or `input.path` writes them.
  package var choices: [String] = []

  package init(_ reason: String, row: Int? = nil, line: Int? = nil) {
    self.reason = reason
    self.row = row
    self.line = line
  }

  /// No row was read in time.
  static let slowStart = ImportFailure("reading its first row takes too long")

  package var description: String {
    switch (line, row) {
    case (let line?, let row?): "line \(line), row \(row): \(reason)"
    case (let line?, nil): "line \(line): \(reason)"
    case (nil, let row?): "row \(row): \(reason)"
    case (nil, nil): reason
    }
  }
}
