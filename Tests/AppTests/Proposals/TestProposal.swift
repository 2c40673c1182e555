@testable import App
import Import
import JSON
@testable import Lists
import PrivacyMap
@testable import Service
import SpatialDatabase
import WebServer

/// A proposed list of cameras.
enum TestProposal {
  static let path = "/api/proposals"

  static func mapping(licence: String = "CC-BY-4.0", _ more: JSONObject = [:]) -> JSONValue {
    var mapping = JSONObject([
      (
        "source",
        [
          "code": "city", "name": "Cameras of the city", "licence": .string(licence),
          "attribution": "© City", "url": "https://city.example/cameras",
        ]
      ),
      ("key", "{id}"),
      (
        "fields",
        [
          "name": "name", "category": ["value": "camera_fixed"], "longitude": "lon",
          "latitude": "lat",
        ]
      ),
    ])
    for (name, value) in more.members { mapping[name] = value }
    return .object(mapping)
  }

  /// A list of cameras a kilometre apart; the last `refused` have no valid position.
  static func list(_ count: Int, named name: String = "Camera", refused: Int = 0) -> String {
    "id,name,lon,lat\n"
      + (0..<count).map { number in
        let latitude = number < count - refused ? 38.7 + Double(number) / 100 : 99
        return "\(number),\(name) \(number),-9.1,\(latitude)\n"
      }.joined()
  }

  static func form(_ fields: [(String, String)], file: String = "cameras.csv") -> [UInt8] {
    form(fields.map { ($0, Array($1.utf8)) }, file: file)
  }

  static func form(_ fields: [(String, [UInt8])], file: String) -> [UInt8] {
    var body: [UInt8] = []
    for (name, content) in fields {
      let more = name == "file" ? "; filename=\"\(file)\"" : ""
      body += Array(
        "--XX\r\nContent-Disposition: form-data; name=\"\(name)\"\(more)\r\n\r\n".utf8)
      body += content + Array("\r\n".utf8)
    }
    return body + Array("--XX--\r\n".utf8)
  }

  /// Stores a proposal of one camera without a request.
  static func stored(of account: TestAccount, _ app: TestApp) throws -> String {
    let answer = app.propose(list(1), as: account.identity)
    if let id = try? answer.json["id"]?.stringValue { return id }
    // An account that may not propose, such as a suspended one.
    let id = app.environment.newDeviceID().text
    try app.database.write { connection in
      try connection.execute(
        """
        INSERT INTO proposal (id, account_rowid, file, bytes, format, mapping, source_name, licence, attribution,
          read_rows, skipped, refused, devices, flagged, created_at, expires_at)
        VALUES (?, ?, 'cameras.csv', 1, 'csv', '{}', 'City', 'CC0-1.0', 'City', 1, 0, 0, 1, 0, ?, ?)
        """,
        [
          .text(id), .integer(account.rowid), .text(app.clock.now.text),
          .text(Proposal.end(180, after: app.clock.now).text),
        ])
      try connection.execute(
        """
        INSERT INTO proposal_row (proposal_rowid, number, file_row, name, category, status, longitude, latitude, device,
          notes)
        VALUES (?, 1, 1, 'Camera', 'camera_fixed', 'reported', -9.1, 38.7, ?, '[]')
        """,
        [
          .integer(connection.lastInsertedRowID),
          .text(
            #"{"row":1,"name":"Camera","category":"camera_fixed","longitude":-9.1,"latitude":38.7}"#
          ),
        ])
    }
    return id
  }
}

extension TestApp {
  /// The number of stored rows, which only private connections can read.
  func proposedRows() throws -> Int64? {
    try database.readPrivate { try $0.integer("SELECT count(*) FROM proposal_row") }
  }

  /// Sends a list as the page does.
  @discardableResult
  func propose(
    _ list: String, _ mapping: JSONValue = TestProposal.mapping(),
    _ more: [(String, String)] = [], file: String = "cameras.csv", as identity: Identity
  ) -> TestAnswer {
    propose(Array(list.utf8), mapping, more, file: file, as: identity)
  }

  @discardableResult
  func propose(
    _ list: [UInt8], _ mapping: JSONValue = TestProposal.mapping(),
    _ more: [(String, String)] = [], file: String = "cameras.csv", as identity: Identity
  ) -> TestAnswer {
    let fields =
      [("mapping_file", Array(mapping.text.utf8))] + more.map { ($0, Array($1.utf8)) }
      + [("file", list)]
    return send(
      .post, target: TestProposal.path,
      headers: ["Content-Type": "multipart/form-data; boundary=XX"],
      body: TestProposal.form(fields, file: file), as: identity)
  }
}
