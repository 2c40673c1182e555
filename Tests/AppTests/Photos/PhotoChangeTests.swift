@testable import App
@testable import DevicePhotos
@testable import Devices
import JSON
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// `PATCH`, `PUT` and `DELETE /api/photos/{id}`, and restoring.
@Suite(.enabled(if: try ImageProgram.isThere())) struct PhotoChangeTests {
  let app: TestApp
  let ana: TestAccount
  let ben: TestAccount
  let moderator: TestAccount
  let device: String

  init() throws {
    app = try TestApp()
    ana = try app.account("ana")
    ben = try app.account("ben")
    moderator = try app.account("mod", role: .moderator)
    device = try app.added(as: ana)
  }

  private func alts() throws -> [String] {
    try app.shownPhotos(device).compactMap { $0["alt"]?.stringValue }
  }

  private func restore(_ revision: Int, as account: TestAccount) throws -> Status {
    app.send(
      .post, Path.item(device) + "/history/\(revision)/restore",
      headers: ["If-Match": try app.tag(device, as: account.identity)], json: [:],
      as: account.identity
    ).status
  }

  @Test func `caption and order are changed by the author and by moderators only`() throws {
    let one = try app.photo(alt: "one", of: device, as: ben)
    _ = try app.photo(alt: "two", of: device, as: ben)
    let answer = app.send(
      .patch, Path.photo(one), json: ["alt": "first", "position": 2], as: ben.identity)
    #expect(answer.status == .ok, "\(answer.text)")
    #expect(try alts() == ["two", "first"])
    #expect(try app.get(Path.item(device) + "/history/4").json["changed"] == ["photos"])
    let foreign = app.send(.patch, Path.photo(one), json: ["alt": "mine"], as: ana.identity)
    #expect(foreign.status == .forbidden)
    #expect(
      app.send(.patch, Path.photo(one), json: ["alt": "seen"], as: moderator.identity).status
        == .ok)
    #expect(
      app.send(.patch, Path.photo(one), json: ["position": 1], as: ben.identity).status == .ok)
    #expect(try alts() == ["seen", "two"])
    #expect(
      app.send(.patch, Path.photo(one), json: ["alt": .null], as: ben.identity).status == .ok)
    #expect(try alts() == ["", "two"])
  }

  @Test(
    arguments: [
      (["alt": 5], 400), (["other": 1], 400), (["position": 0], 422), (["position": "1"], 400),
      (["alt": .string(String(repeating: "a", count: 301))], 422),
      (["alt": "a\u{202E}"], 422),
    ] as [(JSONValue, Int)])
  func `invalid fields of a photo are refused`(body: JSONValue, status: Int) throws {
    let id = try app.photo(of: device, as: ben)
    #expect(app.send(.patch, Path.photo(id), json: body, as: ben.identity).status.code == status)
  }

  @Test func `a patch without a change is not a revision`() throws {
    let id = try app.photo(alt: "one", of: device, as: ben)
    let tag = try app.tag(device)
    let answer = app.send(
      .patch, Path.photo(id), json: ["alt": "one", "position": 1], as: ben.identity)
    #expect(answer.status == .ok)
    #expect(try app.tag(device) == tag)
    let version = try answer.json["device"]
    #expect(version?["revision_before"] == 2 && version?["revision"] == 2)
    #expect(version?["etag"]?.stringValue == tag)
  }

  @Test func `users with a photo at the device may order all photos`() throws {
    let one = try app.photo(alt: "one", of: device, as: ben)
    let two = try app.photo(alt: "two", of: device, as: ana)
    func order(_ ids: [String], as account: TestAccount) -> TestAnswer {
      app.send(
        .put, Path.photos(device), json: ["photos": .array(ids.map { .string($0) })],
        as: account.identity)
    }
    let ordered = order([two, one], as: ben)
    #expect(ordered.status == .ok)
    #expect(try ordered.json["device"]?["etag"]?.stringValue == app.tag(device))
    #expect(try alts() == ["two", "one"])
    #expect(order([one, two], as: moderator).status == .ok)
    #expect(try alts() == ["one", "two"])
    #expect(order([two, one], as: try app.account("eva")).status == .forbidden)
    #expect(order([one], as: ben).status == .conflict)
    #expect(order([one, "other"], as: ben).status == .conflict)
    #expect(order([one, one], as: ben).status == .badRequest)
    let newAccount = try app.account("nova", isNew: true)
    _ = try app.photo(alt: "waits", of: device, as: newAccount)
    // A photo that is invisible to them does not prevent that.
    #expect(order([two, one], as: ben).status == .ok)
    #expect(try alts() == ["two", "one"])
  }

  @Test func `a deleted photo is gone for all, and its author can restore it`() throws {
    let id = try app.photo(alt: "one", of: device, as: ben)
    #expect(app.send(.delete, Path.photo(id), as: ana.identity).status == .forbidden)
    let gone = app.send(.delete, Path.photo(id), as: ben.identity)
    #expect(gone.status == .ok)
    #expect(try gone.json["device"]?["etag"]?.stringValue == app.tag(device))
    #expect(try app.shownPhotos(device).isEmpty)
    for identity in [Identity.visitor, ben.identity, moderator.identity] {
      let answer = app.get(Path.photo(id), as: identity)
      #expect(answer.status == .gone)
      #expect(try answer.json["deleted_at"] != nil)
    }
    #expect(app.send(.delete, Path.photo(id), as: ben.identity).status == .gone)
    // The history keeps no text of a deleted photo.
    #expect(!app.get(Path.item(device) + "/history/3").text.contains("\"one\""))

    let past = app.get(Path.item(device) + "/history/2")
    let check = SchemaCheck(document: try app.get("/api/openapi.json").json)
    #expect(
      check.faults(of: try past.json, against: ["$ref": "#/components/schemas/revision"]) == [])

    #expect(try restore(2, as: ana) == .ok)
    #expect(try app.shownPhotos(device).isEmpty)
    #expect(try restore(2, as: ben) == .ok)
    #expect(try alts() == ["one"])
    #expect(app.seeing(id) == .ok)
  }

  @Test func `a photo hidden by a moderator stays hidden after deletion and restoring`() throws {
    let id = try app.photo(of: device, as: ben)
    try app.app.write { connection in
      let photo = try connection.integer("SELECT rowid FROM photo") ?? 0
      try PhotoStates(map: app.app.map).set(photo, to: "hidden", connection)
    }
    #expect(app.seeing(id) == .notFound)
    #expect(app.seeing(id, as: ben.identity) == .ok)
    #expect(app.send(.delete, Path.photo(id), as: ben.identity).status == .ok)
    #expect(app.seeing(id) == .notFound)
    #expect(try restore(2, as: ben) == .ok)
    #expect(app.seeing(id) == .notFound)
    #expect(app.seeing(id, as: ben.identity) == .ok)
  }

  @Test func `restoring a revision keeps photos that were added later`() throws {
    let id = try app.photo(alt: "one", of: device, as: ben)
    _ = try app.patch(device, ["properties": ["name": "Second"]], as: ana.identity)
    #expect(try restore(1, as: ana) == .ok)
    #expect(try app.get(Path.item(device)).property("name") == "A camera")
    #expect(try app.shownPhotos(device).count == 1)
    #expect(app.seeing(id) == .ok)
  }

  @Test func `a replaced picture can be restored`() throws {
    let id = try app.photo(TestPicture.red, alt: "one", of: device, as: ben)
    let before = try #require(try app.shownPhotos(device)[0]["url"]?.stringValue)
    let red = app.send(target: before).bytes
    func replace(as account: TestAccount) -> TestAnswer {
      app.form(
        .put, Path.photo(id), [("image", TestPicture.blue)], as: account.identity)
    }
    #expect(replace(as: ana).status == .forbidden)
    #expect(replace(as: ben).status == .ok, "\(app.log.lines)")
    let after = try #require(try app.shownPhotos(device)[0]["url"]?.stringValue)
    #expect(after != before)
    #expect(try alts() == ["one"])
    let blue = app.send(target: after)
    #expect(blue.bytes != red)
    // The address of the earlier picture redirects to the current one, and is not cached.
    let old = app.send(target: before)
    #expect(old.bytes == blue.bytes)
    #expect(old.headers["Cache-Control"] == "public, max-age=0, must-revalidate")

    #expect(try restore(2, as: ben) == .ok)
    #expect(app.send(target: before).bytes == red)
    #expect(try app.shownPhotos(device)[0]["url"]?.stringValue == before)
    #expect(app.pictureFiles.count == 2)
  }

  @Test func `a replacement picture of a new account waits, like its first`() throws {
    let newAccount = try app.account("nova", isNew: true)
    let id = try app.photo(of: device, as: newAccount)
    try app.app.write { connection in
      let photo = try connection.integer("SELECT rowid FROM photo") ?? 0
      try PhotoStates(map: app.app.map).publish(photo, connection)
      try connection.execute("UPDATE review SET outcome = 'accepted'")
    }
    #expect(
      app.form(.put, Path.photo(id), [("image", TestPicture.blue)], as: newAccount.identity).status
        == .ok)
    #expect(app.seeing(id) == .notFound)
    #expect(
      try app.integer("SELECT count(*) FROM review WHERE kind = 'photo' AND outcome IS NULL") == 1)
  }

  @Test func `photos are not changed through the device`() throws {
    _ = try app.photo(alt: "one", of: device, as: ben)
    let whole = try app.get(Path.item(device)).json
    let put = try app.put(
      device, whole.setting("properties", "photos", to: []), as: ana.identity)
    #expect(put.status == .ok)
    #expect(try alts() == ["one"])
    let patch = try app.patch(device, ["properties": ["photos": []]], as: ana.identity)
    #expect(patch.status == .unprocessableContent)
  }
}
