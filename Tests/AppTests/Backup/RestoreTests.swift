@testable import App
@testable import Devices
import Foundation
import JSON
@testable import Operations
@testable import Pictures
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// A restore brings back the data of its backup, except data that people have erased since.
@Suite(.onlySQLite("backups copy files")) struct RestoreTests {
  let app: TestApp
  let place: RestoredPlace

  init() throws {
    app = try TestApp()
    place = try RestoredPlace()
  }

  @Test func `a restore brings back the data of its backup and nothing later`() throws {
    let device = try app.device(name: "Before")
    let picture = try app.keptPhoto(of: device)
    let made = try app.backUp()
    try app.device(name: "After")
    let done = try place.restore(made.path, from: app)
    #expect(place.names == ["farol.db", "farol.db.lock", "media"])
    #expect((done.devices, done.photos, done.erasedAgain) == (1, 1, 0))
    #expect(done.madeAt == app.clock.now)
    #expect(done.setAside == [])
    #expect(try place.read { try $0.text("SELECT group_concat(name) FROM device") } == "Before")
    for size in MediaFolder.Size.allCases {
      let file = MediaFolder.file(picture, size)
      #expect(
        FileManager.default.contents(atPath: "\(place.media)/\(file)")
          == FileManager.default.contents(atPath: "\(app.media.path)/\(file)"))
    }
  }

  @Test func `users must sign in again, and old mail is not sent twice`() throws {
    let ana = try app.account("ana")
    _ = try app.token(ana.rowid, [.read])
    _ = app.signUp("rui")
    let day = try app.day(of: ana)
    let message = app.post(TestApp.day(day, "mails"), ["text": "Come"], as: ana.identity)
    #expect(message.status == .accepted, "\(message.text)")
    let made = try app.backUp()
    _ = try place.restore(made.path, from: app)
    for table in ["session", "personal_token", "mail_token", "mail", "mapping_day_mail"] {
      #expect(try place.count(table) == 0, "\(table)")
    }
    // With the moderator of the day.
    #expect(try place.count("account") == 3)
    #expect(try place.read { try $0.integer("SELECT 1 FROM job WHERE kind = 'mail'") } == nil)
  }

  @Test func `a present database is kept, or moved aside when confirmed`()
    throws
  {
    let old = try app.keptPhoto(of: try app.device(name: "Old"))
    let first = try app.backUp()
    try app.device(name: "New")
    app.media.erase(old)
    app.clock.advance(by: .seconds(1))
    try app.database.write { try $0.execute("DELETE FROM photo") }
    try app.database.write { try $0.execute("DELETE FROM media_file") }
    let new = try app.keptPhoto(of: try app.device(name: "Newer"))
    let second = try app.backUp()
    _ = try place.restore(second.path, from: app)
    let before = place.names
    let words = trouble { _ = try place.restore(first.path, from: app) }
    #expect(words?.contains("with --replace it is kept") == true)
    #expect(place.names == before)
    #expect(try place.count("device") == 3)

    let done = try place.restore(first.path, from: app, replaces: true)
    #expect(try place.count("device") == 1)
    #expect(MediaFolder(path: place.media, logger: app.app.logger).names().keys.sorted() == [old])
    let mark = ".before-2026-11-21T12-00-01Z"
    #expect(done.setAside == [place.database + mark, place.media + mark])
    let aside = try Database(path: place.database + mark)
    #expect(try aside.read { try $0.integer("SELECT count(*) FROM device") } == 3)
    try aside.close()
    let pictures = MediaFolder(path: place.media + mark, logger: app.app.logger).names()
    #expect(pictures.keys.sorted() == [new])
  }

  @Test func `a restore is refused while a server runs`() throws {
    let made = try app.backUp()
    _ = try place.restore(made.path, from: app)
    let serving = try Database(path: place.database)
    let words = trouble { _ = try place.restore(made.path, from: app, replaces: true) }
    #expect(words?.contains("is using") == true)
    try serving.close()
    _ = try place.restore(made.path, from: app, replaces: true)
  }

  @Test func `a damaged backup changes nothing`() throws {
    let made = try app.backUp()
    _ = try place.restore(made.path, from: app)
    let before = place.names
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: made.path + "/farol.db"))
    try file.seek(toOffset: 40_000)
    file.write(Data(repeating: 0xAA, count: 100))
    try file.close()
    let words = trouble { _ = try place.restore(made.path, from: app, replaces: true) }
    #expect(words?.contains("is damaged: farol.db has been changed") == true)
    #expect(place.names == before)
  }

  @Test func `a damaged database is replaced by a sound backup`() throws {
    let made = try app.backUp()
    try Data("This was a database once. ".utf8).write(to: URL(fileURLWithPath: place.database))
    let done = try place.restore(made.path, from: app, replaces: true)
    #expect(done.setAside.count == 1)
    #expect(try place.count("account") == 0)
  }

  @Test func `a backup of a later Farol is refused`() throws {
    try app.database.write { try $0.execute("PRAGMA user_version = 9999") }
    let made = try app.backUp()
    let words = trouble { _ = try place.restore(made.path, from: app) }
    #expect(words?.contains("has schema 9999") == true)
    #expect(place.names == ["farol.db.lock"])
  }

  @Test func `a backup older than the erasure list is restored on demand only`() throws {
    let made = try app.backUp()
    app.clock.advance(by: .seconds(400 * 86_400))
    _ = try place.restore(made.path, from: app)
    app.clock.advance(by: .seconds(86_400))
    let words = trouble { _ = try place.restore(made.path, from: app, replaces: true) }
    #expect(words?.contains("is 401 days old") == true)
    _ = try place.restore(made.path, from: app, replaces: true, takesOld: true)
  }

  @Test func `an account deleted since the backup stays deleted`() throws {
    let ana = try app.account("ana")
    let rui = try app.account("rui")
    let made = try app.contributions(of: ana)
    let backup = try app.backUp()
    let answer = app.send(
      .delete, "/api/account", json: ["password": .string(TestAccount.password)], as: ana.identity)
    #expect(answer.status == .noContent)
    try app.doJobs()
    let done = try place.restore(backup.path, from: app)
    #expect(done.erasedAgain == 1)
    #expect(done.knewErasures)
    #expect(try place.read { try $0.text("SELECT id FROM account") } == rui.id)
    // Its contributions to the map stay, without the author.
    let device = try place.read { connection in
      try connection.first(
        "SELECT account_rowid IS NULL FROM device WHERE id = ?", [.text(made.deviceID)]
      ) { $0.bool(0) }
    }
    #expect(device == true)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: place.database))
    #expect(bytes.range(of: Data(ana.email.utf8)) == nil)
  }

  @Test func `erasures not yet in the list are read from the present database`()
    throws
  {
    let ana = try app.account("ana")
    let backup = try app.backUp()
    _ = try place.restore(backup.path, from: app)
    let serving = try Database(path: place.database)
    try serving.write { try ErasureList.note(.account, [ana.id], at: app.clock.now, $0) }
    try serving.close()
    let done = try place.restore(backup.path, from: app, replaces: true, list: "/nowhere")
    #expect(done.erasedAgain == 1)
    #expect(try place.count("account") == 0)
    // Also from the present list, when the database is gone too.
    try FileManager.default.removeItem(atPath: place.database)
    #expect(try place.restore(backup.path, from: app, list: "/nowhere").erasedAgain == 1)
  }

  @Test func `without any erasure list the restore reports it`() throws {
    let backup = try app.backUp()
    #expect(try place.restore(backup.path, from: app, list: "/nowhere").knewErasures == false)
  }

  @Test func `choices, devices and pictures erased since the backup stay erased`() throws {
    let ana = try app.account("ana")
    let admin = try app.account("boss", role: .admin)
    let device = try app.added(as: ana)
    let other = try app.device(name: "Stays")
    let picture = try app.keptPhoto(of: other)
    let choice = try app.choice(of: ana, about: device)
    let backup = try app.backUp()

    #expect(app.send(.delete, "/api/choices/\(choice)", as: ana.identity).status == .noContent)
    let purged = app.send(
      .delete, Path.item(device), headers: ["If-Match": try app.tag(device)],
      json: ["reason": "a test", "purge": true], as: admin.identity)
    #expect(purged.status == .noContent)
    try app.database.write { connection in
      try connection.execute(
        "UPDATE photo SET state = 'deleted', deleted_at = ?", [.text(app.clock.now.text)])
    }
    app.clock.advance(by: .seconds(31 * 86_400))
    try app.sweep()
    try app.doJobs()

    let done = try place.restore(backup.path, from: app)
    #expect(done.erasedAgain == 3)
    for table in ["choice", "photo", "media_file", "tombstone_content"] {
      #expect(try place.count(table) == 0, "\(table)")
    }
    #expect(try place.read { try $0.text("SELECT group_concat(id) FROM device") } == other.id)
    #expect(try place.read { try $0.text("SELECT id FROM tombstone") } == device)
    let files = MediaFolder(path: place.media, logger: app.app.logger).names()
    #expect(files[picture] == nil)
  }

  @Test func `a restored instance serves requests and accepts writes`() throws {
    try app.device(name: "Before")
    let made = try app.backUp()
    _ = try place.restore(made.path, from: app)
    let restored = try TestApp.start(
      URL(fileURLWithPath: place.database), front: TestFolder.front, clock: app.clock,
      log: app.log)
    #expect(restored.index.snapshot.count == 1)
    #expect(try IndexCheck(database: restored.database).findings() == [])
    restored.stop()
    try restored.database.close()
  }
}
