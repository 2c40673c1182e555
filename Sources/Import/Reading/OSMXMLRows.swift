private import CLibXML2
import JSON
import WrittenValues

/// Reads OpenStreetMap XML with libxml2's push parser, without a tree, entities or network access.
struct OSMXMLRows: ~Copyable {
  private let context: xmlParserCtxtPtr
  private let state: Unmanaged<ElementCollector>

  init() throws {
    var handler = xmlSAXHandler()
    xml_mark_handler(&handler)
    handler.startElementNs = startElement
    handler.endElementNs = endElement
    handler.characters = takeCharacters
    handler.internalSubset = refuseDocumentType
    handler.getEntity = noEntity
    handler.serror = ignoreError
    // Released in `deinit`.
    let state = Unmanaged.passRetained(ElementCollector())
    guard let context = xmlCreatePushParserCtxt(&handler, state.toOpaque(), nil, 0, nil) else {
      state.release()
      throw ImportFailure("no memory to read XML")
    }
    xmlCtxtUseOptions(context, Int32(XML_PARSE_NONET.rawValue | XML_PARSE_COMPACT.rawValue))
    state._withUnsafeGuaranteedRef {
      $0.currentLine = { [context] in Int(xmlSAX2GetLineNumber(context)) }
    }
    self.context = context
    self.state = state
  }

  deinit {
    xmlFreeDoc(context.pointee.myDoc)
    xmlFreeParserCtxt(context)
    state.release()
  }

  mutating func take(
    _ piece: UnsafeBufferPointer<UInt8>, _ body: (SourceRow) throws -> Void
  ) throws {
    var start = 0
    while start < piece.count {
      // Rows are passed on only after the parser returns, so pieces are small.
      let end = min(start + 65_536, piece.count)
      try parse(UnsafeBufferPointer(rebasing: piece[start..<end]), isLast: false, body)
      start = end
    }
  }

  mutating func finish(_ body: (SourceRow) throws -> Void) throws {
    try parse(UnsafeBufferPointer(start: nil, count: 0), isLast: true, body)
  }

  /// Statements of the document about itself, complete after its end.
  var statements: [FileStatement] { state.takeUnretainedValue().statements }

  private func parse(
    _ piece: UnsafeBufferPointer<UInt8>, isLast: Bool, _ body: (SourceRow) throws -> Void
  ) throws {
    let code = piece.withMemoryRebound(to: CChar.self) {
      xmlParseChunk(context, $0.baseAddress, Int32($0.count), isLast ? 1 : 0)
    }
    let collector = state.takeUnretainedValue()
    for row in collector.takeRows() { try body(row) }
    if let failure = collector.failure { throw failure }
    guard code == 0 else {
      let message = xml_error_message(context).map { String(cString: $0) } ?? "error \(code)"
      let trimmed = message.split(separator: "\n").first.map(String.init) ?? message
      throw ImportFailure(
        isLast
          ? "the file ends too early or is damaged: \(trimmed)" : "the XML is damaged: \(trimmed)",
        row: collector.count > 0 ? collector.count : nil, line: Int(xml_error_line(context)))
    }
  }
}

/// Collects the elements of one document into rows.
private final class ElementCollector {
  var failure: ImportFailure?
  private(set) var count = 0
  var currentLine: () -> Int = { 0 }

  private var rows: [SourceRow] = []
  private var hasRoot = false
  private var isInDeleted = false
  /// Whether the elements show the state before a change, in an augmented diff of Overpass.
  private var isInOld = false
  private var type: String?
  private var columns = JSONObject()
  private var line = 0
  private var position: (longitude: Double?, latitude: Double?) = (nil, nil)
  private var center: (longitude: Double, latitude: Double)?
  private var bounds: (longitude: Double, latitude: Double)?
  private var badNumber: String?
  private var nodes = OSMNodePlaces()
  /// The places of the nodes of the current way, or of the members of the current relation.
  private var parts = PlaceBounds()
  /// The node that is the device of the current relation of enforcement.
  private var device: String?
  /// Whether the document is a change file, in which an element without tags has lost them.
  private var isChange = false
  private(set) var statements: [FileStatement] = []
  /// The text of the `remark` that is being read, in which Overpass reports why it ended early.
  private var remark: String?
  /// Unicode scalars of it.
  private static let maxRemarkLength = 1_000

  func takeRows() -> [SourceRow] {
    defer { rows.removeAll(keepingCapacity: true) }
    return rows
  }

  /// Returns false if the document is not OpenStreetMap XML.
  func begin(_ name: String, _ attributes: [String: String]) -> Bool {
    guard hasRoot else {
      hasRoot = true
      isChange = name == "osmChange"
      if isChange { statements.append(.changes) }
      if name == "osm" || isChange { return true }
      failure = ImportFailure(
        "the XML begins with <\(CleanText.excerpt(name))>; \(OtherContent.advice(forRoot: name))",
        line: currentLine())
      return false
    }
    switch name {
    case "old": isInOld = true
    case "action":
      if !isChange { statements.append(.changes) }
      isChange = true
    case _ where isInOld: break
    case "node", "way", "relation": beginElement(name, attributes)
    case "tag" where type != nil:
      if let key = attributes["k"], let value = attributes["v"], columns[key] == nil {
        columns.members.append((key, .string(value)))
      }
    case "center" where type != nil:
      if let longitude = number(attributes["lon"]), let latitude = number(attributes["lat"]) {
        center = (longitude, latitude)
      }
    case "bounds" where type != nil:
      bounds = OSMPlace.middle(
        west: number(attributes["minlon"]), south: number(attributes["minlat"]),
        east: number(attributes["maxlon"]), north: number(attributes["maxlat"]))
    case "bounds":
      if let west = number(attributes["minlon"]), let south = number(attributes["minlat"]),
        let east = number(attributes["maxlon"]), let north = number(attributes["maxlat"])
      {
        statements.append(.area(west: west, south: south, east: east, north: north))
      }
    case "remark" where type == nil: remark = ""
    case "nd" where type == "way",
      "member" where type == "relation" && attributes["type"] == "node":
      takePart(attributes)
    case "delete": isInDeleted = true
    default: break
    }
    return true
  }

  func end(_ name: String) {
    switch name {
    case "old": isInOld = false
    case "node", "way", "relation": endElement()
    case "delete": isInDeleted = false
    case "remark":
      if let words = remark.flatMap(FileStatement.words) { statements.append(.incomplete(words)) }
      remark = nil
    default: break
    }
  }

  func take(characters: String) {
    guard let text = remark, text.unicodeScalars.count < Self.maxRemarkLength else { return }
    remark = text + characters
  }

  private func beginElement(_ name: String, _ attributes: [String: String]) {
    type = name
    columns = JSONObject()
    line = currentLine()
    badNumber = nil
    position = (number(attributes["lon"]), number(attributes["lat"]))
    center = nil
    bounds = nil
    parts = PlaceBounds()
    device = nil
    columns.members.append(("@type", .string(name)))
    for key in OSMPlace.members {
      if let value = attributes[key] { columns.members.append(("@" + key, .string(value))) }
    }
    if isInDeleted || attributes["visible"] == "false" || attributes["action"] == "delete" {
      columns.members.append(("@deleted", "yes"))
    }
  }

  /// A node of a way or relation: Overpass's `out geom` adds its place, other files contain the node.
  private func takePart(_ attributes: [String: String]) {
    if type == "relation", attributes["role"] == "device", device == nil {
      device = attributes["ref"]
    }
    if let longitude = number(attributes["lon"]), let latitude = number(attributes["lat"]) {
      parts.add(longitude, latitude)
    } else if let place = attributes["ref"].flatMap(Int64.init).flatMap({ nodes[$0] }) {
      parts.add(place.longitude, place.latitude)
    }
  }

  /// Whether the element is only a vertex of ways, not a separate object.
  private var isVertex: Bool {
    type == "node" && !isChange && columns["@deleted"] == nil
      && columns.members.allSatisfy { $0.key.hasPrefix("@") }
  }

  private func endElement() {
    guard let type else { return }
    count += 1
    if type == "node", let longitude = position.longitude, let latitude = position.latitude,
      let id = columns["@id"]?.stringValue.flatMap(Int64.init)
    {
      nodes.add(id, longitude, latitude)
    }
    if isVertex {
      self.type = nil
      return
    }
    if let device {
      if OSMPlace.rename(&columns, to: .string(device)),
        let place = Int64(device).flatMap({ nodes[$0] })
      {
        center = place
      }
    }
    var row = SourceRow(number: count, line: line, columns: columns)
    row.place =
      badNumber.map { .unusable(RowFault(code: "not_a_coordinate", detail: $0)) }
      ?? OSMPlace.place(
        type: type, longitude: position.longitude, latitude: position.latitude, center: center,
        bounds: bounds ?? parts.middle)
    rows.append(row)
    self.type = nil
  }

  private func number(_ text: String?) -> Double? {
    guard let text else { return nil }
    switch PlainNumber.coordinate(text) {
    case .success(let value): return value
    case .failure(let fault):
      badNumber = fault.detail
      return nil
    }
  }
}

private func collector(_ context: UnsafeMutableRawPointer?) -> ElementCollector? {
  context.map { Unmanaged<ElementCollector>.fromOpaque($0).takeUnretainedValue() }
}

private func text(_ pointer: UnsafePointer<xmlChar>?) -> String? {
  pointer.map { String(decodingCString: $0, as: UTF8.self) }
}

private func startElement(
  context: UnsafeMutableRawPointer?, name: UnsafePointer<xmlChar>?, prefix: UnsafePointer<xmlChar>?,
  namespace: UnsafePointer<xmlChar>?, namespaceCount: Int32,
  namespaces: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, attributeCount: Int32,
  defaultedCount: Int32, attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
) {
  guard let collector = collector(context), collector.failure == nil, let name = text(name) else {
    return
  }
  var values: [String: String] = [:]
  for number in 0..<Int(min(max(attributeCount, 0), 64)) {
    // libxml2 passes five pointers per attribute: name, prefix, namespace, and the start and end of
    // the value.
    guard let parts = attributes.map({ $0 + 5 * number }), let key = text(parts[0]),
      let start = parts[3], let end = parts[4]
    else { continue }
    let value = String(
      decoding: UnsafeBufferPointer(start: start, count: end - start), as: UTF8.self)
    values[key] = value.contains("&") ? withAmpersands(value) : value
  }
  _ = collector.begin(name, values)
}

/// Decodes ampersands. With entities disabled, libxml2 leaves every ampersand of a value as
/// `&#38;`.
private func withAmpersands(_ value: String) -> String {
  value.split(separator: "&#38;", omittingEmptySubsequences: false).joined(separator: "&")
}

private func takeCharacters(
  context: UnsafeMutableRawPointer?, text: UnsafePointer<xmlChar>?, count: Int32
) {
  guard let collector = collector(context), let text, count > 0 else { return }
  collector.take(
    characters: String(
      decoding: UnsafeBufferPointer(start: text, count: Int(count)), as: UTF8.self))
}

private func endElement(
  context: UnsafeMutableRawPointer?, name: UnsafePointer<xmlChar>?, prefix: UnsafePointer<xmlChar>?,
  namespace: UnsafePointer<xmlChar>?
) {
  guard let collector = collector(context), collector.failure == nil, let name = text(name) else {
    return
  }
  collector.end(name)
}

/// Rejects a document type. It could declare entities that expand without end, or refer to files.
/// OpenStreetMap files have none.
private func refuseDocumentType(
  context: UnsafeMutableRawPointer?, name: UnsafePointer<xmlChar>?,
  externalID: UnsafePointer<xmlChar>?, systemID: UnsafePointer<xmlChar>?
) {
  guard let collector = collector(context) else { return }
  collector.failure = ImportFailure(
    "the XML declares a document type, which is not read", line: collector.currentLine())
}

private func noEntity(
  context: UnsafeMutableRawPointer?, name: UnsafePointer<xmlChar>?
) -> xmlEntityPtr? { nil }

private func ignoreError(context: UnsafeMutableRawPointer?, error: xmlErrorPtr?) {}
