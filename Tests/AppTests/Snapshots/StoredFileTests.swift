@testable import App
@testable import Devices
import Foundation
import Locking
@testable import Downloads
@testable import Operations
@testable import Pictures
import PrivacyMap
@testable import Reading
import Secrets
import Service
import SpatialDatabase
import Testing
import WebServer

/// Files in the database. Instances on SQLite do not use them, but both engines accept their statements.
@Suite struct StoredFileTests {
  let app: TestApp
  let files: StoredFiles

  init() throws {
    app = try TestApp()
    files = StoredFiles(in: app.database, drafts: app.folder.path)
  }

  private func count(_ table: String) throws -> Int64? {
    try app.integer("SELECT count(*) FROM \(table)")
  }

  /// Stores bytes, without a row that refers to them.
  private func stored(_ bytes: [UInt8]) throws -> NightlyFile {
    let draft = app.folder.appendingPathComponent("draft").path
    try Data(bytes).write(to: URL(fileURLWithPath: draft))
    let file = NightlyFile(
      name: "file", sha256: Hexadecimal.text(of: Digest.sha256(bytes)))
    try files.keep(draft, as: file, at: app.clock.now)
    #expect(!FileManager.default.fileExists(atPath: draft))
    return file
  }

  private func wanted(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
  }

  /// Around the ends of parts and of batches.
  @Test(arguments: [1, 65_535, 65_536, 65_537, 17 * 65_536 + 5])
  func `a file is read as it was stored, whole and in parts`(size: Int) throws {
    let bytes = wanted(size)
    let file = try #require(try files.open(try stored(bytes)))
    #expect(file.count == size)
    var read: [UInt8] = []
    while let piece = try file.next() { read += piece }
    #expect(read == bytes)
    let middle = max(0, size - 70_000)..<max(1, size - 3)
    let part = try app.app.database.read { connection in
      try StoredFiles.piece(
        of: NightlyFile(name: "", sha256: Hexadecimal.text(of: Digest.sha256(bytes))),
        middle.lowerBound, middle.count, connection)
    }
    #expect(part == Array(bytes[middle]))
    #expect(try files.findings().isEmpty)
  }

  @Test func `equal files are stored once`() throws {
    let first = try stored(wanted(100_000))
    let second = try stored(wanted(100_000))
    #expect(first == second)
    #expect(try count("stored_file") == 1 && count("stored_part") == 2)
  }

  @Test func `content that an interruption left is erased after an hour`() throws {
    let file = try stored(wanted(200_000))
    try files.sweep(at: app.clock.now)
    #expect(try files.has(file))
    app.clock.advance(by: .seconds(3_601))
    try files.sweep(at: app.clock.now)
    #expect(try !files.has(file) && count("stored_part") == 0)
  }

  @Test func `content with a row is kept, and erased without it`() throws {
    let file = try stored(wanted(10))
    let made = NightlyTilesFile(
      madeAt: app.clock.now, sequence: 1, bytes: 10, sha256: file.sha256)
    try app.database.write(made.store)
    app.clock.advance(by: .seconds(86_400))
    try files.sweep(at: app.clock.now)
    try files.erase(file)
    #expect(try files.has(file))
    try app.database.write(NightlyTilesFile.forget)
    try files.erase(file)
    #expect(try !files.has(file))
  }

  @Test func `a row cannot refer to content that was erased since it was stored`() throws {
    let former = try stored(wanted(100))
    // Another job stores a file of equal content, and before its row, the former file is erased.
    let equal = try stored(wanted(100))
    try files.erase(former)
    let made = NightlyTilesFile(
      madeAt: app.clock.now, sequence: 1, bytes: 100, sha256: equal.sha256)
    #expect(throws: SnapshotTrouble.self) {
      try app.database.write { connection in
        try files.confirm(made.file, connection)
        try made.store(connection)
      }
    }
    #expect(try count("tiles_file") == 0)
    // Repeating the job is enough.
    _ = try stored(wanted(100))
    try app.database.write { connection in
      try files.confirm(made.file, connection)
      try made.store(connection)
    }
    try files.erase(former)
    #expect(try files.has(made.file))
  }

  @Test func `content that was stored in part is not whole`() throws {
    let file = try stored(wanted(200_000))
    try app.database.write { connection in
      try files.confirm(file, connection)
      try connection.execute("DELETE FROM stored_part WHERE number = 1")
    }
    #expect(throws: SnapshotTrouble.self) {
      try app.database.write { try files.confirm(file, $0) }
    }
  }

  @Test func `two jobs and an erasure of equal content leave no row without content`() throws {
    let bytes = wanted(300_000)
    let sha256 = Hexadecimal.text(of: Digest.sha256(bytes))
    let (files, database, now) = (self.files, app.database, app.clock.now)
    _ = try Concurrently.map([0, 1]) { number in
      for round in 0..<12 {
        let made = NightlyTilesFile(
          madeAt: Timestamp(secondsSinceEpoch: now.secondsSinceEpoch + Int64(round * 2 + number)),
          sequence: Int64(round), bytes: bytes.count,
          sha256: sha256)
        let draft = "\(files.drafts)/draft-\(number)"
        try? Data(bytes).write(to: URL(fileURLWithPath: draft))
        // One of them may have to store its file again.
        try? files.keep(draft, as: made.file, at: now)
        try? database.write { connection in
          try files.confirm(made.file, connection)
          try made.store(connection)
        }
        if round % 3 == 2 { try? database.write(NightlyTilesFile.forget) }
        try? files.erase(made.file)
      }
    }
    let current = try app.database.read(NightlyTilesFile.current)
    if let current { try app.database.write { try files.confirm(current.file, $0) } }
    #expect(try files.findings().isEmpty)
  }

  @Test func `a file that is erased while it is read ends with an error`() throws {
    let stored = try stored(wanted(200_000))
    let file = try #require(try files.open(stored))
    #expect(try file.next()?.count == 65_536)
    try files.setAside(stored)
    #expect(throws: (any Error).self) { try file.next() }
    #expect(try files.open(stored) == nil)
  }

  @Test func `modified content is reported`() throws {
    _ = try stored(wanted(100))
    try app.database.write {
      try $0.execute("UPDATE stored_part SET content = ?", [.blob(wanted(99) + [0])])
    }
    #expect(try files.findings() == ["1 stored files are damaged"])
    try app.database.write { try $0.execute("DELETE FROM stored_part") }
    #expect(try files.findings() == ["1 stored files are damaged"])
  }

  @Test func `pictures in the table are erased with their row`() throws {
    let table = MediaTable()
    let name = String(repeating: "ab", count: 16)
    let picture = DrawnPicture(
      large: DrawnPicture.Encoded(width: 2, height: 2, bytes: [1, 2, 3]),
      thumb: DrawnPicture.Encoded(width: 1, height: 1, bytes: [4, 0, 255]))
    try app.database.write { connection in
      try PhotoVersions.add(picture, as: name, of: "a photo", to: table, connection)
      #expect(try table.has(name, connection))
      #expect(try table.bytes(of: name, .large, connection) == [1, 2, 3])
      #expect(try table.bytes(of: name, .thumb, connection) == [4, 0, 255])
      #expect(try table.size(connection) == 6)
      try connection.execute("DELETE FROM media_file WHERE file = ?", [.text(name)])
      #expect(try !table.has(name, connection))
      #expect(try table.bytes(of: name, .large, connection) == nil)
    }
    #expect(try count("media_content") == 0)
  }
}
