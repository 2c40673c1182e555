import Foundation
import JSON
import PrivacyMap
@testable import Contributions
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// The size of a request's writes has limits as well: the largest devices, ledgers and moderation
/// actions stay within the budget of the writer.
@Suite(.serialized) struct LongestWriteTests {
  let app: TestApp
  let ana: TestAccount

  init() throws {
    app = try TestApp()
    ana = try app.account("ana")
  }

  private func expectShort(
    _ what: String, _ location: SourceLocation = #_sourceLocation, _ work: () -> Void
  ) {
    let hold = app.hold(work)
    WriterBudget.tell("\(what): \(hold)")
    #expect(hold < WriterBudget.processor, "\(what): \(hold)", sourceLocation: location)
  }

  /// A device with a value in every field, in letters that change when they are folded.
  private func fullDevice(_ letter: String, name: String) throws -> JSONValue {
    let vocabulary = app.vocabulary
    func codes(_ scheme: Scheme) -> JSONValue {
      .array(vocabulary.terms(of: scheme).map { .string($0.code) })
    }
    func text(_ count: Int) -> JSONValue { .string(String(repeating: letter, count: count)) }
    let choice: JSONValue = [
      "kind": "opt_out", "channel": "post", "target": text(500), "instructions": text(1_000),
      "deadline_days": 30, "checked_on": "2026-11-01",
    ]
    let properties: JSONValue = [
      "name": .string(name + String(repeating: letter, count: 110)), "description": text(2_000),
      "manufacturer": text(120), "model": text(120), "units": 10_000, "level": text(40),
      "height": 8_999.5, "bearings": .array((0..<36).map { .double(Double($0) * 9.5) }),
      "field_of_view": 359.5, "data_collected": codes(.data), "purposes": codes(.purposes),
      "shared_with": codes(Scheme(rawValue: "recipients")), "retention": "P1Y",
      "operator": [
        "name": text(200), "kind": "public", "contact": text(300),
        "data_protection_contact": text(300),
        "privacy_policy": .string("https://a.example/" + String(repeating: "a", count: 1_900)),
      ], "choices": .array(Array(repeating: choice, count: 20)),
      "assumed": .array(DeviceForm.assumable.sorted().prefix(60).map { .string($0) }),
      "started_on": "2020", "observed_on": "2026-11-01",
    ]
    return Sent.feature(properties)
  }

  @Test(arguments: ["W", "\u{130}", "ß", "語", "\u{1E0B}"])
  func `a device with a value in every field stays within the budget`(letter: String) throws {
    let feature = try fullDevice(letter, name: "First")
    var id = ""
    expectShort("POST of a full device in \(letter)") {
      let answer = app.add(feature, as: ana.identity)
      #expect(answer.status == .created, "\(answer.text.prefix(300))")
      id = (try? answer.json["id"]?.stringValue) ?? ""
    }
    let whole = try fullDevice("x", name: "Second")
    let tag = try app.tag(id)
    expectShort("PUT of a full device over one in \(letter)") {
      let answer = try? app.put(id, whole, tag: tag, as: ana.identity)
      #expect(answer?.status == .ok, "\(answer?.text.prefix(300) ?? "")")
    }
    let next = try app.tag(id)
    expectShort("PATCH of a full device in \(letter)") {
      let answer = try? app.patch(
        id, ["properties": feature["properties"] ?? [:]], tag: next, as: ana.identity)
      #expect(answer?.status == .ok, "\(answer?.text.prefix(300) ?? "")")
    }
    expectShort("restoring a revision in \(letter)") {
      let answer = app.send(
        .post, Path.item(id) + "/history/2/restore",
        headers: ["If-Match": (try? app.tag(id)) ?? ""], json: [:], as: ana.identity)
      #expect(answer.status == .ok, "\(answer.text.prefix(300))")
    }
  }

  @Test func `importing a ledger of the largest size stays within the budget`() throws {
    let device = try app.device(.cameraFixed, name: "Over the door").id
    let long = String(repeating: "\u{130}", count: 1_900)
    let events: [JSONValue] = ["sent", "acknowledged", "refused", "complained", "withdrawn"].map {
      ["event": .string($0), "at": "2026-10-01T12:00:00Z", "reason": "legal", "channel": "email"]
    }
    let choices = (0..<200).map { number -> JSONValue in
      [
        "id": .string("01935f6e-0000-7000-8000-" + String(1_000_000_000_00 + number)),
        "device": ["id": .string(device)], "kind": "access", "country": "PT",
        "note": .string(long), "events": .array(Array(events.prefix(3))),
      ]
    }
    var imported = 0
    expectShort("an import of 200 choices") {
      let answer = app.send(
        .post, "/api/choices/import", json: ["choices": .array(choices)], as: ana.identity)
      imported = (try? answer.json["imported"]?.arrayValue)?.count ?? 0
      #expect(answer.status == .ok && imported == 200, "\(answer.text.prefix(500))")
    }
  }

  /// A person with many contributions: devices, edits of others' devices, photos and verdicts.
  private func busy(_ count: Int) throws -> TestAccount {
    let busy = try app.account("busy")
    for number in 0..<count {
      let own = try app.device(
        by: busy, name: "Number \(number)", longitude: Double(number % 170), latitude: 10)
      _ = try app.photo(of: own, by: busy)
      let other = try app.device(
        by: ana, name: "Other \(number)", longitude: Double(number % 170), latitude: 20)
      try app.edit(other, by: busy, "description", .text("Changed"))
      _ = try app.verdict(on: other, by: busy)
    }
    return busy
  }

  @Test func `reverting a busy person and undoing it stays within the budget`() throws {
    let busy = try busy(150)
    let moderator = try app.account("mod", role: .moderator)
    var act = ""
    expectShort("revert of 300 devices, 150 photos and 150 verdicts") {
      let answer = app.act(
        "revert", "account", busy.id, more: [("all", true)], as: moderator.identity)
      #expect(answer.status == .ok, "\(answer.text)")
      act = (try? answer.json["id"]?.stringValue) ?? ""
    }
    expectShort("undoing that") {
      let answer = app.send(
        .post, "/api/moderation/actions/\(act)/undo", json: ["reason": "a second thought"],
        as: moderator.identity)
      #expect(answer.status == .ok, "\(answer.text)")
    }
  }

  @Test func `deleting the account of a busy person stays within the budget`() throws {
    let busy = try busy(150)
    expectShort("deleting an account with 300 contributions") {
      let answer = app.send(
        .delete, "/api/account", json: ["password": .string(TestAccount.password)],
        as: busy.identity)
      #expect(answer.status == .noContent, "\(answer.text)")
    }
  }

  @Test func `merging and deleting a device with many verdicts stays within the budget`() throws {
    let one = try app.device(by: ana, name: "One")
    let other = try app.device(by: ana, name: "Other")
    let moderator = try app.account("mod", role: .admin)
    try app.database.write { connection in
      for number in 0..<200 {
        try connection.execute(
          """
          INSERT INTO account (rowid, id, username, username_key, email, email_key, password_hash,
            locale, role, created_at, terms_accepted_at, confirmed_at, accepted_edits)
          VALUES ((SELECT last + 1 FROM account_number), ?3, ?1, ?1, ?1, ?1, '$argon2id$', 'en',
            'contributor', ?2, ?2, ?2, 10)
          """,
          [
            .text("people\(number)"), .text(app.clock.now.text),
            .text(app.environment.newDeviceID().text),
          ])
        try connection.execute(
          """
          INSERT INTO verdict (device_rowid, claim, account_rowid, verdict, basis, counts, made_at)
          VALUES (?, 'present', ?, 'confirm', 'seen', 1, ?)
          """,
          [.integer(one.rowid), .integer(connection.lastInsertedRowID), .text(app.clock.now.text)])
      }
    }
    expectShort("merging a device with 200 verdicts") {
      let answer = app.act(
        "merge", "device", one.id, more: [("into", .string(other.id))], as: moderator.identity)
      #expect(answer.status == .ok, "\(answer.text)")
    }
    expectShort("deleting a device with 200 verdicts by its name") {
      let answer = app.send(
        .post, "/api/admin/deletions",
        json: ["name": "Other", "confirm": true, "reason": "a good reason"], as: moderator.identity)
      #expect(answer.status == .ok, "\(answer.text)")
    }
  }

  @Test func `previewing a hundred devices of one name stays within the budget`() throws {
    for number in 0..<120 {
      _ = try app.device(by: ana, name: "Same", longitude: Double(number), latitude: 0)
    }
    let admin = try app.account("root", role: .admin)
    expectShort("a look at 100 devices of one name") {
      let answer = app.send(
        .post, "/api/admin/deletions", json: ["name": "Same"], as: admin.identity)
      #expect(answer.status == .ok, "\(answer.text)")
    }
  }

  @Test func `erasing an organisation with many devices stays within the budget`() throws {
    let owner = try app.account("owner", role: .operator)
    let scene = try AccessScene(app, .admin)
    _ = try scene.organisation(of: owner)
    for number in 0..<300 {
      let device = try app.device(by: ana, longitude: Double(number % 170), latitude: 30)
      try app.database.write { connection in
        try connection.execute(
          """
          INSERT INTO organisation_claim (id, device_rowid, organisation_rowid, state, made_at)
          SELECT ?, ?, max(rowid), 'standing', ? FROM organisation
          """,
          [
            .text(app.environment.newDeviceID().text), .integer(device.rowid),
            .text(app.clock.now.text),
          ])
      }
    }
    expectShort("erasing an organisation that answers for 300 devices") {
      let answer = app.send(.delete, "/api/operators/mine", as: owner.identity)
      #expect(answer.status == .noContent, "\(answer.text)")
    }
  }
}
