import JSON
import PrivacyMap
import WrittenValues

/// The columns of one row for a mapping: repaired, without empty values, and with the fields mapped
/// so far. A class, because every rule of a row uses it.
final class RowColumns {
  let columns: JSONObject
  private let mapper: RowMapper
  /// The values of `:field` references.
  var mapped: [String: String] = [:]
  /// The position of the row, once a condition has needed it.
  var position: Coordinate?
  /// Whether the position is being read.
  var isLocating = false
  private var cleanByName: [String: [String]] = [:]
  private var elementsByName: [String: [String]] = [:]

  /// Whether the row is one of a table, whose format has no positions.
  private let isTable: Bool

  init(_ row: SourceRow, mapper: RowMapper) {
    columns = row.columns
    isTable = row.place == .none
    self.mapper = mapper
  }

  /// The values of a column as written, after the repair in the mapping. Empty if the column has no
  /// value.
  ///
  /// Objects have no text, except with `asJSON`.
  func raw(_ column: Column, asJSON: Bool = false) -> [String] {
    if case .mapped(let name) = column { return mapped[name].map { [$0] } ?? [] }
    guard let value = column.value(in: columns) else { return [] }
    let texts =
      if case .array(let elements) = value {
        elements.compactMap { $0.scalarText ?? (asJSON ? Self.json($0) : nil) }
      } else {
        (value.scalarText ?? (asJSON && value.objectValue != nil ? Self.json(value) : nil))
          .map { [$0] } ?? []
      }
    return texts.compactMap { text in
      let mended = mended(text)
      return saysNothing(Self.cleaned(mended)) ? nil : mended
    }
  }

  private static func json(_ value: JSONValue) -> String {
    var writer = JSONWriter()
    writer.value(value)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// The values of a column, trimmed and cleaned, for comparisons.
  func clean(_ column: Column) -> [String] {
    guard case .name(let name) = column else { return raw(column).map(Self.cleaned) }
    if let known = cleanByName[name] { return known }
    let values = raw(column).map(Self.cleaned)
    cleanByName[name] = values
    return values
  }

  /// The values of a column for conditions: the elements of a list, if the mapping names a separator of lists.
  func elements(_ column: Column) -> [String] {
    guard let separator = mapper.mapping.listSeparator else { return clean(column) }
    if case .name(let name) = column, let known = elementsByName[name] { return known }
    let elements = clean(column).flatMap { text in
      text.contains(separator)
        ? text.split(separator: separator).map { Self.cleaned(String($0)) }.filter { !$0.isEmpty }
        : [text]
    }
    if case .name(let name) = column { elementsByName[name] = elements }
    return elements
  }

  /// The text of a template. Nil if a required column has no value.
  func filled(_ template: Template) -> String? {
    template.filled { column in
      let values = clean(column)
      return values.isEmpty ? nil : values.joined(separator: ", ")
    }
  }

  /// A cell without the apostrophe that Farol puts before a text which a spreadsheet would read as a formula.
  func unescaped(_ cell: String) -> String {
    guard isTable, cell.hasPrefix("'"), let next = cell.dropFirst().first,
      "=+-@＝＋－＠\t\n\r\r\n".contains(next)
    else { return cell }
    return String(cell.dropFirst())
  }

  func mended(_ text: String) -> String {
    mapper.mapping.mendsDoubleEncoding ? TextRepair.undoubled(text) ?? text : text
  }

  func saysNothing(_ cleaned: String) -> Bool {
    cleaned.isEmpty || MissingValue.isWritten(cleaned)
      || !mapper.mapping.empty.isEmpty && mapper.mapping.empty.contains(cleaned.lowercased())
  }

  /// The limit is longer than any field, so only harmful characters are removed.
  static func cleaned(_ text: String) -> String {
    CleanText(text, limit: 10_000, lines: true).text
  }
}
