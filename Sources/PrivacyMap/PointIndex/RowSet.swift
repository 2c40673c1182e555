/// A set of rows, one bit per row up to the greatest: an eighth of a megabyte for a million rows.
package struct RowSet: Hashable, Sendable {
  private var words: [UInt64] = []

  package init() {}

  /// The set of these rows.
  package init(_ rows: some Sequence<UInt32>) {
    for row in rows { insert(row) }
  }

  /// Adds a row.
  package mutating func insert(_ row: UInt32) {
    let word = Int(row >> 6)
    if word >= words.count {
      words.append(contentsOf: repeatElement(0, count: word + 1 - words.count))
    }
    words[word] |= 1 << UInt64(row & 63)
  }

  /// Whether the row is in the set.
  package func contains(_ row: UInt32) -> Bool {
    let word = Int(row >> 6)
    return word < words.count && words[word] >> UInt64(row & 63) & 1 == 1
  }
}
