package import JSON
package import SpatialDatabase

extension JSONWriter {
  /// Writes the text of a column, or null.
  package mutating func text(_ row: borrowing Row, _ column: Int) {
    if row.isNull(column) {
      null()
    } else {
      row.withUTF8(column) { string(utf8: $0) }
    }
  }
}
