@testable import App
import Foundation
import JSON
import PrivacyMap
@testable import Downloads
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// Attempts to learn more from files than their visible content: metadata of pictures, hidden rows,
/// files of the server.
@Suite(.enabled(if: try ImageProgram.isThere())) struct FileAttackTests {
  let app: TestApp
  let ana: TestAccount
  let device: String

  init() throws {
    app = try TestApp()
    ana = try app.account("ana")
    device = try app.added(as: ana)
  }

  @Test func `an attacker does not learn where or by whom a photo was taken`() throws {
    let photo = try app.photo(TestPicture.laden, of: device, as: ana)
    for size in ["thumb", "large"] {
      let bytes = Data(app.get(Path.photo(photo), ["size": size]).bytes)
      #expect(!bytes.isEmpty)
      for secret in ["Exif", "SECRET", "place"] {
        #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(size) \(secret)")
      }
    }
    #expect(!app.get(Path.item(device)).text.contains("photo.php"))
  }

  @Test func `an attacker does not get a hidden, deleted or pending photo`() throws {
    let mia = try app.account("mia", role: .moderator)
    let hidden = try app.photo(of: device, as: ana)
    let tag = try #require(app.get(Path.photo(hidden)).headers["ETag"])
    _ = app.act("hide", "photo", hidden, as: mia.identity)
    let waiting = try app.photo(
      TestPicture.blue, of: device, as: try app.account("new", isNew: true))
    for photo in [hidden, waiting] {
      for size in ["thumb", "large"] {
        for headers: Headers in [
          [:], ["If-None-Match": tag], ["If-None-Match": "*"], ["Range": "bytes=0-10"],
          ["If-Modified-Since": "Sat, 21 Nov 2026 12:00:00 GMT"],
        ] {
          let answer = app.get(
            Path.photo(photo), ["size": size, "v": "1"], headers: headers)
          #expect(answer.status == .notFound, "\(size) \(headers)")
        }
      }
      #expect(app.send(.head, Path.photo(photo)).status == .notFound)
      #expect(!app.get(Path.item(device)).text.contains(photo))
      #expect(!app.get(Path.photos(device)).text.contains(photo))
    }
  }

  @Test func `an attacker does not learn the redacted content of a photo`() throws {
    let photo = try app.photo(of: device, as: ana)
    let mia = try app.account("mia", role: .moderator)
    let open = app.get(Path.photo(photo)).bytes
    let blacked = app.act(
      "redact", "photo", photo,
      more: [("regions", [["x": 0, "y": 0, "width": 0.5, "height": 1]])], as: mia.identity)
    try #require(blacked.status == .ok, "\(blacked.text)")
    let (now, before) = (
      app.get(Path.photo(photo), ["v": "2"]), app.get(Path.photo(photo), ["v": "1"])
    )
    #expect(before.bytes != open)
    #expect(now.status == .ok)
    #expect(before.status == .notFound || before.bytes == now.bytes)
  }

  @Test func `an attacker cannot guess the address of a picture's file`() throws {
    let photo = try app.photo(of: device, as: ana)
    let file = try #require(
      try app.text("SELECT file FROM photo WHERE id = ?", [.text(photo)]))
    for path in [
      "/media/\(file)", "/photos/\(file)", "/api/photos/\(file)", "/assets/../media/\(file)",
      "/media/\(file).jpg",
    ] { #expect(app.send(target: path).status.code >= 400, "\(path)") }
  }

  @Test(arguments: [
    "/farol.db", "/../farol.db", "/assets/../../farol.db", "/assets/%2e%2e/%2e%2e/farol.db",
    "/api/snapshots/../farol.db", "/api/snapshots/..%2Ffarol.db", "/api/exports/../../farol.db",
    "/locale/../farol.db", "/farol.db-wal", "/erased.jsonl", "/backups/", "/media/",
  ])
  func `an attacker does not get a file of the server`(path: String) {
    let answer = app.send(target: path)
    #expect(answer.status.code >= 400, "\(path)")
    #expect(!answer.text.contains("SQLite format"))
  }

  @Test func `an attacker does not learn a hidden device from any file`() throws {
    let mia = try app.account("mia", role: .moderator)
    let secret = try app.added(
      ["name": "Unmistakable", "description": "Unmistakable words"], longitude: 11.1234567,
      as: ana)
    try app.app.snapshots.run()
    _ = app.act("hide", "device", secret, as: mia.identity)
    for format in ExportFormat.allCases {
      for query: TestApp.Parameters in [
        [:], ["status": "reported,removed,not_a_device"], ["bbox": "11,46,12,47"],
      ] {
        let bytes = Data(app.export(format, query).bytes)
        for word in ["Unmistakable", secret, "11.1234567"] {
          #expect(bytes.range(of: Data(word.utf8)) == nil, "\(format) \(word)")
        }
      }
    }
    app.clock.advance(by: .seconds(3_600))
    try app.app.snapshots.run()
    for name in ["2026-11-21.csv.gz", "2026-11-21.geojson.gz"] {
      let bytes = try app.get("/api/snapshots/\(name)").plainBytes
      #expect(!bytes.isEmpty)
      #expect(Data(bytes).range(of: Data("Unmistakable".utf8)) == nil, "\(name)")
    }
    for path in ["/api/feeds/devices.atom", "/api/feeds/devices.json"] {
      #expect(!app.get(path).text.contains("Unmistakable"), "\(path)")
    }
  }

  @Test(.onlySQLite("about the bytes of the file"))
  func `the disk does not reveal the content of a purged device`() throws {
    let admin = try app.account("adm", role: .admin)
    let secret = try app.added(["description": "Zwölfeinhalbtausend"], longitude: 9, as: ana)
    #expect(app.isOnDisk("Zwölfeinhalbtausend"))
    let answer = app.send(
      .delete, Path.item(secret), headers: ["If-Match": try app.tag(secret)],
      json: ["reason": "It names somebody.", "purge": true], as: admin.identity)
    try #require(answer.status == .noContent, "\(answer.text)")
    try app.work()
    #expect(!app.isOnDisk("Zwölfeinhalbtausend"))
  }

  @Test func `a spreadsheet does not execute a formula of an attacker`() throws {
    _ = try app.added(["name": "＝HYPERLINK(\"http://evil.example\")"], longitude: 10, as: ana)
    let cells = try app.table().column("name")
    #expect(cells.contains { $0.hasPrefix("'＝HYPERLINK") }, "\(cells)")
  }

  @Test func `an attacker does not learn a path, a query or a stack from an error`() throws {
    for target in [
      Path.items + "?bbox=%00", Path.items + "?filter=%27", "/api/photos/%00", "/%ff",
      Path.item("'; DROP TABLE device --"), "/api/tiles/devices/99/1/1.mvt",
      "/api/snapshots/2026-02-31.csv.gz", "/api/people/%2e%2e%2f",
    ] {
      let answer = app.send(target: target)
      #expect((400..<500).contains(answer.status.code), "\(target) \(answer.status)")
      for word in ["SELECT", "sqlite", ".swift", app.folder.path, "farol.db"] {
        #expect(!answer.text.contains(word), "\(target): \(word)")
      }
    }
  }
}
