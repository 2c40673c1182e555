import JSON
import WrittenValues

/// Finds the row with the column names of a table that has titles above them, or none.
struct HeaderRow {
  /// The texts of the first rows, read without a header.
  private var rows: [[String]] = []

  private static let maximum = 30

  /// Whether enough rows were added.
  var isFull: Bool { rows.count >= Self.maximum }

  mutating func add(_ row: SourceRow) {
    rows.append(
      row.columns.members.compactMap { $0.value.scalarText }.map(RowColumns.cleaned)
        .filter { !$0.isEmpty })
  }

  /// Whether the column names look like a title or like data: most are missing, or two are numbers.
  static func isUnlikely(_ names: [String]) -> Bool {
    let unnamed = names.filter { isMade($0, "column ") || isMade($0, "Field") }
    let numbers = names.filter(isNumber)
    return unnamed.count * 2 >= names.count && unnamed.count > 1 || names.count == 1
      || numbers.count > 1
  }

  private static func isMade(_ name: String, _ word: String) -> Bool {
    name.hasPrefix(word) && name.dropFirst(word.count).allSatisfy(\.isNumber)
  }

  private static func isNumber(_ text: String) -> Bool {
    PlainNumber.read(text) != nil || PlainNumber.read(text, decimal: .comma) != nil
  }

  /// The number of the row from 1; 0 if the first row is one of the data already.
  var number: Int {
    let widths = rows.map(\.count)
    guard let widest = widths.max(), widest > 1 else { return 1 }
    // Titles fill few cells.
    let first = widths.firstIndex { $0 * 2 > widest } ?? 0
    let isData = rows[first].filter(Self.isNumber).count > 1
    return first == 0 && isData ? 0 : first + 1
  }
}
