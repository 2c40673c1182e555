import PrivacyMap

/// The fields of a device, grouped by subject.
extension DeviceDraft {
  mutating func fillPractice(_ fields: inout DeviceFields) {
    fields.status = choice(.status, DeviceStatus.self) ?? .reported
    fields.description = text(.description, limit: 2_000, lines: true)
    fields.manufacturer = text(.manufacturer, limit: 120)
    columns.mapped["manufacturer"] = fields.manufacturer
    fields.model = text(.model, limit: 120)
    columns.mapped["model"] = fields.model
    fields.dataCollected = codes(.dataCollected, .data)
    fields.purposes = codes(.purposes, .purposes)
    fields.identifiability = code(.identifiability, .identifiability)
    fields.processing = code(.processing, .processing)
    fields.storage = code(.storage, .storage)
    fields.retention = retention()
    fields.sharedWith = codes(.sharedWith, Scheme(rawValue: "recipients"))
    fields.legalBasis = code(.legalBasis, .legalBases)
    fields.signage = code(.signage, .signage)
  }

  mutating func fillPlace(_ fields: inout DeviceFields) {
    fields.units = count(.units, 1...10_000)
    fields.level = text(.level, limit: 40)
    // From mines to masts with cameras.
    fields.height = metres(.height, -500...1_000)
    fields.setting = choice(.setting, Setting.self)
    columns.mapped["setting"] = fields.setting?.rawValue
    fields.zone = code(.zone, .zones)
    columns.mapped["zone"] = fields.zone
    let bearings = bearings()
    fields.bearings = bearings?.bearings ?? []
    fields.fieldOfView = fieldOfView() ?? bearings?.fieldOfView
    fields.mount = code(.mount, .mounts)
  }

  private mutating func bearings() -> BearingText? {
    firstOptionalValue(.bearings) { draft, values in
      let found = BearingText(
        values.texts.map(RowColumns.cleaned), fullTurn: values.shared.rule.fullTurn)
      for finding in found.findings { draft.note(.bearings, finding.code, finding.detail) }
      return found.bearings.isEmpty && found.fieldOfView == nil ? nil : found
    }
  }

  private mutating func fieldOfView() -> Double? {
    firstOptionalValue(.fieldOfView) { draft, values in
      let text = values.texts.first.map(RowColumns.cleaned) ?? ""
      let plain = text.filter { $0 != "°" }
      guard let degrees = PlainNumber.read(plain, decimal: values.shared.rule.decimal), degrees > 0,
        degrees <= 360
      else {
        draft.note(
          .fieldOfView, "not_an_angle", "“\(ImportNote.excerpt(text))” is no angle up to 360.")
        return nil
      }
      return degrees
    }
  }

  /// `none`, `indefinite`, or a duration such as `P30D` (ISO 8601).
  private mutating func retention() -> String? {
    firstOptionalValue(.retention) { draft, values in
      let text = values.texts.first.map(RowColumns.cleaned) ?? ""
      if text == "none" || text == "indefinite" { return text }
      if text == "unknown" { return nil }
      let letters = Set("PTYMWDHS0123456789")
      guard text.hasPrefix("P"), text.count >= 3, text.count <= 20,
        text.allSatisfy(letters.contains), text.last?.isLetter == true
      else {
        draft.note(
          .retention, "not_a_duration",
          "“\(ImportNote.excerpt(text))” is no ISO 8601 duration, none or indefinite.")
        return nil
      }
      return text
    }
  }

  mutating func fillOperator(_ fields: inout DeviceFields) {
    let kind = choice(.operatorKind, Operator.Kind.self)
    var name = text(.operator, limit: 200)
    if kind == .household, name != nil {
      note(.operator, "household_name", "The name of a household was left out.")
      name = nil
    }
    columns.mapped["operator"] = name
    if name == nil, kind == nil || kind == .unknown { return }
    var `operator` = Operator(name: name, kind: kind ?? .unknown)
    if kind != .household { `operator`.privacyPolicy = privacyPolicy() }
    fields.answersFor = `operator`
    columns.mapped["operator_kind"] = `operator`.kind.rawValue
  }

  private mutating func privacyPolicy() -> String? {
    firstOptionalValue(.privacyPolicy) { draft, values in
      let text = values.texts.first.map(RowColumns.cleaned) ?? ""
      let host = text.dropFirst(8).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
      let isLink =
        text.hasPrefix("https://") && host.contains(".") && !host.contains("@")
        && text.utf8.count <= 500 && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
      if !isLink {
        draft.note(.privacyPolicy, "not_a_link", "The privacy policy is no plain https address.")
      }
      return isLink ? text : nil
    }
  }

  mutating func fillDates(_ fields: inout DeviceFields) {
    // A month or a year counts as its first day, the earliest possible day of the observation.
    fields.observedOn = date(.observedOn)?.firstDay
    fields.startedOn = date(.startedOn)?.text
  }

  private mutating func date(_ field: DeviceField) -> PartialDate? {
    firstOptionalValue(field) { draft, values in
      guard let text = values.texts.first.map(RowColumns.cleaned) else { return nil }
      let shown = ImportNote.excerpt(text)
      let read = values.shared.rule.formats.lazy.compactMap {
        $0.read(text, months: values.shared.rule.months)
      }.first
      guard let read else {
        draft.note(field, "not_a_date", "“\(shown)” is no date in the formats of the mapping.")
        return nil
      }
      guard let day = read.firstDay else {
        draft.note(field, "impossible_date", "“\(shown)” does not exist.")
        return nil
      }
      if day > draft.mapper.today {
        draft.note(field, "future_date", "“\(shown)” lies in the future.")
        return nil
      }
      if read.year < draft.mapper.mapping.earliestYear {
        draft.note(field, "too_early", "“\(shown)” is before any such device.")
        return nil
      }
      return read
    }
  }
}
