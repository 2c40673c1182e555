package import JSON

/// Rows with the sum or the mean of a list, which may have numbers in the columns of the coordinates, too.
package enum SummaryRow {
  private static let words: Set<String> = [
    "total", "totals", "grand total", "subtotal", "sub-total", "sum", "average", "mean", "median",
    "minimum", "maximum", "min", "max", "count", "summe", "gesamt", "gesamtsumme", "mittelwert",
    "durchschnitt", "moyenne", "total général", "totaal", "gemiddelde", "média", "soma",
    "total geral", "promedio", "suma", "total general", "totale", "somma", "razem", "średnia",
    "итого", "всего", "среднее", "σύνολο", "toplam", "ortalama", "合計", "総計", "平均", "总计", "合计",
    "總計", "합계", "평균", "المجموع", "الإجمالي", "कुल", "योग", "รวม",
  ]
  /// Bytes of the longest word.
  private static let longest = words.map(\.utf8.count).max() ?? 0

  /// The first text of a row, if it is such a word; nil for other rows.
  package static func word(in columns: JSONObject) -> String? {
    guard case .string(let text)? = columns.members.first?.value, text.utf8.count <= longest + 2
    else { return nil }
    let plain = text.lowercased().trimming { $0.isWhitespace || $0 == ":" }
    return words.contains(String(plain)) ? text : nil
  }
}
