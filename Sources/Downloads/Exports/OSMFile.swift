import Devices
import Import
import JSON
import Reference
import Service
import SpatialDatabase

/// Writes devices as OpenStreetMap elements, in OpenStreetMap XML or Overpass JSON.
///
/// An element imported from OpenStreetMap keeps its type, id and version. If it is not a node, its
/// place is `center` in Overpass JSON. OpenStreetMap XML has no such element: there the way or relation
/// refers to a node without tags at its place, with a negative id. Every other device is a node with a
/// negative id. The attributes `device`, `source`, `licence`, `attribution`, `source_url` and `operator_kind`, which
/// other programs ignore, have the id of the device, the credit of its record and the kind of its operator.
struct OSMFile {
  private let format: ExportFormat
  private let notes: ExportNotes

  init(_ format: ExportFormat, notes: ExportNotes) {
    self.format = format
    self.notes = notes
  }

  /// Only devices at their true place are exported. A node in the centre of a coarse cell, or at a
  /// guessed position that does not come from OpenStreetMap, would be wrong data there.
  static let condition = """
    device.precision = 'exact' AND (device.approximate = 0 OR \(DeviceKeyStore.isInOpenStreetMap))
    """

  /// The size of a chunk of output, in bytes.
  private static let pieceSize = 65_536
  private static let firstColumns = [
    "device.rowid", "device.longitude", "device.latitude", "device.revision", "device.id",
    "device.source_rowid",
  ]
  private static let selection =
    "SELECT \((firstColumns + OSMTags.columns).joined(separator: ", ")) FROM \(DeviceStore.tables)"

  func write(
    _ devices: ExportedDevices, _ connection: borrowing Connection,
    to sink: ([UInt8]) throws -> Void
  ) throws {
    let reader = try OSMElementReader(notes.credits, connection)
    var text = format == .osm ? xmlHead() : jsonHead()
    var isFirst = true
    func write(_ element: OSMElement) throws {
      if format == .osm {
        text += element.xml
      } else {
        text += Array((isFirst ? "" : ",\n").utf8) + element.json
      }
      isFirst = false
      if text.count >= Self.pieceSize {
        try sink(text)
        text.removeAll(keepingCapacity: true)
      }
    }
    // Nodes come before ways and relations, as programs expect; there are few of the latter.
    var others: [OSMElement] = []
    try devices.forEach(Self.selection, connection) { row in
      let element = try reader.element(row, tagsFrom: Self.firstColumns.count, connection)
      if element.type == .node { return try write(element) }
      others.append(element)
      if format == .osm { try write(element.placeNode) }
    }
    for type in [OSMElement.Kind.way, .relation] {
      for element in others where element.type == type { try write(element) }
    }
    text += Array((format == .osm ? "</osm>\n" : "\n]}\n").utf8)
    try sink(text)
  }

  /// The address of the licence if all records are under OpenStreetMap's licence, otherwise the names
  /// of all.
  private var licence: String {
    notes.credits.licences == "ODbL-1.0"
      ? "http://opendatacommons.org/licenses/odbl/1-0/" : notes.credits.licences
  }

  private func xmlHead() -> [UInt8] {
    var xml = XMLText()
    // Editors warn before an upload: a way here has one node, and most records need a check on site.
    xml.raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<osm version=\"0.6\" upload=\"false\"")
    xml.attribute("generator", ExportNotes.generator)
    xml.attribute("copyright", notes.title)
    xml.attribute("attribution", notes.credits.attribution)
    xml.attribute("license", licence)
    xml.raw(">\n")
    xml.element("note", notes.text)
    xml.raw("<meta")
    xml.attribute("osm_base", notes.exportedAt)
    xml.raw("/>\n")
    return xml.bytes
  }

  private func jsonHead() -> [UInt8] {
    var json = JSONWriter()
    json.beginObject()
    json.key("version")
    json.raw("0.6")
    json.member("generator", ExportNotes.generator)
    json.key("osm3s")
    json.beginObject()
    json.member("timestamp_osm_base", notes.exportedAt)
    json.member("copyright", notes.credits.attribution)
    json.endObject()
    json.member("copyright", notes.title)
    json.member("attribution", notes.credits.attribution)
    json.member("license", licence)
    json.member("query", notes.query)
    json.member("note", notes.text)
    json.key("elements")
    json.beginArray()
    return json.bytes + [0x0A]
  }
}

/// One element of OpenStreetMap.
struct OSMElement {
  enum Kind: String { case node, way, relation }

  var type = Kind.node
  var id: Int64
  /// Nil for new elements, or where the import had no version.
  var version: Int64?
  var longitude: Double
  var latitude: Double
  var tags: [OSMTags.Tag]
  /// The id of the device, the credit of its record and the kind of its operator.
  var origin: [(name: StaticString, value: String)] = []
  /// The id of the node at the place of a way or relation.
  var placeID: Int64

  /// The node at the place of a way or relation.
  var placeNode: OSMElement {
    OSMElement(id: placeID, longitude: longitude, latitude: latitude, tags: [], placeID: placeID)
  }

  /// One line for each tag, preceded by one for the element.
  var xml: [UInt8] {
    var xml = XMLText(capacity: 512)
    xml.raw("<")
    xml.plain(type.rawValue)
    xml.attribute("id", String(id))
    if let version { xml.attribute("version", String(version)) }
    for member in origin { xml.attribute(member.name, member.value) }
    if type == .node { place(&xml) }
    xml.raw(">\n")
    if type != .node {
      xml.raw(type == .way ? "<nd" : "<member type=\"node\" role=\"\"")
      xml.attribute("ref", String(placeID))
      xml.raw("/>\n")
    }
    for tag in tags {
      xml.raw("<tag")
      xml.attribute("k", tag.key)
      xml.attribute("v", tag.value)
      xml.raw("/>\n")
    }
    xml.raw("</")
    xml.plain(type.rawValue)
    xml.raw(">\n")
    return xml.bytes
  }

  private func place(_ xml: inout XMLText) {
    xml.attribute("lat", CSVText.degrees(latitude))
    xml.attribute("lon", CSVText.degrees(longitude))
  }

  var json: [UInt8] {
    var json = JSONWriter(capacity: 512)
    json.beginObject()
    json.member("type", type.rawValue)
    json.member("id", id)
    if let version {
      json.member("version", version)
    }
    for member in origin {
      json.key(member.name)
      json.string(member.value)
    }
    if type != .node {
      json.key("center")
      json.beginObject()
    }
    json.key("lat")
    json.coordinate(latitude)
    json.key("lon")
    json.coordinate(longitude)
    if type != .node { json.endObject() }
    json.key("tags")
    json.beginObject()
    for tag in tags {
      json.key(tag.key)
      json.string(tag.value)
    }
    json.endObject()
    json.endObject()
    return json.bytes
  }
}

/// Converts devices to elements.
struct OSMElementReader {
  private let tags: OSMTags
  private let credits: ExportCredits

  init(_ credits: ExportCredits, _ connection: borrowing Connection) throws {
    tags = try OSMTags(connection)
    self.credits = credits
  }

  /// `row` contains rowid, longitude, latitude, revision, id and the row of the source, followed by ``OSMTags/columns``
  /// from `first` on.
  func element(
    _ row: Row, tagsFrom first: Int, _ connection: borrowing Connection
  ) throws -> OSMElement {
    var element = try tagged(row, tagsFrom: first, connection)
    // No tag distinguishes companies from other private operators.
    if element.tags.contains(where: { $0.key == "operator" }),
      let kind = OSMTags.organisation(row, from: first)
    {
      element.origin.append(("operator_kind", kind))
    }
    return element
  }

  private func tagged(
    _ row: Row, tagsFrom first: Int, _ connection: borrowing Connection
  ) throws -> OSMElement {
    let rowid = row.int(0)
    var element = OSMElement(
      id: -rowid, longitude: row.double(1), latitude: row.double(2), tags: [],
      origin: origin(of: row), placeID: -rowid)
    let key = try DeviceKeyStore().openStreetMap(of: rowid, connection)
    guard let key, let name = Self.name(key.key) else {
      element.tags = tags.tags(row, from: first)
      return element
    }
    (element.type, element.id, element.version) = (name.type, name.id, key.version)
    let changed = row.int(3) > 1 ? try changedByPeople(rowid, connection) : []
    if let kept = try kept(rowid, connection) {
      element.tags = tags.tags(
        row, from: first, kept: kept, isWhole: key.version != nil, changed: changed)
    } else {
      element.tags = tags.tags(row, from: first)
    }
    return element
  }

  private func origin(of row: Row) -> [(name: StaticString, value: String)] {
    let credit = credits.credit(of: row.optionalInt(5))
    var origin: [(name: StaticString, value: String)] = [
      ("device", row.text(4)), ("source", credit.name), ("licence", credit.licence),
      ("attribution", credit.attribution),
    ]
    if let url = credit.url { origin.append(("source_url", url)) }
    return origin
  }

  /// Parses a key such as `node/123`, the form in which OpenStreetMap elements are stored.
  private static func name(_ key: String) -> (type: OSMElement.Kind, id: Int64)? {
    let parts = key.split(separator: "/")
    guard parts.count == 2, let type = OSMElement.Kind(rawValue: String(parts[0])),
      let id = Int64(parts[1])
    else { return nil }
    return (type, id)
  }

  private func kept(
    _ rowid: Int64, _ connection: borrowing Connection
  ) throws -> [ImportedDevice.Tag]? {
    let text = try DeviceTags.tags(of: rowid, connection)
    guard let text, let object = try? JSONValue(parsing: text).objectValue else { return nil }
    return object.members.map { ImportedDevice.Tag($0.key, $0.value.stringValue ?? "") }
  }

  /// The columns that people have changed; imports do not count.
  private func changedByPeople(
    _ rowid: Int64, _ connection: borrowing Connection
  ) throws -> Set<String> {
    var changed: Set<String> = []
    try connection.forEach(
      """
      SELECT before FROM revision
      WHERE device_rowid = ? AND kind NOT IN ('add', 'import', 'undo') AND before IS NOT NULL
      """, [.integer(rowid)]
    ) { row in
      let before = try? JSONValue(parsing: row.blob(0)).objectValue
      changed.formUnion(before?.members.map(\.key) ?? [])
    }
    return changed
  }
}
