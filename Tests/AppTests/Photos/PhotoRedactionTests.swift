@testable import App
@testable import DevicePhotos
@testable import Devices
import JSON
@testable import Pictures
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// Parts of a photo redacted by a moderator.
@Suite(.enabled(if: try ImageProgram.isThere())) struct PhotoRedactionTests {
  let app: TestApp
  let ben: TestAccount
  let moderator: TestAccount
  let device: String
  let photo: String
  let half = [PhotoRegion(x: 0, y: 0, width: 0.5, height: 1)]

  init() throws {
    app = try TestApp()
    ben = try app.account("ben")
    moderator = try app.account("mod", role: .moderator)
    device = try app.added(as: ben)
    photo = try app.photo(of: device, as: ben)
  }

  private var caller: Caller {
    get throws {
      Caller(
        principal: Principal(
          account: moderator.rowid, id: moderator.id, username: "mod", role: .moderator,
          locale: "en", isConfirmed: true, isSuspended: false, hasSecondFactor: true,
          isNew: false, isYoung: false,
          credential: .token(rowid: 0, scopes: [.moderate, .read], token: "")))
    }
  }

  private func redact(_ regions: [PhotoRegion]) throws -> JSONValue {
    let redaction = PhotoRedaction(photos: app.app.photos)
    let prepared = try redaction.prepare(photo, regions, for: try caller)
    return try app.app.write { try redaction.carryOut(prepared, $0) }
  }

  private func address() throws -> String {
    try #require(try app.shownPhotos(device)[0]["url"]?.stringValue)
  }

  @Test func `redacted content is never served, not even at the old address`() throws {
    let before = try address()
    let open = app.send(target: before).bytes
    let tag = try app.tag(device)
    _ = try redact(half)
    #expect(try address() != before)
    #expect(try app.tag(device) != tag)
    for identity in [Identity.visitor, ben.identity, moderator.identity] {
      for query in ["?v=1", "?v=2", ""] {
        #expect(app.send(target: Path.photo(photo) + query, as: identity).bytes != open)
      }
    }
    // Not a revision: the values of the device are the same.
    #expect(try app.integer("SELECT max(number) FROM revision") == 2)
  }

  @Test func `redacted content returns only when the action is undone`() throws {
    let open = app.send(target: try address()).bytes
    let first = try redact(half)
    let second = try redact([PhotoRegion(x: 0.5, y: 0, width: 0.5, height: 1)])
    // The history leads to the photo, and not to its earlier content.
    _ = app.send(.delete, Path.photo(photo), as: ben.identity)
    #expect(
      app.send(
        .post, Path.item(device) + "/history/2/restore",
        headers: ["If-Match": try app.tag(device)], json: [:], as: ben.identity
      ).status == .ok)
    #expect(app.send(target: try address()).bytes != open)

    let redaction = PhotoRedaction(photos: app.app.photos)
    try app.app.write { try redaction.takeBack(second, of: photo, $0) }
    #expect(app.send(target: try address()).bytes != open)
    try app.app.write { try redaction.takeBack(first, of: photo, $0) }
    #expect(app.send(target: try address()).bytes == open)
  }

  @Test func `restoring a revision brings back no picture from before a redaction`() throws {
    let open = app.send(target: try address()).bytes
    _ = try redact(half)
    #expect(
      app.form(.put, Path.photo(photo), [("image", TestPicture.blue)], as: ben.identity).status
        == .ok)
    #expect(
      app.send(
        .post, Path.item(device) + "/history/2/restore",
        headers: ["If-Match": try app.tag(device)], json: [:], as: ben.identity
      ).status == .ok)
    #expect(app.send(target: try address()).bytes != open)
  }

  @Test func `a photo that changed since is not redacted unseen`() throws {
    let redaction = PhotoRedaction(photos: app.app.photos)
    let prepared = try redaction.prepare(photo, half, for: try caller)
    _ = app.form(.put, Path.photo(photo), [("image", TestPicture.blue)], as: ben.identity)
    #expect(throws: Refusal.self) {
      try app.app.write { try redaction.carryOut(prepared, $0) }
    }
    redaction.discard(prepared)
    #expect(app.pictureFiles.count == 2)
  }

  @Test func `redacted content is erased after thirty days`() throws {
    let undo = try redact(half)
    #expect(app.pictureFiles.count == 2)
    app.clock.advance(by: .seconds(30 * 86_400))
    try app.sweep()
    #expect(app.pictureFiles.count == 1)
    #expect(app.seeing(photo) == .ok)
    #expect(throws: Refusal.self) {
      try app.app.write { try PhotoRedaction(photos: app.app.photos).takeBack(undo, of: photo, $0) }
    }
  }

  @Test(
    arguments: [
      [], [["x": 0, "y": 0, "width": 1]], [["x": 0, "y": 0, "width": 0, "height": 1]],
      [["x": -0.1, "y": 0, "width": 1, "height": 1]],
      [["x": 0, "y": 0, "width": 1.1, "height": 1]],
      [["x": "0", "y": 0, "width": 1, "height": 1]],
      [["x": 0, "y": 0, "width": 1, "height": 1, "z": 1]], ["all"],
      .array(
        [JSONValue](repeating: ["x": 0, "y": 0, "width": 1, "height": 1], count: 33)),
    ] as [JSONValue])
  func `invalid parts are refused`(regions: JSONValue) throws {
    var body = try RequestBody(JSONObject([("regions", regions)]), ["regions"], prefix: "")
    #expect(body.photoRegions("regions").isEmpty)
    let sent = body
    #expect(throws: InvalidInput.self) { try sent.check() }
  }

  @Test func `parts are read as they were drawn`() throws {
    let regions: JSONValue = [
      ["x": 0, "y": 0.25, "width": 1, "height": 0.5],
      ["x": 0.5, "y": 0, "width": 0.5, "height": 1],
    ]
    var body = try RequestBody(JSONObject([("regions", regions)]), ["regions"], prefix: "")
    #expect(
      body.photoRegions("regions") == [
        PhotoRegion(x: 0, y: 0.25, width: 1, height: 0.5),
        PhotoRegion(x: 0.5, y: 0, width: 0.5, height: 1),
      ])
    try body.check()
  }
}
