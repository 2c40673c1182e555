import JSON
import PrivacyMap

/// One device in the making: the row it comes from, what is mapped already, what was noticed.
struct DeviceDraft {
  let row: SourceRow
  let part: Int?
  let mapper: RowMapper
  private(set) var notes: [ImportNote] = []
  private(set) var sourceKey: String?
  /// Columns that filled a field.
  private var used: Set<String> = []
  /// What `:field` stands for in later rules.
  var mapped: [String: String] = [:]
  /// Fields that the mapping only assumes.
  var assumed: [String] = []

  init(row: SourceRow, part: Int?, mapper: RowMapper) {
    self.row = row
    self.part = part
    self.mapper = mapper
  }

  var mapping: ImportMapping { mapper.mapping }

  /// - Throws: ``RowRefused`` when the row is to be skipped or refused.
  mutating func device() throws(RowRefused) -> ImportedDevice {
    sourceKey = try key()
    try obeyRowRules()
    let category = try category()
    let place = try place()
    var fields = DeviceFields(name: "", category: category)
    fillPractice(&fields)
    fillPlace(&fields)
    fillOperator(&fields)
    fillDates(&fields)
    var device = ImportedDevice(row: row.number, fields: fields, coordinate: place.coordinate)
    device.line = row.line
    device.part = part
    device.sourceKey = sourceKey
    device.otherKeys = otherKeys()
    device.isApproximate = place.isApproximate || isDeclaredApproximate()
    device.keepsKnownPosition = mapping.keepsKnownPosition
    device.precision = choice(.precision, Precision.self)
    device.startedOn = startedOn()
    // The name may be made of any field, so it comes last.
    device.fields.name = try name()
    device.fields.assumed = assumed
    device.tags = keptTags(isHousehold: fields.answersFor?.kind == .household)
    flagByRules()
    device.notes = notes
    return device
  }

  // MARK: Notes

  mutating func note(_ field: DeviceField?, _ code: String, _ detail: String) {
    note(ImportNote(.flagged, field: field?.rawValue, code: code, detail: detail))
  }

  private mutating func note(_ note: ImportNote) {
    if !notes.contains(note) { notes.append(note) }
  }

  // MARK: Columns

  /// The values of a column, as written but for the repair that the mapping asks for; none when it
  /// says nothing.
  func rawValues(_ column: Column) -> [String] {
    if case .mapped(let name) = column { return mapped[name].map { [$0] } ?? [] }
    let value = column.value(in: row.columns)
    let texts: [String] =
      switch value {
      case .array(let elements): elements.compactMap(\.scalarText)
      case let value?: value.scalarText.map { [$0] } ?? []
      case nil: []
      }
    return texts.compactMap { text in
      let mended = mended(text)
      let cleaned = Self.cleaned(mended)
      return cleaned.isEmpty || isEmpty(cleaned) ? nil : mended
    }
  }

  /// The values of a column, trimmed and cleaned, for comparing.
  func cleanValues(_ column: Column) -> [String] {
    rawValues(column).map(Self.cleaned)
  }

  private func mended(_ text: String) -> String {
    mapping.mendsDoubleEncoding ? TextRepair.undoubled(text) ?? text : text
  }

  /// Longer than any field, so that only harmful characters go.
  static func cleaned(_ text: String) -> String {
    CleanText(text, limit: 10_000, lines: true).text
  }

  private func isEmpty(_ text: String) -> Bool {
    !mapping.empty.isEmpty && mapping.empty.contains(text.lowercased())
  }

  mutating func use(_ column: Column) {
    if let name = column.topName { used.insert(name) }
  }

  func filled(_ template: Template) -> String? {
    template.filled { column in
      let values = cleanValues(column)
      return values.isEmpty ? nil : values.joined(separator: ", ")
    }
  }

  mutating func use(_ template: Template) {
    for column in template.columns { use(column) }
  }

  // MARK: Keys and rules of the whole row

  private func key() throws(RowRefused) -> String? {
    guard let template = mapping.key else { return nil }
    guard let text = filled(template) else {
      throw RowRefused(
        code: "no_key", detail: "The row lacks the columns that make its name in the source.")
    }
    let clean = CleanText(text, limit: 200, lines: false)
    guard clean.findings.isEmpty, !clean.text.isEmpty else {
      throw RowRefused(
        code: "bad_key", detail: "The row's name in the source is damaged, or over 200 characters.")
    }
    return clean.text
  }

  private func otherKeys() -> [ImportedDevice.Key] {
    mapping.otherKeys.compactMap { rule in
      guard let text = filled(rule.key) else { return nil }
      let clean = CleanText(text, limit: 200, lines: false)
      guard clean.findings.isEmpty, !clean.text.isEmpty else { return nil }
      let version = rule.version.flatMap(filled).flatMap { Int($0) }
      return ImportedDevice.Key(namespace: rule.namespace, key: clean.text, version: version)
    }
  }

  private func obeyRowRules() throws(RowRefused) {
    for rule in mapping.skip where rule.condition.holds(cleanValues) {
      var refused = RowRefused(code: rule.code, detail: rule.because)
      refused.isSkip = true
      throw refused
    }
    for rule in mapping.refuse where rule.condition.holds(cleanValues) {
      throw RowRefused(code: rule.code, detail: rule.because)
    }
  }

  private mutating func flagByRules() {
    for rule in mapping.flag where rule.condition.holds(cleanValues) {
      note(ImportNote(.flagged, field: rule.field, code: rule.code, detail: rule.because))
    }
  }

  // MARK: Kept columns

  private mutating func keptTags(isHousehold: Bool) -> [ImportedDevice.Tag] {
    let wanted: [(name: String, value: JSONValue)]
    switch mapping.keep {
    case .none: return []
    case .all, .unmapped:
      let all = mapping.keep == .all
      wanted = row.columns.members.compactMap { name, value in
        !name.hasPrefix("@") && (all || !used.contains(name)) ? (name, value) : nil
      }
    case .columns(let names):
      wanted = names.compactMap { name in
        Column(name).value(in: row.columns).map { (name, $0) }
      }
    }
    return wanted.compactMap { name, value in
      if mapping.drop.names.contains(name) || mapping.drop.prefixes.contains(where: name.hasPrefix)
      {
        return nil
      }
      if isHousehold, PublicTags.isContact(name) {
        note(nil, "household_contact", "Columns with contacts of a household were left behind.")
        return nil
      }
      return tag(name, value)
    }
  }

  private mutating func tag(_ name: String, _ value: JSONValue) -> ImportedDevice.Tag? {
    let text: String
    if let scalar = value.scalarText {
      text = mended(scalar)
      if text.isEmpty || isEmpty(Self.cleaned(text)) { return nil }
    } else {
      if value.isNull { return nil }
      var writer = JSONWriter()
      writer.value(value)
      text = String(decoding: writer.bytes, as: UTF8.self)
    }
    guard text.utf8.count <= 4_096, name.utf8.count <= 255 else {
      note(nil, "column_too_long", "A column longer than 4,096 bytes was not kept.")
      return nil
    }
    return ImportedDevice.Tag(name, text)
  }
}
