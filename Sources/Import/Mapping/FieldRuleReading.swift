import JSON
import WrittenValues

extension FieldRule {
  private static let keys = [
    "from", "template", "value", "when", "values", "patterns", "ignore_case", "otherwise", "split",
    "join", "unknown", "formats", "months", "unit", "decimal", "order", "letter_o", "written_as",
    "full_turn", "assumed", "flag",
  ]

  /// Reads one rule or a list of them.
  static func rules(
    _ node: MappingNode, for field: DeviceField
  ) throws(InvalidMapping) -> [FieldRule] {
    var rules: [FieldRule] = []
    for node in try node.listOrOne() { rules.append(try FieldRule(node, for: field)) }
    return rules
  }

  init(_ node: MappingNode, for field: DeviceField) throws(InvalidMapping) {
    if let text = node.value.scalarText {
      let isColumn = node.value.stringValue != nil && !field.holdsCodes
      self.init(origin: isColumn ? .columns([Column(text)]) : .constant([text]))
      return
    }
    let members = try node.members(Self.keys)
    self.init(origin: try Self.origin(members, in: node))
    condition = try members["when"].map { (node) throws(InvalidMapping) in try Condition(node) }
    try readTable(members)
    try readText(members)
    if [.longitude, .latitude].contains(field), let split = members["split"] {
      throw split.fault(
        "cannot be used here; a column with both numbers is the field “position”")
    }
    try readNumbers(members)
    isAssumed = try members["assumed"]?.flag() ?? false
    flag = try members["flag"]?.text()
  }

  private static func origin(
    _ members: [String: MappingNode], in node: MappingNode
  ) throws(InvalidMapping) -> Origin {
    let given = ["from", "template", "value"].filter { members[$0] != nil }
    guard given.count == 1 else { throw node.fault("needs one of from, template, value") }
    if let from = members["from"] { return .columns(try from.texts().map(Column.init)) }
    if let value = members["value"] { return .constant(try value.scalars()) }
    return .template(try Self.template(members["template"] ?? node))
  }

  /// A template. Its errors name the key.
  static func template(_ node: MappingNode) throws(InvalidMapping) -> Template {
    let text = try node.text()
    do throws(InvalidMapping) {
      return try Template(text)
    } catch {
      throw node.fault(error.reason)
    }
  }

  private mutating func readTable(_ members: [String: MappingNode]) throws(InvalidMapping) {
    ignoresCase = try members["ignore_case"]?.flag() ?? false
    for (name, node) in try members["values"]?.table() ?? [] {
      values[ignoresCase ? name.lowercased() : name] = try Result(node)
    }
    for node in try members["patterns"]?.list() ?? [] {
      let parts = try node.members(
        ["equals", "prefix", "suffix", "contains", "ignore_case", "value", "flag", "refuse"])
      let test = try TextTest(parts, in: node, ignoresCase: ignoresCase)
      patterns.append((test, try Result(parts)))
    }
    otherwise =
      try members["otherwise"]?.choice(Otherwise.self) ?? (hasTable ? .flag : .keep)
  }

  private mutating func readText(_ members: [String: MappingNode]) throws(InvalidMapping) {
    splits = Set(try members["split"]?.text() ?? "")
    join = try members["join"]?.text() ?? join
    unknown = Set(try members["unknown"]?.texts().map { $0.lowercased() } ?? [])
    if let node = members["months"] {
      months = try node.texts().map { $0.lowercased() }
      guard months.count == 12 else { throw node.fault("must be twelve names") }
    }
    guard let node = members["formats"] else { return }
    formats = []
    for node in try node.listOrOne() {
      guard let format = DateFormat(try node.text()) else {
        throw node.fault("is no date format; see docs/reference/import.md")
      }
      formats.append(format)
    }
  }

  private mutating func readNumbers(_ members: [String: MappingNode]) throws(InvalidMapping) {
    if let node = members["unit"] {
      unit = try node.text()
      guard PlainNumber.metresByUnit[unit] != nil else {
        throw node.fault("“\(unit)” is no unit; known are m, cm, mm, km, ft, in")
      }
    }
    if let node = members["decimal"] {
      guard let sign = PlainNumber.Decimal(rawValue: try node.text()) else {
        throw node.fault("must be “.” or “,”")
      }
      notation.decimal = sign
    }
    order = try members["order"]?.choice(WrittenPosition.Order.self)
    if let node = members["letter_o"] {
      let side = try node.text()
      guard side == "east" || side == "west" else { throw node.fault("must be east or west") }
      notation.isOEast = side == "east"
    }
    if let node = members["written_as"] {
      let form = try node.text()
      notation.packed = PackedDegrees(rawValue: form)
      notation.isGeohash = form == "geohash"
      guard notation.isGeohash || notation.packed != nil else {
        throw node.fault("must be geohash, degrees_minutes or degrees_minutes_seconds")
      }
    }
    if let node = members["full_turn"] {
      guard let turn = BearingText.FullTurn(rawValue: try node.text()) else {
        throw node.fault("must be unclear, north or all_round")
      }
      fullTurn = turn
    }
  }
}

extension FieldRule.Result {
  /// Reads a text, a list, `null`, or an object with `value`, `flag` or `refuse`.
  init(_ node: MappingNode) throws(InvalidMapping) {
    if case .object = node.value {
      try self.init(try node.members(["value", "flag", "refuse"]))
    } else {
      self.init(texts: node.value.isNull ? nil : try node.scalars())
    }
  }

  init(_ members: [String: MappingNode]) throws(InvalidMapping) {
    texts = nil
    if let node = members["value"], !node.value.isNull { texts = try node.scalars() }
    flag = try members["flag"]?.text()
    refuse = try members["refuse"]?.text()
  }
}
