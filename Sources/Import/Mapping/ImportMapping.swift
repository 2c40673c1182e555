package import JSON

/// The meaning of the columns of one kind of list, read from a mapping file (`docs/reference/import.md`).
package struct ImportMapping: Sendable {
  /// The origin of the records and their licence.
  package struct Source: Equatable, Sendable {
    package var code: String
    package var name: String
    package var licence: String
    package var attribution: String
    package var url: String?
    package var isShareAlike: Bool
  }

  /// A rule for special rows, with the reason.
  struct RowRule: Sendable {
    var condition: Condition
    var field: String?
    var code: String
    var because: String
    /// Whether the row states that its device is no longer there.
    var isGone = false
  }

  /// An identifier of the device in other lists.
  struct KeyRule: Sendable {
    var namespace: String
    var key: Template
    var version: Template?
  }

  /// A rectangle in degrees.
  struct Bounds: Equatable, Sendable {
    var west, south, east, north: Double
  }

  /// The meaning of a file for known devices of its list that it does not contain.
  package enum Coverage: String, CaseIterable, Sendable {
    /// They are gone: the file is the whole list.
    case list
    /// The missing devices in the area of the file's devices are gone: the file is an extract of one area.
    case area
    /// Nothing.
    case nothing
  }

  /// The columns to keep in addition to the fields.
  enum Keep: Equatable, Sendable {
    case all, unmapped, none
    case columns([String])
  }

  package let source: Source
  /// The mapping file, with the members of the mappings that it extends.
  package let file: JSONObject
  /// The options for reading the file.
  package let reading: ImportReader.Options
  let mendsDoubleEncoding: Bool
  let explode: Column?
  /// In lower case.
  let empty: Set<String>
  /// Separates the elements of lists in one text; nil if texts contain no lists.
  let listSeparator: Character?
  /// The meaning of the file for devices that it does not contain.
  package let coverage: Coverage
  let key: Template?
  /// Whether the list has stable identifiers.
  package var hasKey: Bool { key != nil }
  let otherKeys: [KeyRule]
  /// The columns of a Farol export; nil for other lists.
  private(set) var export: ExportRule?
  /// Whether the texts are already public on another Farol instance and stay unchanged.
  var isWhole: Bool { export?.isWhole ?? false }
  let keepsKnownPosition: Bool
  let bounds: Bounds?
  /// Maximum distance in metres at which a record without a matching key is merged with a device of
  /// the same category. Nil: never.
  package let matchRadius: Double?
  let earliestYear: Int
  let skip, refuse, flag: [RowRule]
  let fields: [DeviceField: [SharedRule]]
  /// Whether columns of the list have the positions.
  var hasPlaceColumns: Bool { fields[.longitude] != nil || fields[.position] != nil }
  let categoryNames: [String: String]
  let keep: Keep
  /// Column names, and prefixes of column names.
  let drop: (names: Set<String>, prefixes: [String])
}

extension ImportMapping {
  /// The same mapping for a list of a person without rights on this instance, who can write any id into it.
  package var withoutIdentities: ImportMapping {
    var mapping = self
    mapping.export = nil
    return mapping
  }

  private static let keys = [
    "extends", "source", "input", "empty", "key", "also_known_as", "farol", "position",
    "match_within", "bounds", "earliest", "lists", "covers",
    "conditions", "skip", "refuse", "flag", "fields", "category_names", "keep", "drop",
  ]

  /// Reads a mapping file and the files it extends, from the same folder.
  ///
  /// - Throws: ``InvalidMapping`` with the key of the error, or ``ImportFailure`` when a file cannot be read.
  package init(path: String) throws {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    try self.init(try Self.file(path)) { try Self.file(folder + $0) }
  }

  /// - Parameters:
  ///   - json: the mapping.
  ///   - base: returns the mapping for a name in `extends`.
  /// - Throws: ``InvalidMapping``, and errors from `base`.
  package init(
    _ json: JSONValue,
    base: (String) throws -> JSONValue = { name in
      throw InvalidMapping(key: "extends", reason: "there is no mapping “\(name)”")
    }
  ) throws {
    let merged = try Self.extended(json, depth: 0, base)
    var root = MappingNode(value: merged, key: "")
    for (name, var node) in try root.members(Self.keys)["conditions"]?.table() ?? [] {
      // A condition may refer to earlier conditions.
      node.conditions = root.conditions
      root.conditions[name] = try Condition(node)
    }
    let members = try root.members(Self.keys)
    source = try Self.source(members["source"])
    file = merged.objectValue ?? JSONObject()
    let input = try MappingInput(members["input"])
    mendsDoubleEncoding = input.mendsDoubleEncoding
    explode = input.explode
    empty = Set(try members["empty"]?.texts().map { $0.lowercased() } ?? [])
    listSeparator = try Self.listSeparator(members["lists"])
    coverage = try members["covers"]?.choice(Coverage.self) ?? .list
    key = try members["key"].map { (node) throws(InvalidMapping) in try FieldRule.template(node) }
    otherKeys = try Self.otherKeys(members["also_known_as"])
    export = try members["farol"].map { (node) throws(InvalidMapping) in try ExportRule(node) }
    keepsKnownPosition = try Self.keepsPosition(members["position"])
    bounds = try Self.bounds(members["bounds"])
    matchRadius = try Self.matchRadius(members["match_within"])
    earliestYear = Int(exactly: try members["earliest"]?.number() ?? 1_950) ?? 1_950
    skip = try Self.rowRules(members["skip"])
    var reading = input.reading
    reading.tagTests = Self.tagTests(of: skip)
    self.reading = reading
    refuse = try Self.rowRules(members["refuse"])
    flag = try Self.rowRules(members["flag"])
    fields = try Self.fields(members["fields"])
    categoryNames = try Self.names(members["category_names"])
    keep = try Self.keep(members["keep"])
    drop = Self.drop(try members["drop"]?.texts() ?? [])
  }

  /// The options for reading a file that the member `input` of a mapping states.
  ///
  /// - Throws: ``InvalidMapping`` with the key of the error.
  package static func readingOptions(_ input: JSONValue?) throws -> ImportReader.Options {
    let node = input.map { MappingNode(value: $0, key: "input") }
    return try MappingInput(node).reading
  }

  /// Reads one mapping file without the files it extends.
  ///
  /// - Throws: ``InvalidMapping`` if it is not JSON, or ``ImportFailure`` when it cannot be read.
  package static func file(_ path: String) throws -> JSONValue {
    var bytes: [UInt8] = []
    try ByteSource(path: path, unpackedLimit: 1 << 20).forEachPiece { piece in
      bytes += piece
      return bytes.count <= 1 << 20
    }
    do {
      return try JSONValue(parsing: bytes)
    } catch {
      throw InvalidMapping(key: "", reason: "\(path) is not JSON: \(error)")
    }
  }

  /// Merges the mapping with the mappings that it extends. Its own members have precedence.
  private static func extended(
    _ json: JSONValue, depth: Int, _ base: (String) throws -> JSONValue
  ) throws -> JSONValue {
    guard let child = json.objectValue else {
      throw InvalidMapping(key: "", reason: "a mapping must be an object")
    }
    guard let extends = child["extends"] else { return json }
    guard let name = extends.stringValue, !name.isEmpty, !name.contains("/"), depth < 4 else {
      throw InvalidMapping(key: "extends", reason: "must name a mapping in the same folder")
    }
    let parent = try extended(try base(name), depth: depth + 1, base)
    var merged = parent.objectValue ?? JSONObject()
    for (key, value) in child.members {
      let joins = ["conditions", "fields", "input", "source", "category_names"].contains(key)
      guard joins, var inner = merged[key]?.objectValue, let more = value.objectValue else {
        merged[key] = value
        continue
      }
      for (name, value) in more.members { inner[name] = value }
      merged[key] = .object(inner)
    }
    merged["extends"] = nil
    return .object(merged)
  }

  private static func source(_ node: MappingNode?) throws(InvalidMapping) -> Source {
    guard let node else { throw InvalidMapping(key: "source", reason: "is missing") }
    let members = try node.members([
      "code", "name", "licence", "attribution", "url", "share_alike",
    ])
    func text(_ name: String) throws(InvalidMapping) -> String {
      guard let text = try members[name]?.text(), !text.isEmpty else {
        throw InvalidMapping(key: "source.\(name)", reason: "is missing")
      }
      return text
    }
    let code = try text("code")
    let isCode = code.utf8.allSatisfy { byte in
      (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D
    }
    guard isCode, code.utf8.count <= 60 else {
      throw InvalidMapping(key: "source.code", reason: "must be 1 to 60 of a-z, 0-9 and -")
    }
    return Source(
      code: code, name: try text("name"), licence: try text("licence"),
      attribution: try text("attribution"), url: try members["url"]?.text(),
      isShareAlike: try members["share_alike"]?.flag() ?? false)
  }

  private static func otherKeys(_ node: MappingNode?) throws(InvalidMapping) -> [KeyRule] {
    var rules: [KeyRule] = []
    for node in try node?.list() ?? [] {
      let members = try node.members(["namespace", "key", "version"])
      guard let namespace = try members["namespace"]?.text(), let key = members["key"] else {
        throw node.fault("needs namespace and key")
      }
      var rule = KeyRule(namespace: namespace, key: try FieldRule.template(key))
      if let version = members["version"] { rule.version = try FieldRule.template(version) }
      rules.append(rule)
    }
    return rules
  }

  private static func listSeparator(_ node: MappingNode?) throws(InvalidMapping) -> Character? {
    guard let node else { return nil }
    let text = try node.text()
    guard text.count == 1 else { throw node.fault("must be one character") }
    return text.first
  }

  private static func keepsPosition(_ node: MappingNode?) throws(InvalidMapping) -> Bool {
    guard let node else { return false }
    switch try node.text() {
    case "keep": return true
    case "move": return false
    default: throw node.fault("must be move or keep")
    }
  }

  private static func matchRadius(_ node: MappingNode?) throws(InvalidMapping) -> Double? {
    guard let node else { return nil }
    let metres = try node.number()
    guard metres > 0, metres <= 100 else {
      throw node.fault("must be metres, more than 0 and at most 100")
    }
    return metres
  }

  private static func bounds(_ node: MappingNode?) throws(InvalidMapping) -> Bounds? {
    guard let node else { return nil }
    var edges: [Double] = []
    for edge in try node.list() { edges.append(try edge.number()) }
    guard edges.count == 4, edges[0] <= edges[2], edges[1] <= edges[3] else {
      throw node.fault("must be west, south, east, north in degrees")
    }
    return Bounds(west: edges[0], south: edges[1], east: edges[2], north: edges[3])
  }

  private static func rowRules(_ node: MappingNode?) throws(InvalidMapping) -> [RowRule] {
    var rules: [RowRule] = []
    for node in try node?.list() ?? [] {
      let members = try node.members(["when", "code", "because", "field", "gone"])
      guard let when = members["when"], let code = try members["code"]?.text(),
        let because = try members["because"]?.text()
      else { throw node.fault("needs when, code and because") }
      rules.append(
        RowRule(
          condition: try Condition(when), field: try members["field"]?.text(), code: code,
          because: because, isGone: try members["gone"]?.flag() ?? false))
    }
    return rules
  }

  private static func fields(
    _ node: MappingNode?
  ) throws(InvalidMapping) -> [DeviceField: [SharedRule]] {
    guard let node else { throw InvalidMapping(key: "fields", reason: "is missing") }
    let members = try node.members(DeviceField.all.map(\.name))
    var fields: [DeviceField: [SharedRule]] = [:]
    for field in DeviceField.all {
      guard let node = members[field.name] else { continue }
      fields[field] = try FieldRule.rules(node, for: field).map(SharedRule.init)
    }
    for required in [DeviceField.category, .name] where fields[required] == nil {
      throw InvalidMapping(key: "fields.\(required.name)", reason: "is missing")
    }
    guard (fields[.longitude] == nil) == (fields[.latitude] == nil) else {
      throw node.fault("longitude and latitude belong together")
    }
    return fields
  }

  private static func names(_ node: MappingNode?) throws(InvalidMapping) -> [String: String] {
    var names: [String: String] = [:]
    for (name, node) in try node?.table() ?? [] { names[name] = try node.text() }
    return names
  }

  private static func keep(_ node: MappingNode?) throws(InvalidMapping) -> Keep {
    guard let node else { return .unmapped }
    if node.value.arrayValue != nil { return .columns(try node.texts()) }
    switch try node.text() {
    case "all": return .all
    case "unmapped": return .unmapped
    case "none": return .none
    default: throw node.fault("must be all, unmapped, none, or a list of columns")
    }
  }

  private static func drop(_ names: [String]) -> (names: Set<String>, prefixes: [String]) {
    (
      Set(names.filter { !$0.hasSuffix("*") }),
      names.filter { $0.hasSuffix("*") }.map { String($0.dropLast()) }
    )
  }
}
