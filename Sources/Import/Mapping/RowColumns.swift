import JSON

/// The columns of one row as a mapping asks for them: repaired, without those that say nothing, and
/// with the fields that are mapped already. A class, because every rule of a row asks it.
final class RowColumns {
  let columns: JSONObject
  private let mapper: RowMapper
  /// What `:field` stands for.
  var mapped: [String: String] = [:]
  private var cleanByName: [String: [String]] = [:]

  init(_ columns: JSONObject, mapper: RowMapper) {
    self.columns = columns
    self.mapper = mapper
  }

  /// The values of a column as written, but for the repair that the mapping asks for; none when it
  /// says nothing.
  func raw(_ column: Column) -> [String] {
    if case .mapped(let name) = column { return mapped[name].map { [$0] } ?? [] }
    guard let value = column.value(in: columns) else { return [] }
    let texts =
      if case .array(let elements) = value {
        elements.compactMap(\.scalarText)
      } else {
        value.scalarText.map { [$0] } ?? []
      }
    return texts.compactMap { text in
      let mended = mended(text)
      return saysNothing(Self.cleaned(mended)) ? nil : mended
    }
  }

  /// The values of a column, trimmed and cleaned, for comparing.
  func clean(_ column: Column) -> [String] {
    guard case .name(let name) = column else { return raw(column).map(Self.cleaned) }
    if let known = cleanByName[name] { return known }
    let values = raw(column).map(Self.cleaned)
    cleanByName[name] = values
    return values
  }

  /// The text of a template; nil when a column that it needs has no value.
  func filled(_ template: Template) -> String? {
    template.filled { column in
      let values = clean(column)
      return values.isEmpty ? nil : values.joined(separator: ", ")
    }
  }

  func mended(_ text: String) -> String {
    mapper.mapping.mendsDoubleEncoding ? TextRepair.undoubled(text) ?? text : text
  }

  func saysNothing(_ cleaned: String) -> Bool {
    cleaned.isEmpty
      || !mapper.mapping.empty.isEmpty && mapper.mapping.empty.contains(cleaned.lowercased())
  }

  /// Longer than any field, so that only harmful characters go.
  static func cleaned(_ text: String) -> String {
    CleanText(text, limit: 10_000, lines: true).text
  }
}
