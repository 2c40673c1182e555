/// Why an import ended before its file did.
package struct ImportFailure: Error, Equatable, CustomStringConvertible {
  /// What is wrong, as a sentence without its full stop.
  package var reason: String
  /// The row being read, counted from 1; nil before the first.
  package var row: Int?
  /// The line in the (unpacked) file, counted from 1, where that is known.
  package var line: Int?

  package init(_ reason: String, row: Int? = nil, line: Int? = nil) {
    self.reason = reason
    self.row = row
    self.line = line
  }

  package var description: String {
    switch (line, row) {
    case (let line?, let row?): "line \(line), row \(row): \(reason)"
    case (let line?, nil): "line \(line): \(reason)"
    case (nil, let row?): "row \(row): \(reason)"
    case (nil, nil): reason
    }
  }
}
