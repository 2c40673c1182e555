@testable import App
import JSON
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
@testable import Visits
import WebServer

extension TestApp {
  static let visits = "/api/visits"

  /// The settings of a volunteer at the place of most test devices.
  static func settings(
    _ cell: VisitCell = VisitCell(.clamped(longitude: 0.001, latitude: 0.001)), radius: Int = 3,
    _ change: (inout VolunteerSettings) -> Void = { _ in }
  ) -> VolunteerSettings {
    var settings = VolunteerSettings(cell: cell)
    settings.radius = radius
    settings.hours.weekly = (1...7).map { VisitHours.Span(weekday: $0, from: 0, to: 1_440) }
    change(&settings)
    return settings
  }

  /// Makes an account a volunteer who is always available.
  func volunteer(
    _ account: TestAccount, _ settings: VolunteerSettings = TestApp.settings()
  ) throws {
    try database.write {
      try app.visits.workflow.volunteers.put(settings, of: account.rowid, $0)
    }
  }

  /// A device that a person without a part in a visit has added.
  @discardableResult
  func visitedDevice(
    _ name: String = "Gate", longitude: Double = 0.001, latitude: Double = 0.001,
    _ change: (inout DeviceFields) -> Void = { _ in }
  ) throws -> TestDevice {
    try device(name: name, longitude: longitude, latitude: latitude, change)
  }

  func ask(
    _ device: TestDevice, _ reason: String = "still_there", as account: TestAccount
  ) -> TestAnswer {
    post(
      Self.visits, ["device": .string(device.id), "reason": .string(reason)],
      as: account.identity)
  }

  /// Asks for a visit and lets the dispatch run.
  @discardableResult
  func asked(_ device: TestDevice, as account: TestAccount) throws -> String {
    let answer = ask(device, as: account)
    #expect(answer.status == .created, "\(answer.text)")
    try app.visits.finish()
    return try answer.json["id"]?.stringValue ?? ""
  }

  /// The offer that waits for the answer of an account.
  func offer(to account: TestAccount) throws -> String? {
    try get(Self.visits + "/now", as: account.identity).json["offer"]?["id"]?.stringValue
  }

  func answer(
    _ offer: String?, _ word: String, as account: TestAccount, _ body: JSONValue? = nil
  ) -> TestAnswer {
    send(
      .post, "\(Self.visits)/offers/\(offer ?? "none")/\(word)", json: body,
      as: account.identity)
  }

  func visit(
    _ id: String, _ word: String, as account: TestAccount, _ body: JSONValue? = nil
  ) -> TestAnswer {
    send(.post, "\(Self.visits)/\(id)/\(word)", json: body, as: account.identity)
  }

  /// The state of a request in the database.
  func state(_ id: String) throws -> String? {
    try text("SELECT state FROM visit_request WHERE id = ?", [.text(id)])
  }

  /// Invariants that hold at any time.
  func checkVisits(_ place: SourceLocation = #_sourceLocation) throws {
    let faults = [
      // Two offers at once, or an offer of a request that is not offered.
      """
      SELECT count(*) FROM visit_request WHERE (state = 'offered') <> (1 =
        (SELECT count(*) FROM visit_offer WHERE request_rowid = visit_request.rowid
          AND visit_offer.state = 'pending'))
      """,
      "SELECT count(*) FROM visit_request WHERE (state IN ('done', 'closed')) <> (closed_at IS NOT NULL)",
      """
      SELECT count(*) FROM visit_request WHERE closed_at IS NULL
        AND (state IN ('accepted', 'planned')) <> (visitor_rowid IS NOT NULL)
      """,
      // A request that no job looks at is lost.
      "SELECT count(*) FROM visit_request WHERE closed_at IS NULL AND due_at IS NULL",
      "SELECT count(*) FROM visit_request WHERE (state = 'planned') AND planned_for IS NULL",
    ]
    for fault in faults { #expect(try integer(fault) == 0, "\(fault)", sourceLocation: place) }
  }
}
