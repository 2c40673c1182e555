@testable import App
@testable import Downloads
import Foundation
@testable import Operations
@testable import Pictures
import PrivacyMap
@testable import Reading
import SpatialDatabase
import Testing

/// A backup is either complete, checked and private, or absent.
@Suite(.onlySQLite("backups copy files"))
struct BackupTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  private func names(_ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  @Test func `a backup has the database, the pictures, the snapshots and a manifest`() throws {
    let device = try app.device(name: "Kept")
    let picture = try app.keptPhoto(of: device)
    try app.app.snapshots.run()
    let made = try app.backUp()
    #expect(made.path.hasSuffix("/farol-2026-11-21T12-00-00Z"))
    #expect(try names(made.path) == ["farol.db", "manifest.json", "media", "snapshots"])
    #expect(made.files == 1 + 2 + 3)
    for size in MediaFolder.Size.allCases {
      let place = MediaFolder.file(picture, size)
      #expect(
        FileManager.default.contents(atPath: "\(made.path)/media/\(place)")
          == FileManager.default.contents(atPath: "\(app.media.path)/\(place)"))
    }
    let check = try BackupCheck(folder: made.path)
    #expect(try check.run().damages == [])
    #expect(check.manifest == made.manifest)
    #expect(check.manifest.madeAt == app.clock.now)
  }

  @Test func `only its owner can read a backup`() throws {
    let made = try app.backUp()
    func mode(_ path: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
    #expect(try mode(made.path) == 0o700)
    #expect(try mode(made.path + "/farol.db") == 0o600)
    #expect(try mode(made.path + "/manifest.json") == 0o600)
  }

  @Test func `reading a backup leaves no file in it`() throws {
    let made = try app.backUp()
    _ = try BackupCheck(folder: made.path).run()
    #expect(try names(made.path) == ["farol.db", "manifest.json"])
  }

  @Test func `a backup has no pictures of deleted photos`() throws {
    let device = try app.device()
    let kept = try app.keptPhoto(of: device)
    let deleted = try app.keptPhoto(of: device)
    try app.database.write { connection in
      try connection.execute(
        "UPDATE photo SET state = 'deleted', deleted_at = ? WHERE file = ?",
        [.text(app.clock.now.text), .text(deleted)])
    }
    let made = try app.backUp()
    #expect(made.manifest.files.contains { $0.path.contains(kept) })
    #expect(!made.manifest.files.contains { $0.path.contains(deleted) })
    #expect(made.missing == 0)
  }

  @Test func `a photo without its picture is reported, and the rest is copied`() throws {
    let device = try app.device()
    let lost = try app.keptPhoto(of: device)
    let kept = try app.keptPhoto(of: device)
    app.media.erase(lost)
    let made = try app.backUp()
    #expect(made.manifest.missing == [lost])
    #expect(made.manifest.files.count { $0.path.contains(kept) } == 2)
    #expect(try BackupCheck(folder: made.path).run().damages == [])
  }

  @Test func `two backups in one second have different names`() throws {
    let first = try app.backUp()
    let second = try app.backUp()
    #expect(second.path == first.path + "-2")
    #expect(app.backups.entries().map(\.madeAt) == [app.clock.now, app.clock.now])
  }

  @Test func `a damaged database is not copied`() throws {
    try app.device()
    try app.damage("tombstone_content")
    let words = trouble { _ = try app.backUp() }
    #expect(words?.contains("the database is damaged") == true, "\(words ?? "")")
    #expect(try names(app.backups.path) == [])
  }

  @Test func `unreadable pictures are reported, and the rest is copied`() throws {
    let device = try app.device()
    let lost = try app.keptPhoto(of: device)
    let kept = try app.keptPhoto(of: device)
    // A folder instead of a file: it can be opened and not read.
    let place = "\(app.media.path)/\(MediaFolder.file(lost, .large))"
    try FileManager.default.removeItem(atPath: place)
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
    let made = try app.backUp()
    #expect(made.manifest.missing == [lost])
    #expect(made.manifest.files.count { $0.path.contains(kept) } == 2)
    #expect(try BackupCheck(folder: made.path).run().damages == [])
  }

  @Test func `a missing snapshot is reported, and the rest is copied`() throws {
    try app.device()
    try app.app.snapshots.run()
    let folder = app.folder.appendingPathComponent("snapshots").path
    try FileManager.default.removeItem(atPath: "\(folder)/2026-11-21.csv.gz")
    let made = try app.backUp()
    #expect(made.missingSnapshots == ["2026-11-21.csv.gz"])
    #expect(made.manifest.files.contains { $0.path == "snapshots/2026-11-21.geojson.gz" })
  }

  @Test func `a damaged snapshot is named and not copied`() throws {
    try app.device()
    try app.app.snapshots.run()
    let path = app.folder.appendingPathComponent("snapshots/2026-11-21.csv.gz").path
    let whole = try #require(FileManager.default.contents(atPath: path))
    try whole.dropLast().write(to: URL(fileURLWithPath: path))
    let made = try app.backUp()
    #expect(made.missingSnapshots == ["2026-11-21.csv.gz"])
    #expect(!made.manifest.files.contains { $0.path == "snapshots/2026-11-21.csv.gz" })
    let outcome = try BackupCheck(folder: made.path).run()
    #expect(outcome.damages.isEmpty && outcome.findings.isEmpty)
  }

  @Test func `an invalid folder of pictures is reported, and the database copied`() throws {
    let lost = try app.keptPhoto(of: try app.device())
    try FileManager.default.removeItem(atPath: app.media.path)
    try Data("no folder".utf8).write(to: URL(fileURLWithPath: app.media.path))
    let made = try app.backUp()
    #expect(made.manifest.missing == [lost])
    #expect(try BackupCheck(folder: made.path).run().damages == [])
  }

  @Test func `an interrupted backup does not have the name of a backup`() throws {
    try FileManager.default.createDirectory(
      atPath: app.backups.draft(of: "farol-2026-11-20T00-00-00Z"), withIntermediateDirectories: true
    )
    #expect(app.backups.entries() == [])
    try app.damage("tombstone_content")
    #expect(throws: BackupTrouble.self) { try app.backUp() }
    #expect(app.backups.entries() == [])
  }

  @Test func `interrupted backups are deleted after a day, complete ones are not`() throws {
    let made = try app.backUp()
    let draft = app.backups.draft(of: "farol-2026-11-20T00-00-00Z")
    try FileManager.default.createDirectory(atPath: draft, withIntermediateDirectories: true)
    app.backups.eraseDrafts()
    #expect(FileManager.default.fileExists(atPath: draft))
    for path in [draft, made.path] {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -90_000)], ofItemAtPath: path)
    }
    app.backups.eraseDrafts()
    #expect(!FileManager.default.fileExists(atPath: draft))
    #expect(app.backups.entries().count == 1)
  }

  @Test func `a backup with any kind of damage is detected`() throws {
    let picture = try app.keptPhoto(of: try app.device())
    let made = try app.backUp()
    let file = "\(made.path)/media/\(MediaFolder.file(picture, .large))"
    func findings(_ damage: (String) throws -> Void) throws -> String {
      let copy = app.folder.appendingPathComponent("damaged").path
      try? FileManager.default.removeItem(atPath: copy)
      // Separate bytes, because files of a backup may be hard links to files of the instance.
      #expect(try run("/bin/cp", "-r", made.path, copy) == 0)
      try damage(copy)
      return try BackupCheck(folder: copy).run().damages.joined(separator: "; ")
    }
    let inside = String(file.dropFirst(made.path.count))
    #expect(try findings { _ in } == "")
    #expect(
      try findings { try FileManager.default.removeItem(atPath: $0 + inside) }
        .contains("cannot be opened"))
    #expect(
      try findings { try Data([1]).write(to: URL(fileURLWithPath: $0 + inside)) }
        .contains("has 1 bytes, not 7"))
    #expect(
      try findings { copy in
        try Data([0xFF, 0xD8, 1, 2, 4, 0xFF, 0xD9])
          .write(to: URL(fileURLWithPath: copy + inside))
      }.contains("its checksum differs"))
    #expect(
      try findings { try Data([1]).write(to: URL(fileURLWithPath: $0 + "/media/more.jpg")) }
        == "media/more.jpg is not part of the backup")
    #expect(
      try findings { copy in
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: copy + "/farol.db"))
        try handle.truncate(atOffset: 4_096)
        try handle.close()
      }.contains("farol.db has 4096 bytes"))
  }

  @Test func `a missing, truncated or foreign manifest is refused`() throws {
    let made = try app.backUp()
    let manifest = URL(fileURLWithPath: made.path + "/manifest.json")
    let text = try String(contentsOf: manifest, encoding: .utf8)
    func refusal(_ text: String) throws -> String? {
      try Data(text.utf8).write(to: manifest)
      return trouble { _ = try BackupCheck(folder: made.path) }
    }
    #expect(try refusal(String(text.dropLast(20)))?.contains("is damaged") == true)
    #expect(
      try refusal(text.replacingOccurrences(of: "\"farol.db\"", with: "\"../farol.db\""))?
        .contains("is damaged") == true)
    #expect(
      try refusal(text.replacingOccurrences(of: "\"format\":1", with: "\"format\":2"))?
        .contains("does not support") == true)
    #expect(try refusal(text) == nil)
    try FileManager.default.removeItem(at: manifest)
    #expect(trouble { _ = try BackupCheck(folder: made.path) }?.contains("is not a backup") == true)
  }

  private func run(_ program: String, _ arguments: String...) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }
}
