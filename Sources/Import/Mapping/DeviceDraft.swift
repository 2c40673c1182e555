import JSON
import PrivacyMap
import WrittenValues

/// Builds one device: its row, the fields mapped so far, and the notes.
struct DeviceDraft {
  let row: SourceRow
  let part: Int?
  let mapper: RowMapper
  let columns: RowColumns
  private(set) var notes: [ImportNote] = []
  private(set) var sourceKey: String?
  /// The columns that filled a field.
  private var used: Set<String> = []
  /// The fields that the mapping only assumes.
  var assumed: [String] = []
  /// The precision of a position that is a square of a grid.
  var squarePrecision: Precision?

  init(row: SourceRow, part: Int?, mapper: RowMapper) {
    self.row = row
    self.part = part
    self.mapper = mapper
    columns = RowColumns(row, mapper: mapper)
  }

  /// - Throws: ``RowRefused`` if the row is skipped or rejected.
  mutating func device() throws(RowRefused) -> ImportedDevice {
    sourceKey = try key()
    let exported = try exportedRecord()
    try obeyRowRules()
    // If the mapping has columns for coordinates, every row of the list must have them. A format's
    // own position is needed only if the row describes a device.
    let placeComesFirst = mapper.mapping.hasPlaceColumns
    var place: Place?
    if placeComesFirst { place = try self.place() }
    let category = try category()
    let found: Place
    if let place { found = place } else { found = try self.place() }
    var fields = DeviceFields(name: "", category: category)
    fields.status = choice(.status, DeviceStatus.init(rawValue:)) ?? .reported
    for (field, entry) in mapper.ruledSingle { fill(field, entry, in: &fields) }
    fillOperator(&fields)
    try refuseNone()
    for (field, entry) in mapper.ruledOthers { fill(field, entry, in: &fields) }
    fields.choices = choices()
    fields.lastConfirmed = lastConfirmed()
    var device = ImportedDevice(row: row.number, fields: fields, coordinate: found.coordinate)
    device.line = row.line
    device.part = part
    device.sourceKey = sourceKey
    device.otherKeys = otherKeys() + exportedKeys
    device.exported = exported
    device.isApproximate = found.isApproximate || isDeclaredApproximate()
    device.mayRepeat = row.columns["@relation"] != nil
    device.keepsKnownPosition = mapper.mapping.keepsKnownPosition
    device.precision = precision(of: category)
    // The name may use any field, so it is filled last.
    device.fields.name = try name()
    device.fields.assumed = assumed + statedAssumptions()
    device.tags =
      exportedTags + keptTags(isHousehold: fields.answersFor?.kind == .household)
    flagByRules()
    noteSecondPlace()
    if let column = StatedActivity.denied(
      in: row.columns, except: mapper.namedColumns, on: mapper.today)
    {
      note(
        .status, "not_active",
        "“\(CleanText.excerpt(column))” says that the device is not in use, and the mapping does not name this column."
      )
    }
    if let text = SummaryRow.word(in: row.columns) {
      note(
        nil, "summary_row", "“\(CleanText.excerpt(text))” may be a sum or a mean of the list.")
    }
    device.notes = notes
    return device
  }

  // MARK: Notes

  mutating func note(_ field: DeviceField?, _ code: String, _ detail: String) {
    note(ImportNote(.flagged, field: field?.name, code: code, detail: detail))
  }

  private mutating func note(_ note: ImportNote) {
    if !notes.contains(note) { notes.append(note) }
  }

  // MARK: Columns

  mutating func use(_ column: Column) {
    if mapper.tracksUse, let name = column.topName { used.insert(name) }
  }

  mutating func use(_ template: Template) {
    guard mapper.tracksUse else { return }
    for column in template.columns { use(column) }
  }

  // MARK: Keys and rules of the whole row

  private mutating func key() throws(RowRefused) -> String? {
    guard let template = mapper.mapping.key else { return nil }
    guard let text = columns.filled(template) else {
      throw RowRefused(
        code: "no_key", detail: "The row lacks the columns that make its name in the source.")
    }
    let clean = CleanText(text, limit: 200, lines: false)
    guard clean.findings.isEmpty, !clean.text.isEmpty else {
      throw RowRefused(
        code: "bad_key", detail: "The row's name in the source is damaged, or over 200 characters.")
    }
    if template.columns.contains(where: { columns.clean($0).contains(where: PlainNumber.isRounded) }
    ) {
      note(
        nil, "rounded_key",
        "“\(CleanText.excerpt(clean.text))” is a number that a spreadsheet has rounded, so it is not used as the id."
      )
      return nil
    }
    return FileLocalID.isOne(clean.text, isBare: template.readsElementID) ? nil : clean.text
  }

  private func otherKeys() -> [ImportedDevice.Key] {
    mapper.mapping.otherKeys.compactMap { rule in
      guard let text = columns.filled(rule.key) else { return nil }
      let clean = CleanText(text, limit: 200, lines: false)
      guard clean.findings.isEmpty, !clean.text.isEmpty,
        !FileLocalID.isOne(
          clean.text, isBare: rule.namespace == "osm" || rule.key.readsElementID)
      else { return nil }
      let version = rule.version.flatMap(columns.filled).flatMap { Int($0) }
      return ImportedDevice.Key(namespace: rule.namespace, key: clean.text, version: version)
    }
  }

  private func obeyRowRules() throws(RowRefused) {
    for rule in mapper.mapping.skip where holds(rule.condition) {
      var refused = RowRefused(code: rule.code, detail: rule.because)
      refused.isSkip = true
      refused.isGone = rule.isGone
      throw refused
    }
    for rule in mapper.mapping.refuse where holds(rule.condition) {
      throw RowRefused(code: rule.code, detail: rule.because)
    }
  }

  /// Refuses a row whose number of devices is zero.
  private func refuseNone() throws(RowRefused) {
    guard let text = mapper.unitColumns.lazy.compactMap({ columns.clean($0).first }).first,
      PlainNumber.read(text) == 0
    else { return }
    var refused = RowRefused(code: "none_there", detail: "The number of devices is 0.")
    refused.isSkip = true
    refused.isGone = true
    throw refused
  }

  /// Whether the row meets a condition.
  func holds(_ condition: Condition) -> Bool {
    condition.holds(on: mapper.today, columns.elements) { test in
      position.map { test.holds(at: $0, countries: mapper.countries) } ?? false
    }
  }

  private mutating func flagByRules() {
    for rule in mapper.mapping.flag where holds(rule.condition) {
      note(ImportNote(.flagged, field: rule.field, code: rule.code, detail: rule.because))
    }
  }

  // MARK: Kept columns

  private mutating func keptTags(isHousehold: Bool) -> [ImportedDevice.Tag] {
    let wanted: [(name: String, value: JSONValue)]
    switch mapper.mapping.keep {
    case .none: return []
    case .all, .unmapped:
      let all = mapper.mapping.keep == .all
      wanted = row.columns.members.compactMap { name, value in
        !name.hasPrefix("@") && (all || !used.contains(name)) ? (name, value) : nil
      }
    case .columns(let names):
      wanted = names.compactMap { name in
        Column(name).value(in: row.columns).map { (name, $0) }
      }
    }
    return wanted.compactMap { name, value in
      if mapper.mapping.drop.names.contains(name)
        || mapper.mapping.drop.prefixes.contains(where: name.hasPrefix)
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
      text = columns.mended(scalar)
      if columns.saysNothing(RowColumns.cleaned(text)) { return nil }
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
