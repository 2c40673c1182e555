@testable import App
@testable import DevicePhotos
@testable import Devices
import Foundation
import JSON
@testable import Pictures
@testable import Service
import SpatialDatabase
import TestClient
import Testing
import WebServer

/// `POST …/items/{id}/photos`: accepted files, the stored pictures, and their visibility.
@Suite(.enabled(if: try ImageProgram.isThere())) struct PhotoAddingTests {
  let app: TestApp
  let ana: TestAccount
  let ben: TestAccount
  let device: String

  init() throws {
    app = try TestApp()
    ana = try app.account("ana")
    ben = try app.account("ben")
    device = try app.added(as: ana)
  }

  @Test func `a moderator may change a photo of another, which is not theirs`() throws {
    let added = app.sendPhoto(TestPicture.laden, alt: "A camera", to: device, as: ben.identity)
    try #require(added.status == .created, "\(added.text)")
    let path = Path.item(device) + "/photos"
    func members(_ identity: Identity) throws -> [JSONValue?] {
      let photo = try app.get(path, as: identity).json["photos"]?[0]
      return [photo?["mine"], photo?["editable"]]
    }
    let (mia, boss) = (
      try app.account("mia", role: .moderator), try app.account("boss", role: .admin)
    )
    #expect(try members(ben.identity) == [true, true])
    #expect(try members(ana.identity) == [false, false])
    #expect(try members(mia.identity) == [false, true])
    #expect(try members(boss.identity) == [false, true])
    #expect(try members(.visitor) == [false, false])
  }

  @Test func `a photo is public, encoded anew`() throws {
    let answer = app.sendPhoto(
      TestPicture.laden, alt: "  A camera\r\nover a door ", to: device, as: ben.identity)
    #expect(answer.status == .created, "\(answer.text)")
    let photo = try answer.json
    let id = try #require(photo["id"]?.stringValue)
    #expect(answer.headers["Location"] == "\(TestApp.address)/api/photos/\(id)")
    #expect(photo["alt"] == "A camera over a door")
    #expect(photo["width"] == 64 && photo["height"] == 48)
    #expect(photo["state"] == "public" && photo["mine"] == true)
    #expect(photo["editable"] == true)

    let shown = try app.shownPhotos(device)
    #expect(shown.count == 1)
    #expect(shown[0]["id"]?.stringValue == id)
    #expect(
      Set(shown[0].objectValue?.members.map(\.key) ?? []) == [
        "id", "alt", "width", "height", "url", "thumb",
      ])
    for name in ["url", "thumb"] {
      let picture = app.send(target: try #require(shown[0][name]?.stringValue))
      #expect(picture.status == .ok)
      #expect(picture.headers["Content-Type"] == "image/jpeg")
      #expect(picture.bytes.starts(with: [0xFF, 0xD8, 0xFF]))
      #expect(!String(decoding: picture.bytes, as: UTF8.self).contains("SECRET"))
      #expect(!String(decoding: picture.bytes, as: UTF8.self).contains("Exif"))
    }
    // The uploaded file is stored nowhere.
    #expect(app.pictureFiles.count == 1)
    #expect(app.log.lines.isEmpty)
  }

  @Test(arguments: [
    TestPicture.red, TestPicture.png, TestPicture.webp, TestPicture.heif,
  ])
  func `each accepted kind of picture becomes a JPEG`(picture: [UInt8]) throws {
    let answer = app.sendPhoto(picture, to: device, as: ben.identity)
    #expect(answer.status == .created, "\(answer.text)")
    #expect(try answer.json["width"] == 64)
    #expect(try answer.json["height"] == 48)
    let url = try #require(try answer.json["url"]?.stringValue)
    #expect(app.send(target: url).bytes.starts(with: [0xFF, 0xD8, 0xFF]))
  }

  @Test func `a photo is a revision of its device`() throws {
    let before = try app.tag(device)
    let id = try app.photo(of: device, as: ben)
    #expect(try app.tag(device) != before)
    let revision = try app.get(Path.item(device) + "/history/2").json
    #expect(revision["kind"] == "edit" && revision["author"] == "ben")
    #expect(revision["changed"] == ["photos"])
    #expect(
      revision["changes"] == [
        [
          "field": "photos", "before": [],
          "after": [["id": .string(id), "alt": "A door"]],
        ]
      ])
  }

  @Test func `the response to an editor has the version to continue with`() throws {
    let before = try app.tag(device)
    let answer = app.sendPhoto(to: device, as: ana.identity)
    let version = try #require(try answer.json["device"])
    #expect(version["id"]?.stringValue == device)
    #expect(version["revision_before"] == 1 && version["revision"] == 2)
    let stale = try app.patch(
      device, ["properties": ["name": "Late"]], tag: before, as: ana.identity)
    #expect(stale.status == .preconditionFailed)
    #expect(try stale.json["etag"] == version["etag"])
    let tag = try #require(version["etag"]?.stringValue)
    #expect(try app.tag(device) == tag)
    let edit = try app.patch(
      device, ["properties": ["name": "In time"]], tag: tag, as: ana.identity)
    #expect(edit.status == .ok)
    #expect(try app.shownPhotos(device).count == 1)
  }

  @Test func `a photo does not hide another user's concurrent change`() throws {
    _ = try app.patch(device, ["properties": ["name": "By Ben"]], as: ben.identity)
    // A client with the first revision learns that this photo came after the second.
    let version = try app.sendPhoto(to: device, as: ana.identity).json["device"]
    #expect(version?["revision_before"] == 2 && version?["revision"] == 3)
  }

  @Test func `a photo of a new account is visible to author and moderators until review`() throws {
    let newAccount = try app.account("nova", isNew: true)
    let moderator = try app.account("mod", role: .moderator)
    let id = try app.photo(of: device, as: newAccount)
    #expect(try app.shownPhotos(device).isEmpty)
    #expect(app.seeing(id) == .notFound)
    #expect(app.seeing(id, as: ana.identity) == .notFound)
    for identity in [newAccount.identity, moderator.identity] {
      let picture = app.get(Path.photo(id), as: identity)
      #expect(picture.status == .ok)
      #expect(picture.headers["Cache-Control"] == "private, no-store")
      #expect(picture.headers["Cross-Origin-Resource-Policy"] == "same-origin")
      let seen = try app.get(Path.photos(device), as: identity).json["photos"]?.arrayValue
      #expect(seen?.count == 1 && seen?[0]["state"] == "waiting")
    }
    #expect(try app.get(Path.photos(device)).json["photos"] == [])
    let history = app.get(Path.item(device) + "/history/2").text
    #expect(!history.contains(id) && !history.contains("A door"))
    #expect(try app.integer("SELECT count(*) FROM review WHERE kind = 'photo'") == 1)

    try app.app.write { connection in
      let photo = try connection.integer("SELECT rowid FROM photo") ?? 0
      try PhotoStates(map: app.app.map).publish(photo, connection)
    }
    #expect(try app.shownPhotos(device).count == 1)
    #expect(app.seeing(id) == .ok)
  }

  @Test(arguments: [
    ("<svg xmlns='http://www.w3.org/2000/svg'/>", Status.unsupportedMediaType),
    ("<html><script>alert(1)</script></html>", .unsupportedMediaType),
    ("GIF89a;", .unsupportedMediaType), ("", .unsupportedMediaType),
    ("\u{89}PNG", .unsupportedMediaType),
  ])
  func `a file that is not a picture is refused and leaves nothing behind`(
    text: String, status: Status
  ) throws {
    let answer = app.sendPhoto(Array(text.utf8), to: device, as: ben.identity)
    #expect(answer.status == status)
    #expect(try answer.fields == ["image"])
    #expect(app.pictureFiles.isEmpty)
    #expect(try app.integer("SELECT count(*) FROM photo") == 0)
    #expect(try app.integer("SELECT count(*) FROM media_file") == 0)
    #expect(try app.integer("SELECT count(*) FROM revision") == 1)
  }

  @Test func `a truncated picture returns 422 and one of too many bytes 413`() throws {
    let cut = app.sendPhoto(Array(TestPicture.red.prefix(200)), to: device, as: ben.identity)
    #expect(cut.status == .unprocessableContent)
    #expect(try cut.fields == ["image"])
    let padding = [UInt8](repeating: 0, count: Photos.maxPictureSize + 1 - TestPicture.red.count)
    let long = app.sendPhoto(TestPicture.red + padding, to: device, as: ben.identity)
    #expect(long.status == .contentTooLarge)
    #expect(try long.fields == ["image"])
    let full = app.sendPhoto(TestPicture.red + padding.dropLast(), to: device, as: ben.identity)
    #expect(full.status == .created)
  }

  @Test func `a form is read strictly`() throws {
    func status(_ fields: [(String, [UInt8])], type: String? = nil) -> Status {
      app.form(
        .post, Path.photos(device), fields, headers: type.map { ["Content-Type": $0] } ?? [:],
        as: ben.identity
      ).status
    }
    let image = ("image", TestPicture.red)
    #expect(status([("alt", [])]) == .badRequest)
    #expect(status([image, image]) == .badRequest)
    #expect(status([image, ("other", [])]) == .badRequest)
    #expect(status([image], type: "multipart/form-data") == .badRequest)
    #expect(status([image], type: "multipart/form-data; boundary=x") == .badRequest)
    #expect(status([image], type: "application/json") == .unsupportedMediaType)
    #expect(status([image], type: "image/jpeg") == .unsupportedMediaType)
    #expect(status([image, ("alt", [0xFF])]) == .badRequest)
    func alt(_ text: String) -> Status { status([image, ("alt", Array(text.utf8))]) }
    #expect(alt(String(repeating: "é", count: 300)) == .created)
    #expect(alt(String(repeating: "é", count: 301)) == .unprocessableContent)
    #expect(alt("a\u{202E}b") == .unprocessableContent)
    #expect(alt("a\u{0}b") == .unprocessableContent)
    #expect(status([image]) == .created)
  }

  @Test func `a photo sent again with its key is added once, whatever its boundary`() throws {
    let first = app.sendPhoto(to: device, key: "k", as: ben.identity)
    let again = app.sendPhoto(to: device, key: "k", boundary: "another", as: ben.identity)
    #expect(first.status == .created)
    #expect(again.status == .created)
    #expect(again.bytes == first.bytes)
    _ = try app.patch(device, ["properties": ["name": "By Ana"]], as: ana.identity)
    let late = try app.sendPhoto(to: device, key: "k", as: ben.identity).json
    #expect(late["id"] == (try first.json["id"]))
    #expect(late["device"]?["revision_before"] == 3 && late["device"]?["revision"] == 3)
    #expect(try app.shownPhotos(device).count == 1)
    #expect(app.pictureFiles.count == 1)
    #expect(
      app.sendPhoto(TestPicture.blue, to: device, key: "k", as: ben.identity).status
        == .unprocessableContent)
    #expect(
      app.sendPhoto(alt: "other", to: device, key: "k", as: ben.identity).status
        == .unprocessableContent)
    #expect(app.sendPhoto(to: device, key: "k", as: ana.identity).status == .created)
  }

  @Test func `the same photo sent twice in parallel is added once`() async throws {
    let statuses = await withTaskGroup(of: Status.self) { group in
      for _ in 0..<4 {
        group.addTask { app.sendPhoto(to: device, key: "k", as: ben.identity).status }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses == [.created, .created, .created, .created])
    #expect(try app.shownPhotos(device).count == 1)
    #expect(app.pictureFiles.count == 1)
  }

  @Test func `a device has at most twelve photos, without counting deleted ones`() throws {
    for number in 1...12 {
      _ = try app.photo(alt: "\(number)", of: device, as: ben)
    }
    #expect(app.sendPhoto(to: device, as: ben.identity).status == .conflict)
    let first = try #require(try app.shownPhotos(device).first?["id"]?.stringValue)
    #expect(app.send(.delete, Path.photo(first), as: ben.identity).status == .ok)
    #expect(app.sendPhoto(to: device, as: ben.identity).status == .created)
    #expect(app.pictureFiles.count == 13)
  }

  @Test func `a new account has fifteen attempts an hour`() throws {
    let newAccount = try app.account("nova", isNew: true)
    for _ in 1...15 {
      let answer = app.sendPhoto(Array("no picture".utf8), to: device, as: newAccount.identity)
      #expect(answer.status == .unsupportedMediaType)
    }
    let late = app.sendPhoto(to: device, as: newAccount.identity)
    #expect(late.status == .tooManyRequests)
    #expect(late.headers["Retry-After"] != nil)
    app.clock.advance(by: .seconds(3_601))
    #expect(app.sendPhoto(to: device, as: newAccount.identity).status == .created)
  }

  @Test func `only a confirmed account adds a photo, and only to an existing device`() throws {
    #expect(app.sendPhoto(to: device, as: .visitor).status == .unauthorized)
    let unconfirmed = try app.account("unconfirmed", isConfirmed: false)
    #expect(app.sendPhoto(to: device, as: unconfirmed.identity).status == .forbidden)
    let suspended = try app.account("suspended", isSuspended: true)
    #expect(app.sendPhoto(to: device, as: suspended.identity).status == .forbidden)
    #expect(
      app.sendPhoto(to: device, as: try app.token(ben.rowid, [.read])).status == .forbidden)
    #expect(
      app.sendPhoto(to: device, as: try app.token(ben.rowid, [.contribute])).status == .created)
    #expect(app.sendPhoto(to: "nothing", as: ben.identity).status == .notFound)
    try app.app.write { try $0.execute("UPDATE device SET hidden = 1") }
    #expect(app.sendPhoto(to: device, as: ben.identity).status == .notFound)
    #expect(app.sendPhoto(to: device, as: ana.identity).status == .created)
  }

  @Test(.enabled(if: !TestEngine.isPostgreSQL))
  func `pictures are in files that only the program can read`() throws {
    _ = try app.photo(of: device, as: ben)
    let name = try #require(app.pictureFiles.first)
    let folder = "\(app.media.path)/\(name.prefix(2))/\(name.dropFirst(2).prefix(2))"
    for file in ["\(name)-large.jpg", "\(name)-thumb.jpg"] {
      let kept = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(file)")
      #expect(kept[.posixPermissions] as? Int == 0o600)
    }
    let kept = try FileManager.default.attributesOfItem(atPath: folder)
    #expect(kept[.posixPermissions] as? Int == 0o700)
  }

  @Test(.enabled(if: !TestEngine.isPostgreSQL))
  func `when pictures cannot be stored a photo returns 503 and nothing is added`() throws {
    try FileManager.default.createDirectory(
      at: app.folder, withIntermediateDirectories: true)
    // A file is at the path of the folder.
    try Data().write(to: URL(fileURLWithPath: app.media.path))
    let answer = app.sendPhoto(to: device, as: ben.identity)
    #expect(answer.status == .serviceUnavailable)
    #expect(try app.integer("SELECT count(*) FROM photo") == 0)
    #expect(app.log.lines.count == 1)
  }
}

/// The program that decodes pictures.
enum ImageProgram {
  static func isThere() throws -> Bool { try NeededProgram.built("farol-image").isThere() }
}
