@testable import App
import JSON
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
@testable import Watching
import WebServer

extension TestApp {
  static let watches = "/api/watches"

  /// The box of most tests.
  static let watchedBox: JSONValue = ["type": "box", "bbox": [6, 46, 7, 47]]

  /// The body of a new watch with these members.
  static func watch(_ members: JSONObject = [:]) -> JSONValue {
    var body: JSONObject = ["label": "My street", "area": watchedBox]
    for (name, value) in members.members { body[name] = value }
    return .object(body)
  }

  /// Adds a watch with a webhook whose server has met the challenge. Its index is current afterwards.
  @discardableResult
  func provenWebhook(_ url: String, of account: TestAccount) throws -> JSONValue {
    let answer = post(
      Self.watches, Self.watch(["webhook": .string(url)]), as: account.identity)
    #expect(answer.status == .created, "\(answer.text)")
    try database.write {
      try $0.execute(
        "UPDATE watch SET webhook_proven_at = created_at, call_due_at = NULL WHERE webhook = ?",
        [.text(url)])
    }
    try app.watches.finish()
    return try answer.json
  }

  /// Adds a watch. Its index is current afterwards.
  @discardableResult
  func watch(_ members: JSONObject = [:], of account: TestAccount) throws -> JSONValue {
    let answer = post(Self.watches, Self.watch(members), as: account.identity)
    #expect(answer.status == .created, "\(answer.text)")
    try app.watches.finish()
    return try answer.json
  }

  /// As some time after a server was killed, which released no lease.
  func endLeases() throws { try database.write { try $0.execute("DELETE FROM lease") } }

  /// The events of all watches, in order: `added`, or `changed name`.
  func reported() throws -> [String] { try app.watches.reported().map(\.text) }
}

extension Watches {
  /// The events of all watches in the order of the changes, each with the label of its watch.
  func reported() throws -> [(label: String, text: String)] {
    try finish()
    let found = try database.read { connection in
      let rows = try connection.rows("SELECT rowid FROM watch ORDER BY rowid") { $0.int(0) }
      return try rows.compactMap { try store.one(row: $0, connection) }.flatMap { watch in
        try news.later(watch, than: 0, listed: 10_000, counted: .max, connection).reported
          .map { (watch, $0) }
      }
    }
    return found.sorted { ($0.1.number, $0.0.rowid) < ($1.1.number, $1.0.rowid) }
      .map { watch, reported in
        (
          watch.settings.label,
          ([reported.event.rawValue] + reported.properties).joined(separator: " ")
        )
      }
  }
}
