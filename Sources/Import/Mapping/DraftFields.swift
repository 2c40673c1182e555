import PrivacyMap
import WrittenValues

/// The fields of a device, grouped by subject.
extension DeviceDraft {
  /// Fills the field of a plain property. A value that an earlier field implies stays if there is no rule.
  mutating func fill(
    _ field: DeviceField, _ entry: DeviceProperty.Entry, in fields: inout DeviceFields
  ) {
    switch entry {
    case .text(let path, let length, let lines):
      fields[keyPath: path] = text(field, limit: length.upperBound, lines: lines)
      columns.mapped[field.name] = fields[keyPath: path]
    case .code(let path, let scheme):
      fields[keyPath: path] = code(field, scheme)
      columns.mapped[field.name] = fields[keyPath: path]
    case .word(let path, let words):
      fields[keyPath: path] = choice(field) { words.contains($0) ? $0 : nil }
      columns.mapped[field.name] = fields[keyPath: path]
    case .codes(let path, let scheme, _): fields[keyPath: path] = codes(field, scheme)
    case .integer(let path, let range): fields[keyPath: path] = count(field, range)
    case .number(let path, let numbers):
      fields[keyPath: path] = number(field, numbers) ?? fields[keyPath: path]
    case .duration(let path): fields[keyPath: path] = duration(field)
    case .date(let path): fields[keyPath: path] = date(field)?.text
    // A month or a year counts as its first day, the earliest possible day of the observation.
    case .day(let path): fields[keyPath: path] = date(field)?.firstDay
    case .bearings: fillBearings(field, in: &fields)
    case .own, .computed: break
    }
  }

  private mutating func fillBearings(_ field: DeviceField, in fields: inout DeviceFields) {
    if mapper.mapping.isWhole {
      fields.bearings =
        firstOptionalValue(field) { _, values in
          values.texts.flatMap { $0.split(separator: ";") }
            .compactMap { PlainNumber.read($0) }.filter { (0..<360).contains($0) }
        } ?? []
      return
    }
    let found = firstOptionalValue(field) { draft, values in
      let found = BearingText(
        values.texts.map(RowColumns.cleaned), fullTurn: values.shared.rule.fullTurn)
      for finding in found.findings { draft.note(field, finding.code, finding.detail) }
      return found.bearings.isEmpty && found.fieldOfView == nil ? nil : found
    }
    fields.bearings = found?.bearings ?? []
    fields.fieldOfView = found?.fieldOfView
  }

  /// `none`, `indefinite`, or a duration such as `P30D` (ISO 8601).
  private mutating func duration(_ field: DeviceField) -> String? {
    firstOptionalValue(field) { draft, values in
      let text = draft.onlyText(values, field) ?? ""
      if text == "none" || text == "indefinite" { return text }
      if text == "unknown" { return nil }
      let letters = Set("PTYMWDHS0123456789")
      guard text.hasPrefix("P"), text.count >= 3, text.count <= 20,
        text.allSatisfy(letters.contains), text.last?.isLetter == true
      else {
        draft.note(
          field, "not_a_duration",
          "“\(CleanText.excerpt(text))” is no ISO 8601 duration, none or indefinite.")
        return nil
      }
      return text
    }
  }

  mutating func fillOperator(_ fields: inout DeviceFields) {
    let kind = choice(.operatorKind, Operator.Kind.init(rawValue:))
    var name = text(.operator, limit: 200)
    if !mapper.mapping.isWhole, let known = name, MissingValue.isNoName(known) { name = nil }
    if kind == .household, name != nil {
      note(.operator, "household_name", "The name of a household was left out.")
      name = nil
    }
    columns.mapped["operator"] = name
    if name == nil, kind == nil || kind == .unknown { return }
    var `operator` = Operator(name: name, kind: kind ?? .unknown)
    if kind != .household {
      `operator`.privacyPolicy = privacyPolicy()
      if name != nil {
        `operator`.contact = contact(.operatorContact)
        `operator`.dataProtectionContact = contact(.dataProtectionContact)
      }
    }
    fields.answersFor = `operator`
    columns.mapped["operator_kind"] = `operator`.kind.rawValue
  }

  private mutating func privacyPolicy() -> String? {
    firstOptionalValue(.privacyPolicy) { draft, values in
      let text = values.texts.first.map(RowColumns.cleaned) ?? ""
      let host = text.dropFirst(8).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
      let isLink =
        draft.mapper.mapping.isWhole
        ? ValueShape.isWebAddress(text)
        : text.hasPrefix("https://") && host.contains(".") && !host.contains("@")
          && text.utf8.count <= 500 && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
      if !isLink {
        draft.note(.privacyPolicy, "not_a_link", "The privacy policy is no plain https address.")
      }
      return isLink ? text : nil
    }
  }

  private mutating func date(_ field: DeviceField) -> PartialDate? {
    firstOptionalValue(field) { draft, values in
      guard let text = draft.onlyText(values, field) else { return nil }
      func shown() -> String { CleanText.excerpt(text) }
      let read = values.shared.rule.formats.lazy.compactMap {
        $0.read(text, months: values.shared.rule.months)
      }.first
      guard let read else {
        draft.note(field, "not_a_date", "“\(shown())” is no date in the formats of the mapping.")
        return nil
      }
      guard let day = read.firstDay else {
        draft.note(field, "impossible_date", "“\(shown())” does not exist.")
        return nil
      }
      if day > draft.mapper.today {
        let isBuddhist = (2_443...2_643).contains(read.year)
        draft.note(
          field, "future_date",
          "“\(shown())” lies in the future."
            + (isBuddhist ? " A year of the Buddhist calendar is 543 more than the usual one." : "")
        )
        return nil
      }
      if read.year < draft.mapper.mapping.earliestYear {
        draft.note(field, "too_early", "“\(shown())” is before any such device.")
        return nil
      }
      return read
    }
  }

  /// The fields that the row itself states as assumed.
  mutating func statedAssumptions() -> [String] {
    firstOptionalValue(.assumed) { _, values in
      values.texts.map(RowColumns.cleaned).filter(Self.assumable.contains)
    } ?? []
  }

  private static let assumable = Set(DeviceProperty.all.filter(\.isEntered).map(\.name))
}
