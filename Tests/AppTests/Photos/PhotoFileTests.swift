@testable import App
@testable import Devices
import JSON
@testable import Pictures
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// `GET /api/photos/{id}`.
@Suite(.enabled(if: try ImageProgram.isThere())) struct PhotoFileTests {
  let app: TestApp
  let ana: TestAccount
  let device: String
  let photo: String

  init() throws {
    app = try TestApp()
    ana = try app.account("ana")
    device = try app.added(as: ana)
    photo = try app.photo(of: device, as: try app.account("ben"))
  }

  @Test func `a picture has headers that prevent execution`() throws {
    let answer = app.get(Path.photo(photo))
    #expect(answer.headers["Content-Type"] == "image/jpeg")
    #expect(answer.headers["X-Content-Type-Options"] == "nosniff")
    #expect(
      answer.headers["Content-Security-Policy"]
        == "default-src 'none'; frame-ancestors 'none'; sandbox")
    #expect(
      answer.headers["Content-Disposition"] == "inline; filename=\"farol-\(photo).jpg\"")
    #expect(answer.headers["Cross-Origin-Resource-Policy"] == "cross-origin")
    #expect(answer.headers["Access-Control-Allow-Origin"] == "*")
    #expect(answer.headers["Set-Cookie"] == nil)
  }

  @Test func `a picture is cached under its own address`() throws {
    let exact = app.get(Path.photo(photo), ["size": "thumb", "v": "1"])
    #expect(exact.headers["Cache-Control"] == "public, max-age=86400, immutable")
    for query: TestApp.Parameters in [[:], ["size": "thumb"], ["v": "2"]] {
      let answer = app.get(Path.photo(photo), query)
      #expect(answer.status == .ok)
      #expect(answer.headers["Cache-Control"] == "public, max-age=0, must-revalidate")
    }
    let tag = try #require(exact.headers["ETag"])
    #expect(
      app.get(Path.photo(photo), ["size": "thumb"], headers: ["If-None-Match": tag]).status
        == .notModified)
    #expect(
      app.get(Path.photo(photo), ["size": "large"], headers: ["If-None-Match": tag]).status == .ok)
    let head = app.send(.head, Path.photo(photo))
    #expect(head.status == .ok && head.bytes.isEmpty)
  }

  @Test(arguments: [
    "size=huge", "size=", "v=0", "v=x", "v=99999999999", "size=thumb&size=large", "w=1",
  ])
  func `a wrong parameter is a bad request`(query: String) {
    #expect(app.send(target: Path.photo(photo) + "?" + query).status == .badRequest)
  }

  @Test(arguments: [
    "", "nothing", "..%2f..%2fetc%2fpasswd", "00000000-0000-7000-8000-000000000000",
  ])
  func `an unknown photo returns 404`(id: String) {
    #expect(app.send(target: "/api/photos/\(id)").status == .notFound)
  }

  @Test func `photos of a hidden device are visible to author and moderators only`() throws {
    try app.app.write { try $0.execute("UPDATE device SET hidden = 1") }
    #expect(app.seeing(photo) == .notFound)
    #expect(app.seeing(photo, as: try app.account("eva").identity) == .notFound)
    #expect(app.get(Path.photos(device)).status == .notFound)
    let mine = app.get(Path.photo(photo), as: ana.identity)
    #expect(mine.status == .ok)
    #expect(mine.headers["Cache-Control"] == "private, no-store")
  }

  @Test func `photos of a deleted device return 404, and are restored with it`() throws {
    let admin = try app.account("adm", role: .admin)
    let answer = app.send(
      .delete, Path.item(device), headers: ["If-Match": try app.tag(device)],
      json: ["reason": "a test"], as: admin.identity)
    #expect(answer.status == .noContent, "\(answer.text)")
    #expect(app.seeing(photo) == .notFound)
    #expect(app.get(Path.photos(device)).status == .gone)
    try app.app.write { connection in
      let id = try #require(DeviceID(text: device))
      _ = try DeviceRemoval(writer: app.app.map.writer).undo(id, connection)
    }
    #expect(app.seeing(photo) == .ok)
    #expect(try app.shownPhotos(device).count == 1)
  }

  @Test func `a picture without its file returns 404`() throws {
    try app.losePictures()
    #expect(app.seeing(photo) == .notFound)
  }
}
