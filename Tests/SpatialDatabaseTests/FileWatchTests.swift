import Foundation
import Testing

@testable import SpatialDatabase

/// External changes to the files of an open database.
@Suite struct FileWatchTests {
  let test: TestDatabase

  init() throws {
    test = try TestDatabase()
    try test.addPlace("first")
  }

  private func kind(_ body: () throws -> Void) -> DatabaseFault.Kind? {
    do { try body() } catch { return (error as? DatabaseFault)?.kind }
    return nil
  }

  private func move(_ from: String, _ to: String) throws {
    try FileManager.default.moveItem(atPath: from, toPath: to)
  }

  private var names: [String] {
    get throws { try test.names { _ in "1" } }
  }

  @Test func `unchanged files are sound, before and after a checkpoint`() throws {
    try test.database.confirmFile()
    try test.database.checkpoint(truncate: true)
    try test.addPlace("second")
    try test.database.confirmFile()
    #expect(try names == ["first", "second"])
  }

  @Test func `a moved database serves reads, and refuses writes until it is back`()
    throws
  {
    try move(test.path, test.path + ".away")
    #expect(kind { try test.addPlace("lost") } == .misplaced)
    #expect(kind { try test.database.confirmFile() } == .misplaced)
    #expect(try names == ["first"])
    try move(test.path + ".away", test.path)
    try test.addPlace("second")
    #expect(try names == ["first", "second"])
  }

  @Test func `a file that replaces the database is left alone, its log too`() throws {
    try move(test.path, test.path + ".away")
    try move(test.path + "-wal", test.path + ".away-wal")
    try Data("another".utf8).write(to: URL(fileURLWithPath: test.path))
    try Data("its log".utf8).write(to: URL(fileURLWithPath: test.path + "-wal"))
    #expect(kind { try test.addPlace("lost") } == .misplaced)
    try test.database.close()
    #expect(FileManager.default.contents(atPath: test.path) == Data("another".utf8))
    #expect(FileManager.default.contents(atPath: test.path + "-wal") == Data("its log".utf8))
  }

  @Test func `the content of a removed log is saved into the database`() throws {
    try FileManager.default.removeItem(atPath: test.path + "-wal")
    #expect(kind { try test.database.confirmFile() } == .misplaced)
    #expect(kind { try test.addPlace("lost") } == .misplaced)
    // As a start after a crash would find it.
    let copy = test.folder + "/copy.db"
    try FileManager.default.copyItem(atPath: test.path, toPath: copy)
    let other = try Database(path: copy, configuration: .small)
    #expect(try other.read { try $0.rows("SELECT name FROM place") { $0.text(0) } } == ["first"])
    try other.close()
  }

  @Test func `a truncated database refuses writes, also once it has its length again`()
    throws
  {
    try test.database.checkpoint(truncate: true)
    try test.database.confirmFile()
    let whole = try #require(FileManager.default.contents(atPath: test.path))
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: test.path))
    try file.truncate(atOffset: UInt64(whole.count / 2))
    #expect(kind { try test.addPlace("lost") } == .corrupt)
    try file.truncate(atOffset: UInt64(whole.count))
    #expect(kind { try test.addPlace("lost") } == .corrupt)
    // Closing a descriptor before would have released the locks.
    try file.close()
  }

  @Test func `damage found by a read stops all writes`() throws {
    for number in 0..<300 {
      try test.addPlace("place \(number) " + String(repeating: "x", count: 60))
    }
    try test.database.checkpoint(truncate: true)
    let size = try #require(FileManager.default.contents(atPath: test.path)).count
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: test.path))
    try file.seek(toOffset: 8_192)
    try file.write(contentsOf: [UInt8](repeating: 0xFF, count: size - 8_192))
    #expect(
      kind {
        _ = try test.database.read(limit: .none) { connection in
          for table in ["place", "kind", "place_text_data", "place_box_node"] {
            _ = try connection.rows("SELECT * FROM \(table)") { _ in 0 }
          }
        }
      } == .corrupt)
    #expect(kind { try test.addPlace("worse") } == .corrupt)
    #expect(kind { try test.database.confirmFile() } == .corrupt)
    try file.close()
  }
}
