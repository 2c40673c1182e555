import JSON
internal import Projections
import WrittenValues

/// The supported formats of lists.
package enum ImportFormat: String, CaseIterable, Sendable {
  case osmXML = "osm-xml"
  case osmJSON = "osm-json"
  case geoJSON = "geojson"
  case esriJSON = "esri-json"
  case csv
  case json

  /// Whether the columns are tags of OpenStreetMap, of which each element has a few.
  package var hasTags: Bool { self == .osmXML || self == .osmJSON }
}

/// The layout of a file, detected from its beginning.
struct FileLayout: Equatable {
  enum Rows: Equatable {
    case array([String])
    case root
    case lines
    /// RFC 8142: a record separator before each record.
    case sequence
  }

  var format: ImportFormat
  var rows = Rows.lines
  /// The coordinate system of the geometries; nil for degrees.
  var system: CoordinateSystem?

  /// Whether a Socrata portal returns lists of this form: tables, bare arrays and GeoJSON.
  var maySocrataCut: Bool {
    switch (format, rows) {
    case (.csv, _), (.json, .array([])), (.geoJSON, .array(["features"])): true
    default: false
    }
  }
}

/// Detects the format of a file from its beginning and its name.
struct FormatGuess {
  private let head: ArraySlice<UInt8>
  private let name: String
  /// The coordinate system that the mapping names; nil for the one that the file states.
  private let wantedSystem: CoordinateSystem?

  /// - Parameters:
  ///   - head: about the first 64 KiB, decompressed.
  ///   - name: the file's name.
  ///   - system: the coordinate system that the mapping names.
  init(head: [UInt8], name: String, system: CoordinateSystem? = nil) {
    wantedSystem = system
    let isMarked = head.starts(with: [0xEF, 0xBB, 0xBF])
    self.head = head[(isMarked ? 3 : 0)...].drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
    let lower = name.lowercased()
    self.name = lower.hasSuffix(".gz") ? String(lower.dropLast(3)) : lower
  }

  /// The layout of the file, given the format and the array path from the mapping.
  ///
  /// - Throws: ``ImportFailure`` for an empty file and for a file without a list.
  func layout(wanted: ImportFormat?, path: [String]?) throws -> FileLayout {
    guard let first = head.first else { throw ImportFailure("the file is empty") }
    try refuseOtherContent()
    if let path { return FileLayout(format: wanted ?? .json, rows: .array(path)) }
    switch wanted {
    case .csv, .osmXML: return FileLayout(format: wanted ?? .csv)
    case .none where first == UInt8(ascii: "<"): return FileLayout(format: .osmXML)
    case .none where !looksLikeJSON(first): return FileLayout(format: .csv)
    default: return try jsonLayout(first, wanted: wanted)
    }
  }

  private func looksLikeJSON(_ first: UInt8) -> Bool {
    if name.hasSuffix(".csv") || name.hasSuffix(".tsv") { return false }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[") || first == 0x1E
  }

  private func refuseOtherContent() throws {
    if PackedFile.isPacked(Array(head)) {
      throw ImportFailure("the file contains another packed file; unpack it first")
    }
    if let reason = OtherContent.reason(head, name: name) { throw ImportFailure(reason) }
  }

  private func jsonLayout(_ first: UInt8, wanted: ImportFormat?) throws -> FileLayout {
    switch first {
    case 0x1E:
      return FileLayout(format: wanted ?? .geoJSON, rows: .sequence)
    case UInt8(ascii: "["):
      return FileLayout(format: try wanted ?? elementFormat(), rows: .array([]))
    case UInt8(ascii: "{"):
      return try objectLayout(wanted: wanted)
    default:
      throw ImportFailure("the file is not JSON")
    }
  }

  private func objectLayout(wanted: ImportFormat?) throws -> FileLayout {
    let outline = JSONOutline(head)
    let type = outline.members["type"]?.stringValue
    if type == "FeatureCollection" || outline.arrays.contains("features") {
      if type == nil, isEsri(outline) {
        return FileLayout(
          format: .esriJSON, rows: .array(["features"]), system: try esriSystem(outline))
      }
      return FileLayout(
        format: wanted ?? .geoJSON, rows: .array(["features"]), system: try statedSystem(outline))
    }
    if outline.arrays.contains("elements"), wanted == nil || wanted == .osmJSON {
      return FileLayout(format: .osmJSON, rows: .array(["elements"]))
    }
    if outline.isFollowedByAnother || Self.lineEndings.contains(where: name.hasSuffix) {
      try refuseJoinedObjects()
      return FileLayout(format: wanted ?? Self.format(of: outline), rows: .lines)
    }
    if outline.members["currentVersion"] != nil, outline.arrays.contains("fields") {
      throw ImportFailure(
        "the file describes a layer of ArcGIS instead of its rows; ask for them with "
          + "/query?where=1%3D1&outFields=*&f=geojson behind the address of the layer")
    }
    if type == "Topology" {
      throw ImportFailure("the file is TopoJSON; save it as GeoJSON")
    }
    let lists = wanted == .json ? JSONLists(head).paths : []
    if lists.count == 1 { return FileLayout(format: .json, rows: .array(lists[0])) }
    if wanted == nil, type != "Feature" {
      return FileLayout(format: .json, rows: .array(try onlyList()))
    }
    return FileLayout(format: wanted ?? .geoJSON, rows: .root)
  }

  /// Names of files with an object in each line.
  private static let lineEndings = [".jsonl", ".ndjson", ".geojsonl", ".geojsons", ".jsons"]

  /// - Throws: ``ImportFailure`` if the first line is not one object, because objects without commas between them fill
  ///   several lines or share one.
  private func refuseJoinedObjects() throws {
    guard let end = head.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) else { return }
    if (try? JSONValue(parsing: Array(head[..<end]), options: .lenient)) != nil { return }
    guard JSONOutline(head).isFollowedByAnother else { return }
    throw ImportFailure(
      "its objects follow one another without commas; put each on a line of its own, or all in [ ] with commas "
        + "between them")
  }

  /// The path of the only list inside the document.
  private func onlyList() throws -> [String] {
    let lists = JSONLists(head).paths
    if let reason = OtherContent.socrata(head) { throw ImportFailure(reason) }
    let outline = JSONOutline(head)
    if lists.count == 1, !OtherContent.isMessage(lists[0]) { return lists[0] }
    if outline.isEmpty {
      throw ImportFailure("the file is an empty JSON object; it has no list")
    }
    if lists.count < 2, let reason = OtherContent.reason(outline, head) {
      throw ImportFailure(reason)
    }
    var failure = ImportFailure(
      lists.isEmpty
        ? "the JSON has no list of objects; if there is one, set its path in the mapping (input.path)"
        : "the JSON has several lists; set the path of one in the mapping (input.path)")
    failure.choices = lists.map(PointerText.pointer)
    throw failure
  }

  /// GeoJSON before 2016 could specify another coordinate system (2008 specification, §3).
  private func statedSystem(_ outline: JSONOutline) throws -> CoordinateSystem? {
    if let wantedSystem { return wantedSystem }
    guard let name = outline.members["crs"]?["properties"]?["name"]?.stringValue else { return nil }
    return try system(CoordinateSystemName.short(name), called: name)
  }

  /// Whether the list is a feature set of ArcGIS, which a query gives without `f=geojson`.
  private func isEsri(_ outline: JSONOutline) -> Bool {
    firstFeature?.objects.contains("attributes") == true
      || outline.members["spatialReference"]?.objectValue != nil
      || outline.members["geometryType"]?.stringValue?.hasPrefix("esri") == true
      || outline.members["objectIdFieldName"]?.stringValue != nil
      || outline.members["displayFieldName"]?.stringValue != nil
  }

  /// The first element of `features`.
  private var firstFeature: JSONOutline? {
    guard let name = head.firstRange(of: Array("\"features\"".utf8)),
      let start = head[name.upperBound...].firstIndex(of: UInt8(ascii: "{"))
    else { return nil }
    return JSONOutline(head[start...])
  }

  private func esriSystem(_ outline: JSONOutline) throws -> CoordinateSystem? {
    if let wantedSystem { return wantedSystem }
    guard let reference = outline.members["spatialReference"] else { return nil }
    return try system(CoordinateSystemName.ofEsri(reference), called: "its spatialReference")
  }

  private func system(_ short: String?, called name: String) throws -> CoordinateSystem? {
    if let short, CoordinateSystemName.isDegrees(short) { return nil }
    guard let system = short.flatMap(CoordinateSystem.init) else {
      throw ImportFailure(
        "the coordinates are in \(CleanText.excerpt(name)), which is not known; name its code in the "
          + "mapping (input.crs)")
    }
    return system
  }

  private static func format(of outline: JSONOutline) -> ImportFormat {
    switch outline.members["type"]?.stringValue {
    case "Feature": .geoJSON
    case "node", "way", "relation": .osmJSON
    default: .json
    }
  }

  /// The format of a bare array, detected from its first element.
  private func elementFormat() throws -> ImportFormat {
    let element = head.dropFirst().drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
    if element.first == UInt8(ascii: "[") { throw ImportFailure(OtherContent.nameless) }
    guard element.first == UInt8(ascii: "{") else { return .json }
    return Self.format(of: JSONOutline(element))
  }
}

/// The members of a JSON object that are visible in the beginning of a file.
struct JSONOutline {
  /// Small members whose value is complete.
  private(set) var members: [String: JSONValue] = [:]
  /// Names of members that are arrays, complete or not.
  private(set) var arrays: Set<String> = []
  /// Names of members that are objects, complete or not.
  private(set) var objects: Set<String> = []
  /// Whether the object is complete and another object follows.
  private(set) var isFollowedByAnother = false
  /// Whether the object is complete and has no member.
  private(set) var isEmpty = false

  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) {
    rest = bytes.dropFirst()
    while readMember() {}
  }

  private mutating func readMember() -> Bool {
    skip([UInt8(ascii: ",")])
    if rest.first == UInt8(ascii: "}") {
      isEmpty = members.isEmpty && arrays.isEmpty && objects.isEmpty
      rest = rest.dropFirst()
      skip([])
      isFollowedByAnother = rest.first == UInt8(ascii: "{")
      return false
    }
    guard rest.first == UInt8(ascii: "\""), let key = value(),
      let name = Self.json(key)?.stringValue
    else { return false }
    skip([UInt8(ascii: ":")])
    if rest.first == UInt8(ascii: "[") { arrays.insert(name) }
    if rest.first == UInt8(ascii: "{") { objects.insert(name) }
    guard let bytes = value() else { return false }
    if bytes.count <= 1_024 { members[name] = Self.json(bytes) }
    return true
  }

  private mutating func skip(_ more: Set<UInt8>) {
    rest = rest.drop { $0 == 0x20 || (0x09...0x0D).contains($0) || more.contains($0) }
  }

  /// The bytes of the current value. Nil if it is incomplete.
  private mutating func value() -> ArraySlice<UInt8>? {
    var scan = ValueScan()
    for position in rest.indices {
      let end = scan.take(rest[position])
      if end == .no { continue }
      let bytes = end == .with ? rest[...position] : rest[..<position]
      rest = rest[bytes.endIndex...]
      return bytes
    }
    return nil
  }

  private static func json(_ bytes: ArraySlice<UInt8>) -> JSONValue? {
    try? JSONValue(parsing: Array(bytes), options: .lenient)
  }
}
