@testable import App
import JSON
import PrivacyMap
@testable import Rights
@testable import Service
import SpatialDatabase
import Testing
@testable import Watching
import WebServer

/// Attempts to learn from watches whose figures about requests changed.
@Suite struct OutcomeWatchTests {
  /// A town with published figures about two operators. Eva watches both operators.
  private func watched() throws -> (town: Town, devices: [String]) {
    let town = try Town()
    let devices = try ["Alpha", "Beta"].map { try town.device("camera_ptz", of: $0) }
    for device in devices { try town.ask(town.people(12), about: device) }
    try town.publish()
    let eva = try town.app.account("eva")
    for name in ["Alpha", "Beta"] {
      try town.app.watch(
        [
          "label": .string(name), "area": ["type": "operator", "operator": .string(name)],
          "events": ["outcome"], "feed": true,
        ], of: eva)
    }
    return (town, devices)
  }

  /// The labels of the watches with news about figures, in order.
  private func reported(_ town: Town) throws -> [String] {
    try town.app.app.watches.reported().filter { $0.text == "outcome" }.map(\.label)
  }

  @Test func `news come on Mondays for all operators, whether or not their people changed`() throws
  {
    let (town, devices) = try watched()
    let before = try reported(town)
    try town.publish()
    let quiet = try reported(town).dropFirst(before.count)
    #expect(quiet.sorted() == ["Alpha", "Beta"])
    try town.ask(town.people(10), about: devices[0])
    try town.publish()
    #expect(try town.asked("Alpha") == 20)
    #expect(try town.asked("Beta") == 10)
    let busy = try reported(town).dropFirst(before.count + quiet.count)
    #expect(busy.sorted() == ["Alpha", "Beta"])
  }

  @Test func `a watch does not reveal a change that rounding hides`() throws {
    // Ten people leave and ten others join: the rounded number stays.
    let (town, devices) = try watched()
    let before = try reported(town)
    try town.app.database.write { connection in
      try connection.execute(
        """
        DELETE FROM choice WHERE account_rowid IN (
          SELECT account_rowid FROM choice ORDER BY account_rowid LIMIT 10)
        """)
    }
    try town.ask(town.people(10), about: devices[0])
    let numbers = try town.numbers()
    let members = try town.app.count("outcome_member")
    try town.publish()
    #expect(try town.numbers() == numbers)
    #expect(try town.app.count("outcome_member") == members)
    #expect(try reported(town).dropFirst(before.count).sorted() == ["Alpha", "Beta"])
  }

  @Test func `a new spelling in a request does not change a published name`() throws {
    let (town, _) = try watched()
    let spelt = try town.device("camera_ptz", of: "ALPHA")
    try town.ask(town.people(1), about: spelt)
    try town.publish()
    #expect(try town.outcomes(by: "operator")["Alpha"] != nil)
  }
}
