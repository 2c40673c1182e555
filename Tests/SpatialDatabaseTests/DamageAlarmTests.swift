import Foundation
import Testing

@testable import SpatialDatabase

/// Suspected damage stops all writes until a check has confirmed or refuted it.
@Suite struct DamageAlarmTests {
  let test: TestDatabase

  init() throws {
    test = try TestDatabase()
    for number in 0..<50 { try test.addPlace("place \(number)") }
  }

  private func raise(_ code: Int32) throws {
    try #require(test.database.file).openWriter()
      .stopWriting(because: DatabaseFault(.corrupt, "looks damaged", code: code))
  }

  private func waitUntil(_ isDone: () -> Bool) {
    let end = ContinuousClock.now + .seconds(30)
    var done = isDone()
    while !done, .now < end {
      Thread.sleep(forTimeInterval: 0.005)
      done = isDone()
    }
    #expect(done)
  }

  /// Runs commands of the `sqlite3` shell, which has no restrictions.
  private func shell(_ commands: String) throws {
    #expect(try run("/usr/bin/sqlite3", "-bail", test.path, commands) == 0)
  }

  @Test(arguments: [11, 267, 779] as [Int32])
  func `writes continue once a check has found the file sound`(code: Int32) throws {
    try raise(code)
    waitUntil { fault { try test.addPlace("later") } == nil }
    #expect(fault { try test.database.confirmFile() } == nil)
    try raise(code)
    waitUntil { fault { try test.addPlace("later again") } == nil }
  }

  @Test func `writes are refused during the check, with the reason`() throws {
    try raise(11)
    let found = fault { try test.database.confirmFile() }
    // The check may already have passed.
    if let found {
      #expect(found.kind == .corrupt)
      #expect(found.message.contains("is being checked"))
    }
  }

  @Test func `a damaged page keeps writes refused, and the error states it`() throws {
    try test.database.checkpoint(truncate: true)
    let root = try test.database.read { connection in
      try connection.integer("SELECT rootpage FROM sqlite_schema WHERE name = 'kind'")
    }
    // By another process, because closing a descriptor in this process would release the locks.
    #expect(
      try run(
        "/bin/dd", "if=/dev/urandom", "of=\(test.path)", "bs=4096", "count=1", "conv=notrunc",
        "status=none", "seek=\(try #require(root) - 1)") == 0)
    try raise(11)
    waitUntil {
      fault { try test.database.confirmFile() }?.message.contains("restore a backup") == true
    }
    #expect(fault { try test.addPlace("worse") }?.kind == .corrupt)
  }

  @Test func `an unreadable schema is reported as damage`() throws {
    try test.database.checkpoint(truncate: true)
    // The first page after the file's header of 100 bytes, where the schema begins.
    #expect(
      try run(
        "/bin/dd", "if=/dev/urandom", "of=\(test.path)", "bs=1", "count=600", "conv=notrunc",
        "status=none", "seek=100") == 0)
    try raise(11)
    waitUntil {
      fault { try test.database.confirmFile() }?.message.contains("the database is damaged") == true
    }
  }

  @Test func `writes continue once a damaged page is restored`() throws {
    let path = test.path
    try test.database.checkpoint(truncate: true)
    let whole = try #require(FileManager.default.contents(atPath: path))
    let root = try #require(
      try test.database.read { connection in
        try connection.integer("SELECT rootpage FROM sqlite_schema WHERE name = 'kind'")
      })
    let offset = Int(root - 1) * 4_096
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try file.seek(toOffset: UInt64(offset))
    try file.write(contentsOf: Data(repeating: 0xA5, count: 4_096))
    try raise(11)
    waitUntil {
      fault { try test.database.confirmFile() }?.message.contains("restore a backup") == true
    }
    try file.seek(toOffset: UInt64(offset))
    try file.write(contentsOf: whole[offset..<offset + 4_096])
    waitUntil { fault { try test.addPlace("later") } == nil }
    // Closing a descriptor before would have released the locks.
    try file.close()
  }

  @Test(arguments: [
    "UPDATE place_text_data SET block = (SELECT block FROM place_text_data WHERE id = 1) WHERE id > 10",
    "UPDATE place_box_rowid SET nodeno = 7 WHERE rowid = 1",
  ])
  func `the check detects damage inside a virtual table`(damage: String) throws {
    try shell(damage)
    try raise(267)
    waitUntil {
      fault { try test.database.confirmFile() }?.message.contains("restore a backup") == true
    }
    #expect(fault { try test.addPlace("worse") }?.kind == .corrupt)
  }

  @Test func `closing ends a running check`() throws {
    try raise(267)
    try test.database.close()
    #expect(fault { try test.addPlace("late") }?.kind == .closed)
  }
}
