import CQL2
@testable import Import
import JSON
import Mail
@testable import Pictures
import PostgreSQL
import PrivacyMap
@testable import Service
import WebServer

/// One of our parsers, called with the inputs that libFuzzer generates.
///
/// A fault is a trap, an endless loop, unbounded memory, or a failed ``hold`` line. Refusing an
/// input is always correct.
enum FuzzTarget: String, CaseIterable {
  case target, headers, multipart, json, cql2Text, cql2JSON, csv, geojson, osmXML, osmJSON
  case mapping, place, geometry, cursor, feature, request, imageAnswer, deliveryReport
  case statement, databaseAddress, formatRows, formatRefusal

  func run(_ bytes: [UInt8]) {
    switch self {
    case .target: Wire.target(bytes)
    case .headers: Wire.headers(bytes)
    case .multipart: Wire.multipart(bytes)
    case .json: Texts.json(bytes)
    case .cql2Text: Texts.filter(String(decoding: bytes, as: UTF8.self))
    case .cql2JSON: _ = try? Filter(cql2JSON: String(decoding: bytes, as: UTF8.self))
    case .csv: Lists.read(bytes, name: "list.csv")
    case .geojson: Lists.read(bytes, name: "list.geojson")
    case .osmXML: Lists.read(bytes, name: "list.osm")
    case .osmJSON: Lists.read(bytes, name: "list.json")
    case .mapping: Lists.mapping(bytes)
    case .place: Texts.place(String(decoding: bytes, as: UTF8.self))
    case .geometry: _ = Geometry(wellKnownBinary: bytes)
    case .cursor: Texts.cursor(String(decoding: bytes, as: UTF8.self))
    case .feature: FuzzInstance.shared.feature(bytes)
    case .request: FuzzInstance.shared.request(bytes)
    case .imageAnswer: Wire.imageAnswer(bytes)
    case .deliveryReport: Wire.deliveryReport(bytes)
    case .statement: Statements.numbered(String(decoding: bytes, as: UTF8.self))
    case .formatRows: FormatAnswers.rows(bytes)
    case .formatRefusal: FormatAnswers.refusal(String(decoding: bytes, as: UTF8.self))
    case .databaseAddress: Statements.address(String(decoding: bytes, as: UTF8.self))
    }
  }
}

/// A guarantee of a parser: when it is broken, libFuzzer saves the input.
func hold(_ holds: Bool, _ promise: String) { precondition(holds, promise) }

/// Parsers of data that arrive from the network.
enum Wire {
  static func target(_ bytes: [UInt8]) {
    let request = Request(.get, String(decoding: bytes, as: UTF8.self))
    for name in request.query.names { _ = request.query[name] }
  }

  /// One value for every header that our own code parses.
  static func headers(_ bytes: [UInt8]) {
    let value = String(decoding: bytes, as: UTF8.self)
    _ = HTTPDate(value)
    _ = ClientAddress(value)
    _ = AddressBlock(value)?.contains(.unknown)
    let offers = [
      ContentNegotiation.Offer("json", "application/json"),
      ContentNegotiation.Offer("html", "text/html"),
    ]
    let request = Request(.get, "/", headers: ["Accept": value, "Range": value])
    _ = try? ContentNegotiation(offers).choose(for: request)
  }

  static func multipart(_ bytes: [UInt8]) {
    let type = "multipart/form-data; boundary=b"
    let request = Request(.post, "/", headers: ["Content-Type": type], body: bytes)
    guard let form = try? MultipartForm(request) else { return }
    for part in form.parts {
      hold(part.range.upperBound <= bytes.count, "a part lies within the body")
      _ = form.bytes(of: part)
    }
  }

  /// The output of the program that decodes pictures. A malicious picture may control that program.
  static func imageAnswer(_ bytes: [UInt8]) {
    guard let picture = DrawnPicture(framed: bytes) else { return }
    let said = picture.large.bytes.count + picture.thumb.bytes.count
    hold(said < bytes.count - 4, "both pictures lie within the answer")
    hold(
      bytes.suffix(said) == picture.large.bytes[...] + picture.thumb.bytes, "one after the other")
    hold(max(picture.thumb.width, picture.thumb.height) <= 480, "a thumbnail is small")
  }
}

/// Parsers of mails, which any sender can write.
extension Wire {
  static func deliveryReport(_ bytes: [UInt8]) {
    guard let report = DeliveryReport(bytes) else { return }
    hold(report.recipients.count <= 20, "few header fields are kept")
    guard let pattern = try? BounceAddress("bounces+*@example.org") else { return }
    for field in report.recipients {
      for token in pattern.tokens(in: field) {
        hold((try? pattern.address(token)) != nil, "a token makes an address")
      }
    }
  }
}

/// Parsers of texts in a query or a body.
enum Texts {
  /// A parsed value that is written again parses to the same value.
  static func json(_ bytes: [UInt8]) {
    _ = try? JSONValue(parsing: bytes, options: .lenient)
    guard let value = try? JSONValue(parsing: bytes) else { return }
    var writer = JSONWriter()
    writer.value(value)
    hold((try? JSONValue(parsing: writer.bytes)) == value, "JSON comes back as it was")
  }

  static func filter(_ text: String) {
    guard let filter = try? Filter(cql2Text: text) else { return }
    hold((try? Filter(cql2Text: text)) == filter, "a filter reads the same twice")
  }

  static func place(_ text: String) {
    if let box = try? BoundingBox(bbox: text) {
      hold(abs(box.north) <= 90 && abs(box.west) <= 180, "a box lies on the earth")
    }
    if let place = try? Coordinate(text: text) {
      hold(abs(place.latitude) <= 90 && abs(place.longitude) <= 180, "a place lies on the earth")
    }
    if let moment = Timestamp(text: text) {
      hold(Timestamp(text: moment.text) == moment, "a moment comes back as it was")
    }
    _ = Moment(text: text)
  }

  static func cursor(_ text: String) {
    guard let cursor = try? PageCursor(text: text) else { return }
    hold((try? PageCursor(text: cursor.text)) == cursor, "a cursor comes back as it was")
  }
}

/// Parsers of device lists and of their mappings.
enum Lists {
  /// The rows of a file, each read by a mapping that uses every column.
  static func read(_ bytes: [UInt8], name: String) {
    let source = ByteSource(name: name) { $0 == 0 ? bytes : nil }
    guard let mapper = FuzzInstance.shared.mapper else { return }
    try? ImportReader(source).forEachRow { row in _ = mapper.outcomes(for: row) }
  }

  /// A mapping and, when it is valid, one row read by it.
  static func mapping(_ bytes: [UInt8]) {
    guard let json = try? JSONValue(parsing: bytes), let mapping = try? ImportMapping(json),
      let mapper = FuzzInstance.shared.mapper(mapping)
    else { return }
    let row = #"[{"name": "Camera", "lon": -9.1, "lat": 38.7, "tags": {"a": "b;c", "d": 4}}]"#
    let source = ByteSource(name: "list.json") { $0 == 0 ? Array(row.utf8) : nil }
    try? ImportReader(source).forEachRow { _ = mapper.outcomes(for: $0) }
  }
}

/// Parsers of what `farol-formats` writes. A malicious list may control that program.
enum FormatAnswers {
  /// The first line and the rows that follow it.
  static func rows(_ bytes: [UInt8]) {
    let parts = bytes.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let rows = try? PackedFile.Rows(line: Array(parts[0])),
      let mapper = FuzzInstance.shared.mapper
    else { return }
    if case .bytes(let name) = rows { return Lists.read(Array(parts[1]), name: name) }
    let reader = JSONRows(kind: rows == .features ? .feature : .osmElement)
    var splitter = LineSplitter(separator: 0x0A)
    var number = 0
    func line(_ bytes: [UInt8], _ line: Int) {
      number += 1
      _ = mapper.outcomes(for: reader.row(bytes, number: number, line: line))
    }
    try? Array(parts[1]).withUnsafeBufferPointer { try splitter.take($0, line) }
    try? splitter.finish(line)
  }

  /// The line on standard error, which becomes a sentence for people.
  static func refusal(_ line: String) {
    let failure = FormatRefusal.failure(line)
    let shown = [failure.reason] + failure.choices
    hold(shown.allSatisfy { $0.unicodeScalars.count < 1_500 }, "a sentence is short")
    hold(
      shown.allSatisfy { text in
        text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
      }, "a sentence has no control characters")
  }
}

/// Parsers of the driver for PostgreSQL.
enum Statements {
  static func numbered(_ sql: String) {
    guard let statement = try? NumberedStatement(sql) else { return }
    let isSame = Array(statement.text.utf8) == Array(sql.utf8)
    hold(sql.utf8.contains(UInt8(ascii: "?")) || isSame, "only a question mark is replaced")
    hold(statement.parameterCount <= NumberedStatement.maxParameters, "the protocol can carry it")
    func rest(_ text: String) -> [UInt8] { text.utf8.filter { !"?$ 0123456789".utf8.contains($0) } }
    hold(rest(statement.text) == rest(sql), "everything but parameters is copied")
  }

  static func address(_ url: String) {
    guard let address = try? ServerAddress(url: url) else { return }
    hold(
      !"\(address)".utf8.contains(UInt8(ascii: "@")),
      "a description has no part of the user or the password")
  }
}
