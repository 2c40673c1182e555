@testable import App
@testable import DevicePhotos
@testable import Devices
import Foundation
import JSON
import Logging
@testable import Operations
@testable import Pictures
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
import WebServer

extension TestApp {
  /// Runs the daily work.
  func sweep() throws {
    try MediaSweep(database: database, environment: environment, pictures: app.photos.pictures)
      .run()
  }
}

/// Pictures are erased once no user can restore them, and not before.
@Suite(.enabled(if: try ImageProgram.isThere())) struct MediaSweepTests {
  let app: TestApp
  let ana: TestAccount
  let device: String
  let photo: String

  init() throws {
    app = try TestApp()
    ana = try app.account("ana")
    device = try app.added(as: ana)
    photo = try app.photo(of: device, as: ana)
  }

  private var findings: [String] {
    get throws { try IndexCheck.mediaFindings(database: app.database, media: app.media.path) }
  }

  private func delete(purge: Bool) throws {
    let admin = try app.account("adm", role: .admin)
    let answer = app.send(
      .delete, Path.item(device), headers: ["If-Match": try app.tag(device)],
      json: ["reason": "a test", "purge": .bool(purge)], as: admin.identity)
    try #require(answer.status == .noContent, "\(answer.text)")
  }

  @Test func `a deleted photo is erased after thirty days`() throws {
    _ = app.send(.delete, Path.photo(photo), as: ana.identity)
    app.clock.advance(by: .seconds(30 * 86_400 - 1))
    try app.sweep()
    #expect(app.pictureFiles.count == 1)
    app.clock.advance(by: .seconds(1))
    try app.sweep()
    #expect(app.pictureFiles.isEmpty)
    #expect(try app.integer("SELECT count(*) FROM photo") == 0)
    #expect(try app.integer("SELECT count(*) FROM media_file") == 0)
    #expect(app.seeing(photo) == .notFound)
    #expect(try findings.isEmpty)
  }

  @Test func `the pictures of a deleted device are erased with its content`() throws {
    try delete(purge: false)
    try app.sweep()
    #expect(app.pictureFiles.count == 1)
    app.clock.advance(by: .seconds(31 * 86_400))
    try app.sweep()
    #expect(app.pictureFiles.isEmpty)
    #expect(try findings.isEmpty)
  }

  @Test func `pictures of a restored device are kept`() throws {
    try delete(purge: false)
    try app.sweep()
    try app.app.write { connection in
      let id = try #require(DeviceID(text: device))
      _ = try DeviceRemoval(writer: app.app.map.writer).undo(id, connection)
    }
    app.clock.advance(by: .seconds(60 * 86_400))
    try app.sweep()
    #expect(app.seeing(photo) == .ok)
    #expect(try findings.isEmpty)
  }

  @Test func `purging a device erases its pictures, including earlier ones`() throws {
    _ = app.form(.put, Path.photo(photo), [("image", TestPicture.blue)], as: ana.identity)
    #expect(app.pictureFiles.count == 2)
    try delete(purge: true)
    #expect(app.pictureFiles.isEmpty)
    #expect(try app.integer("SELECT count(*) FROM media_file") == 0)
  }

  @Test func `the photo of a deleted account stays`() throws {
    try app.app.write { try $0.execute("DELETE FROM account") }
    app.clock.advance(by: .seconds(60 * 86_400))
    try app.sweep()
    #expect(app.seeing(photo) == .ok)
  }

  /// In the database there cannot be any.
  @Test(.enabled(if: !TestEngine.isPostgreSQL))
  func `orphaned files are reported, and erased after a day`() throws {
    let name = String(repeating: "ab", count: 16)
    let picture = DrawnPicture.Encoded(width: 1, height: 1, bytes: [1])
    try app.media.prepare(DrawnPicture(large: picture, thumb: picture), as: name)
    #expect(try findings == ["1 pictures belong to no photo"])
    app.clock.set(Timestamp(secondsSinceEpoch: Int64(time(nil))).text)
    try app.sweep()
    #expect(app.pictureFiles.count == 2)
    app.clock.advance(by: .seconds(86_410))
    try app.sweep()
    #expect(app.pictureFiles.count == 1)
    #expect(app.seeing(photo) == .ok)
    #expect(try findings.isEmpty)
  }

  @Test func `a photo without its file is reported`() throws {
    try app.losePictures()
    #expect(try findings == ["1 photos have lost their files"])
  }

  @Test func `the work is done once a day`() throws {
    let runner = JobRunner(
      database: app.database, environment: app.environment,
      logger: Logger(label: "test") { [log = app.log] _ in log },
      works: app.app.works, repeated: app.app.repeatedWorks)
    try runner.scheduleRepeated()
    try runner.scheduleRepeated()
    let due = "SELECT count(*) FROM job WHERE kind = 'erase photos' AND due_at <= "
    let now = { "'\(app.environment.now().text)'" }
    #expect(try app.integer(due + now()) == 1)
    _ = app.send(.delete, Path.photo(photo), as: ana.identity)
    while try runner.runOne() {}
    #expect(try app.integer(due + now()) == 0)
    app.clock.advance(by: .seconds(30 * 86_400))
    #expect(try app.integer(due + now()) == 1)
    while try runner.runOne() {}
    #expect(app.pictureFiles.isEmpty)
    #expect(app.log.lines.isEmpty)
  }
}
