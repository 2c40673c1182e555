@testable import App
import Foundation
import JSON
@testable import MappingDays
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
import WebServer

extension TestApp {
  static let days = "/api/mapping-days"

  /// The area of most tests: a square of some kilometres around 6.5 east, 46.5 north.
  static let dayArea: JSONValue = [
    "type": "polygon",
    "coordinates": [
      [[6.48, 46.48], [6.52, 46.48], [6.52, 46.52], [6.48, 46.52], [6.48, 46.48]]
    ],
  ]

  /// The body of a plan with these members: four hours from 15:00, three hours after the tests' beginning.
  static func day(_ members: JSONObject = [:]) -> JSONValue {
    var body: JSONObject = [
      "title": "Old town", "purpose": "We look at every camera.", "area": dayArea,
      "starts": "2026-11-21T15:00", "ends": "2026-11-21T19:00", "time_zone": "UTC", "maximum": 20,
    ]
    for (name, value) in members.members { body[name] = value }
    return .object(body)
  }

  static func day(_ id: String, _ more: String = "") -> String {
    "\(days)/\(id)\(more.isEmpty ? "" : "/\(more)")"
  }

  /// Plans a day of an account in a state.
  func day(
    of organiser: TestAccount, _ state: DayState = .approved, _ members: JSONObject = [:]
  ) throws -> String {
    let made = post(Self.days, Self.day(members), as: organiser.identity)
    #expect(made.status == .created, "\(made.text)")
    let id = try #require(try made.json["id"]?.stringValue)
    if state != .draft {
      let sent = send(.post, Self.day(id, "submission"), as: organiser.identity)
      #expect(sent.status == .ok, "\(sent.text)")
    }
    if [.approved, .running, .over, .cancelled, .rejected].contains(state) {
      let moderator = try account("mod_\(id.suffix(8))", role: .moderator)
      let decided = decide(id, state == .rejected ? "reject" : "approve", as: moderator)
      #expect(decided.status == .ok, "\(decided.text)")
    }
    if state == .running || state == .over {
      clock.advance(by: .seconds(3 * 3_600))
      try app.mappingDays.finish()
    }
    if state == .over {
      clock.advance(by: .seconds(4 * 3_600))
      try app.mappingDays.finish()
    }
    if state == .cancelled {
      let ended = post(Self.day(id, "cancellation"), ["reason": "Rain"], as: organiser.identity)
      #expect(ended.status == .ok, "\(ended.text)")
    }
    return id
  }

  /// The decision of a moderator, about the plan as it is.
  func decide(_ id: String, _ decision: String, as moderator: TestAccount) -> TestAnswer {
    let shown = get(Self.day(id), as: moderator.identity)
    let version = (try? shown.json["version"]?.stringValue) ?? "none"
    return post(
      "/api/moderation/mapping-days/\(id)/decision",
      ["decision": .string(decision), "reason": "A test", "version": .string(version)],
      as: moderator.identity)
  }

  @discardableResult
  func join(_ id: String, _ account: TestAccount, showsName: Bool = false) -> TestAnswer {
    send(
      .put, Self.day(id, "participation"), json: ["shows_name": .bool(showsName)],
      as: account.identity)
  }

  func place(_ id: String, _ account: TestAccount) throws -> String? {
    try get(Self.day(id), as: account.identity).json["participation"]?["state"]?.stringValue
  }

  /// The templates of queued mails with the names of their readers, in order.
  func dayMails() throws -> [String] {
    try database.read { connection in
      try connection.rows(
        """
        SELECT mail.template, account.username FROM mail
        JOIN account ON account.rowid = mail.account_rowid
        WHERE mail.template LIKE 'mapping_day%' ORDER BY mail.rowid
        """
      ) { "\($0.text(0)) \($0.text(1))" }
    }
  }
}
