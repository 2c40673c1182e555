import Foundation
import Locking
import Testing

@testable import SpatialDatabase

/// One connection: its exclusive use, its transactions and its end.
@Suite struct SessionTests {
  let test: TestDatabase

  init() throws {
    test = try TestDatabase(["CREATE TABLE thing (name TEXT);"])
    try test.database.write { connection in
      for name in ["a", "b"] {
        try connection.execute("INSERT INTO thing VALUES (?)", [.text(name)])
      }
    }
  }

  private func open() throws -> Session {
    try ConnectionSettings(part: .plainReader, busyTimeout: .seconds(5)).open(test.path)
  }

  /// The number of descriptors of this process for the database file.
  private func descriptors() throws -> Int {
    let folder = "/proc/self/fd/"
    return try FileManager.default.contentsOfDirectory(atPath: folder).filter { name in
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: folder + name)
      return target == test.path
    }.count
  }

  @Test func `a session without references is closed`() throws {
    let before = try descriptors()
    var session: Session? = try open()
    try session?.use { try session?.run("SELECT * FROM thing") }
    #expect(try descriptors() == before + 1)
    session = nil
    // SQLite keeps a descriptor until its process has no lock on the file.
    try test.database.close()
    #expect(try descriptors() == 0)
  }

  @Test func `a file that cannot be opened leaves no descriptor`() throws {
    let path = test.folder + "/text"
    try Data(repeating: 7, count: 5_000).write(to: URL(fileURLWithPath: path))
    let settings = ConnectionSettings(part: .plainReader, busyTimeout: .seconds(5))
    #expect(fault { _ = try settings.open(path) }?.message == "\(path): file is not a database")
    #expect(fault { _ = try settings.open(test.folder) }?.kind == .ioError)
    let folder = "/proc/self/fd/"
    let open = try FileManager.default.contentsOfDirectory(atPath: folder).compactMap { name in
      try? FileManager.default.destinationOfSymbolicLink(atPath: folder + name)
    }
    #expect(!open.contains(path))
  }

  @Test func `a statement in use is reported at the close, and ends the connection with it`() throws
  {
    try test.database.close()
    let session = try open()
    let sql = "SELECT name FROM thing ORDER BY name"
    // The second cursor needs a statement that is not in the cache.
    var cursors = try session.use {
      try (0..<2).map { _ in
        let cursor = try Connection(session: session).cursor(sql)
        #expect(try cursor.next()?.text(0) == "a")
        return cursor
      }
    }
    #expect(fault { try session.close() }?.kind == .busy)
    #expect(fault { try session.close() } == nil)
    #expect(fault { try session.use { try session.run(sql) } }?.kind == .closed)
    #expect(try descriptors() == 1)
    cursors.removeAll()
    #expect(try descriptors() == 0)
  }

  @Test func `a transaction that an earlier error left open is rolled back`() throws {
    let scratch = try ConnectionSettings(part: .scratch, busyTimeout: .seconds(1))
      .open(test.folder + "/scratch.db")
    try scratch.use {
      try scratch.run("CREATE TABLE thing (name TEXT)")
      try scratch.run("BEGIN")
      try scratch.run("INSERT INTO thing VALUES ('lost')")
    }
    try scratch.use {
      try scratch.transaction("BEGIN", limit: nil) {
        try scratch.run("INSERT INTO thing VALUES ('kept')")
      }
      #expect(
        try Connection(session: scratch).text("SELECT group_concat(name) FROM thing") == "kept")
    }
    try scratch.close()
  }

  @Test func `a thread that writes in a loop does not starve another`() throws {
    let database = test.database
    let progress = Locked((writes: 0, isOver: false))
    let ended = DispatchSemaphore(value: 0)
    let thread = Thread {
      while !progress.withLock({ $0.isOver }) {
        _ = try? database.write { _ in usleep(1_000) }
        progress.withLock { $0.writes += 1 }
      }
      ended.signal()
    }
    thread.start()
    for _ in 0..<5 {
      let before = progress.withLock { $0.writes }
      let after = try database.write { _ in progress.withLock { $0.writes } }
      #expect(after - before < 100)
    }
    progress.withLock { $0.isOver = true }
    ended.wait()
  }
}
