import JSON
@testable import Operations
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// Actions on photos, with their pictures.
@Suite(.enabled(if: try ImageProgram.isThere())) struct PhotoActTests {
  let app: TestApp
  let moderator: TestAccount
  let ana: TestAccount
  let device: String
  let photo: String

  init() throws {
    app = try TestApp()
    moderator = try app.account("mod", role: .moderator)
    ana = try app.account("ana")
    device = try app.added(as: ana)
    photo = try app.photo(of: device, as: ana)
  }

  private static let half: JSONValue = ["x": 0, "y": 0, "width": 0.5, "height": 1]

  private func redact(_ regions: JSONValue? = [half]) -> TestAnswer {
    app.act(
      "redact", "photo", photo, more: regions.map { [("regions", $0)] } ?? [],
      reason: "Shows a face", as: moderator.identity)
  }

  private var picture: [UInt8] { app.get(Path.photo(photo)).bytes }

  @Test func `parts of a photo are redacted, and author and reporters notified`()
    throws
  {
    let rui = try app.account("rui")
    app.flag("photo", photo, reason: "personal_data", as: rui.identity)
    let open = picture

    let answer = redact()

    #expect(answer.status == .ok, "\(answer.text)")
    #expect(picture != open)
    #expect(
      try app.audit() == [["redact", "photo \(photo)", "\(moderator.rowid)", "Shows a face"]])
    #expect(try app.text("SELECT outcome FROM flag") == "upheld")
    let mails = try app.mails
    #expect(Set(mails.map(\.address)) == ["ana@example.org", "rui@example.org"])
    let reported = try #require(mails.first { $0.address == "ana@example.org" })
    #expect(
      reported.arguments["decision"]?.stringValue
        == "Parts of a photo that you added were blacked out.")
  }

  @Test func `a new moderator cannot restore the redacted parts of their own photo`()
    throws
  {
    let answer = redact()
    let redacted = picture
    try app.database.write { connection in
      try connection.execute(
        """
        UPDATE account SET role = 'moderator', totp_secret = randomblob(20),
          totp_confirmed_at = created_at
        WHERE rowid = ?
        """, [.integer(ana.rowid)])
    }
    #expect(try app.undo(answer, as: ana.identity).status == .forbidden)
    #expect(picture == redacted)
    #expect(try app.audit().map { $0[0] } == ["redact"])
  }

  @Test func `a redaction can be undone`() throws {
    let open = picture
    let answer = redact()
    #expect(try app.undo(answer, as: moderator.identity).status == .ok)
    #expect(picture == open)
    #expect(try app.undo(answer, as: moderator.identity).status == .conflict)
  }

  @Test(
    arguments: [
      nil, [], ["all"], [["x": 0, "y": 0, "width": 0, "height": 1]],
      [["x": 0, "y": 0, "width": 2, "height": 1]],
    ] as [JSONValue?])
  func `without valid parts nothing is redacted`(regions: JSONValue?) throws {
    let open = picture
    let answer = redact(regions)
    #expect([.badRequest, .unprocessableContent].contains(answer.status))
    #expect(try answer.fields == ["target.regions"])
    #expect(picture == open)
    #expect(try app.audit().isEmpty)
  }

  @Test func `a deleted photo returns 404 for moderators too`() throws {
    _ = app.send(.delete, Path.photo(photo), as: ana.identity)
    #expect(redact().status == .gone)
    #expect(try app.audit().isEmpty)
  }

  @Test func `an added photo is reverted with its revision, and restored`() throws {
    let answer = app.act(
      "revert", "device", device, more: [("revision", 2)], as: moderator.identity)
    #expect(answer.status == .ok, "\(answer.text)")
    #expect(try app.shownPhotos(device).isEmpty)
    #expect(try app.undo(answer, as: moderator.identity).status == .ok)
    #expect(try app.shownPhotos(device).count == 1)
  }

  @Test func `reverting all contributions includes photos, and undoing restores them`() throws {
    let foreign = try app.added(longitude: 8, as: moderator)
    let other = try app.photo(of: foreign, as: ana)
    let answer = app.act("revert", "account", ana.id, more: [("all", true)], as: moderator.identity)
    #expect(answer.status == .ok)
    #expect(try app.shownPhotos(foreign).isEmpty)
    #expect(app.seeing(other) != .ok)
    #expect(try app.undo(answer, as: moderator.identity).status == .ok)
    #expect(try app.shownPhotos(foreign).count == 1)
    #expect(app.seeing(other) == .ok)
    #expect(app.seeing(photo) == .ok)
  }

  @Test func `photos move with a merge, recorded in the history, and back`() throws {
    let other = try app.added(longitude: 8, as: moderator)
    let answer = app.act(
      "merge", "device", device, more: [("into", .string(other))], as: moderator.identity)
    #expect(answer.status == .ok, "\(answer.text)")
    #expect(try app.shownPhotos(other).count == 1)
    #expect(app.seeing(photo) == .ok)
    let revision = try app.get(Path.item(other) + "/history/2").json
    #expect(revision["kind"]?.stringValue == "merge")
    #expect(revision["changed"] == ["photos"])
    #expect(try app.undo(answer, as: moderator.identity).status == .ok)
    #expect(try app.shownPhotos(other).isEmpty)
    #expect(try app.shownPhotos(device).count == 1)
    #expect(try IndexCheck(database: app.database).findings().isEmpty)
  }
}
