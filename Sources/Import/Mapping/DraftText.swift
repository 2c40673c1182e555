import PrivacyMap
import WrittenValues

/// Fields with texts, codes and numbers.
extension DeviceDraft {
  /// A public text: cleaned, cut to `limit` scalars, without contact addresses.
  mutating func text(_ field: DeviceField, limit: Int, lines: Bool = false) -> String? {
    firstOptionalValue(field) { draft, values in
      draft.publicText(
        values.texts.joined(separator: values.shared.rule.join), field, limit: limit, lines: lines)
    }
  }

  mutating func publicText(
    _ raw: String, _ field: DeviceField, limit: Int, lines: Bool
  ) -> String? {
    if mapper.mapping.isWhole { return said(raw, field, limit: limit, lines: lines) }
    var clean = CleanText(Self.withoutMarkup(raw, lines: lines), limit: 10_000, lines: lines)
    if let rest = ContactText.removing(from: clean.text) {
      note(field, "contact_removed", "An address, a telephone number or a link was taken out.")
      clean = CleanText(rest, limit: 10_000, lines: lines)
      if rest.isEmpty { return nil }
    }
    let cut = CleanText(clean.text, limit: limit, lines: lines)
    noteFindings(clean.findings.union(cut.findings), field, limit: limit)
    return cut.text.isEmpty ? nil : cut.text
  }

  /// The text without HTML. A name that consists only of markup stays as written, so that it is not lost.
  private static func withoutMarkup(_ raw: String, lines: Bool) -> String {
    guard let plain = HTMLText.plain(raw), lines || !plain.isEmpty else { return raw }
    return plain
  }

  /// A text that may contain addresses. A text from a Farol export keeps its blank lines.
  mutating func said(
    _ raw: String, _ field: DeviceField, limit: Int, lines: Bool
  ) -> String? {
    let raw = mapper.mapping.isWhole ? columns.unescaped(raw) : raw
    let cut = CleanText(raw, limit: limit, lines: lines)
    noteFindings(cut.findings, field, limit: limit)
    if cut.text.isEmpty { return nil }
    return mapper.mapping.isWhole && cut.findings.isEmpty ? raw : cut.text
  }

  private mutating func noteFindings(
    _ findings: CleanText.Findings, _ field: DeviceField, limit: Int
  ) {
    if findings.contains(.invisible) {
      note(field, "invisible_characters", "Control or direction characters were taken out.")
    }
    if findings.contains(.cut) {
      note(field, "too_long", "The text was cut to \(limit) characters.")
    }
    if findings.contains(.damaged) {
      note(field, "damaged_text", "A character was lost before the text came here.")
    }
    if findings.contains(.doubleEncoded) {
      note(
        field, "looks_double_encoded",
        "The text looks like UTF-8 that was read as Windows-1252; the mapping can repair it.")
    }
  }

  mutating func name() throws(RowRefused) -> String {
    let rules = mapper.mapping.fields[.name]?.count ?? 0
    let name = try firstValue(.name) { draft, values -> String? in
      let raw = values.texts.joined(separator: values.shared.rule.join)
      // The next rule makes a name.
      if rules > 1, MissingValue.isNoDeviceName(raw) { return nil }
      return draft.publicText(raw, .name, limit: 120, lines: false)
    }
    guard let name else {
      throw RowRefused(
        field: .name, code: "no_name", detail: "No rule of the mapping gives a name.")
    }
    return name
  }

  mutating func category() throws(RowRefused) -> String {
    let code = try firstValue(.category) { draft, values in values.texts.first }
    guard let code else {
      throw RowRefused(
        field: .category, code: "no_category",
        detail: "Nothing in the row says what kind of device it is.")
    }
    guard mapper.vocabulary?.category(code) != nil || mapper.vocabulary == nil else {
      throw RowRefused(
        field: .category, code: "unknown_category",
        detail: "“\(CleanText.excerpt(code))” is no category of this instance.")
    }
    columns.mapped["category"] = code
    columns.mapped["category_name"] = mapper.categoryNames[code] ?? Self.words(code)
    return code
  }

  /// `camera_fixed` → `Camera fixed`.
  private static func words(_ code: String) -> String {
    let words = code.split(separator: "_").joined(separator: " ")
    return words.prefix(1).uppercased() + words.dropFirst()
  }

  /// Codes of a scheme, in order of appearance, without duplicates.
  mutating func codes(_ field: DeviceField, _ scheme: Scheme) -> [String] {
    firstOptionalValue(field) { draft, values in
      var codes: [String] = []
      for code in values.texts.map(RowColumns.cleaned) where !codes.contains(code) {
        if draft.knows(code, scheme) {
          codes.append(code)
        } else {
          draft.note(
            field, "unknown_code", "“\(CleanText.excerpt(code))” is no code of this instance.")
        }
      }
      return codes.isEmpty ? nil : codes
    } ?? []
  }

  /// One code of a scheme. If there are several, the first counts.
  mutating func code(_ field: DeviceField, _ scheme: Scheme) -> String? {
    let codes = codes(field, scheme)
    noteSeveral(codes, field)
    return codes.first
  }

  private mutating func noteSeveral(_ codes: [String], _ field: DeviceField) {
    if codes.count > 1 {
      note(
        field, "several_values", "It says \(codes.joined(separator: ", ")); the first was taken.")
    }
  }

  private func knows(_ code: String, _ scheme: Scheme) -> Bool {
    mapper.vocabulary?.contains(code, in: scheme) ?? true
  }

  /// A value with one of several names; nil from `named` means that there is no such name.
  mutating func choice<Choice>(_ field: DeviceField, _ named: (String) -> Choice?) -> Choice? {
    firstOptionalValue(field) { draft, values in
      let choices = values.texts.map(RowColumns.cleaned).reduce(into: [String]()) { list, text in
        if !list.contains(text) { list.append(text) }
      }
      draft.noteSeveral(choices, field)
      guard let first = choices.first else { return nil }
      guard let choice = named(first) else {
        draft.note(
          field, "unknown_code", "“\(CleanText.excerpt(first))” is no value of this field.")
        return nil
      }
      return choice
    }
  }

  /// The text of a field that has one value. If there are several, the first counts, with a note.
  mutating func onlyText(_ values: RuleValues, _ field: DeviceField) -> String? {
    let texts = values.texts.map(RowColumns.cleaned)
    noteSeveral(texts, field)
    return texts.first
  }

  /// An integer in `range`.
  mutating func count(_ field: DeviceField, _ range: ClosedRange<Int>) -> Int? {
    firstOptionalValue(field) { draft, values in
      guard let text = draft.onlyText(values, field) else { return nil }
      guard let number = PlainNumber.read(text, decimal: values.shared.rule.decimal),
        let count = Int(exactly: number), range.contains(count)
      else {
        draft.note(
          field, "not_a_count",
          "“\(CleanText.excerpt(text))” is no whole number from \(range.lowerBound) to "
            + "\(range.upperBound).")
        return nil
      }
      return count
    }
  }

  /// A number in the likely range of a property.
  mutating func number(_ field: DeviceField, _ numbers: DeviceProperty.Numbers) -> Double? {
    firstOptionalValue(field) { draft, values in
      guard let text = draft.onlyText(values, field) else { return nil }
      let rule = values.shared.rule
      let range = draft.mapper.mapping.isWhole ? numbers.range : numbers.likely
      let number =
        if numbers.unit == .metres {
          // Rounded to millimetres, so that converted feet have no long fractions.
          PlainNumber.metres(text, unit: rule.unit, decimal: rule.decimal)
            .map { draft.mapper.mapping.isWhole ? $0 : ($0 * 1_000).rounded() / 1_000 }
        } else {
          PlainNumber.read(text.filter { $0 != "°" }, decimal: rule.decimal)
        }
      guard let number, range.contains(number), number > range.lowerBound || !numbers.isAboveLowest
      else {
        let (code, fault) = numbers.fault
        draft.note(field, code, "“\(CleanText.excerpt(text))” is no \(fault).")
        return nil
      }
      return number
    }
  }
}

extension DeviceProperty.Numbers {
  /// The code and the words of a note about a number that an import refuses.
  fileprivate var fault: (code: String, words: String) {
    switch unit {
    case .metres: ("not_a_length", "length that can be right")
    case .degrees: ("not_an_angle", "angle up to 360")
    }
  }
}
