import Foundation
import Glibc
import SpatialDatabase
import Testing

@Suite struct OpeningTests {
  let test: TestDatabase

  init() throws { test = try TestDatabase() }

  @Test func `a database cannot be opened twice at the same time`() throws {
    let fault = fault { _ = try Database(path: test.path, configuration: .small) }
    #expect(fault?.kind == .locked)
    #expect(
      fault?.message.hasPrefix(
        "Another Farol (process \(ProcessInfo.processInfo.processIdentifier))")
        == true)
    try test.database.close()
    try Database(path: test.path, configuration: .small).close()
  }

  @Test func `the lock is effective against another process`() throws {
    let lock = test.path + ".lock"
    #expect(try run("/usr/bin/flock", "--nonblock", lock, "/bin/true") == 1)
    try test.database.close()
    #expect(try run("/usr/bin/flock", "--nonblock", lock, "/bin/true") == 0)
  }

  @Test func `the lock of another process is respected`() throws {
    try test.database.close()
    let other = Process()
    other.executableURL = URL(fileURLWithPath: "/usr/bin/flock")
    other.arguments = [
      "--no-fork", test.path + ".lock", "/bin/sh", "-c", "echo locked; exec sleep 60",
    ]
    let output = Pipe()
    other.standardOutput = output
    try other.run()
    defer {
      // A child of a Dispatch thread has SIGTERM blocked.
      kill(other.processIdentifier, SIGKILL)
      other.waitUntilExit()
    }
    _ = output.fileHandleForReading.availableData
    #expect(fault { _ = try Database(path: test.path, configuration: .small) }?.kind == .locked)
  }

  @Test func `reading during a running server needs no lock and changes nothing`() throws {
    try test.addPlace("one")
    let beside = try Database(path: test.path, configuration: .beside)
    #expect(try beside.read { try $0.text("SELECT name FROM place") } == "one")
    try test.addPlace("two")
    #expect(try beside.read { try $0.integer("SELECT count(*) FROM place") } == 2)
    #expect(fault { try beside.write { try $0.execute("DELETE FROM place") } }?.kind == .readOnly)
    #expect(fault { _ = try beside.migrate(directory: test.migrations) }?.kind == .readOnly)
    #expect(fault { try beside.checkpoint(truncate: false) }?.kind == .readOnly)
    try beside.close()
    try test.addPlace("three")
  }

  @Test func `reading a missing file does not create it`() throws {
    let path = test.folder + "/none.db"
    #expect(fault { _ = try Database(path: path, configuration: .beside) }?.kind == .unreadable)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `a second reader opens with the first reads at the same time`() throws {
    try test.addPlace("one")
    func name(_ connection: Connection) throws -> String? {
      try connection.text("SELECT name FROM place")
    }
    _ = try test.database.read(name)
    let files = openFiles()
    // The outer read holds the first reader.
    let both = try test.database.read { [try name($0), try test.database.read(name)] }
    #expect(both == ["one", "one"])
    #expect(openFiles() > files)
  }

  @Test func `a reader that opens late refuses what all readers refuse`() throws {
    let database = test.database
    try database.forbidReading(["kind"])
    let count = "SELECT count(code) FROM kind"
    for isNested in [false, true] {
      let fault = fault {
        try database.read { connection in
          _ = isNested ? try database.read { try $0.integer(count) } : try connection.integer(count)
        }
      }
      #expect(fault?.message.contains("prohibited") == true)
    }
  }

  /// How many files the database has open, over all its connections.
  private func openFiles() -> Int {
    let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return descriptors.count { descriptor in
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)"))
        == test.path
    }
  }

  @Test(arguments: [true, false]) func `a picture is refused as a database`(readOnly: Bool) throws {
    let path = test.folder + "/picture.db"
    let bytes = Data([0x89] + Array("PNG".utf8) + Array(repeating: 7, count: 5_000))
    try bytes.write(to: URL(fileURLWithPath: path))
    let configuration: Database.Configuration = readOnly ? .beside : .small
    let fault = fault { _ = try Database(path: path, configuration: configuration) }
    #expect(fault?.kind == .unreadable)
    #expect(fault?.message == "\(path): file is not a database")
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
  }

  @Test func `another program's database is refused and left unchanged`() throws {
    let path = test.folder + "/other.db"
    #expect(try run("/usr/bin/sqlite3", path, "CREATE TABLE a (b)") == 0)
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(fault { _ = try Database(path: path, configuration: .small) }?.kind == .notFarol)
    #expect(fault { _ = try Database(path: path, configuration: .beside) }?.kind == .notFarol)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  @Test func `a folder is not accepted as a database`() throws {
    #expect(
      fault { _ = try Database(path: test.migrations, configuration: .small) }?.kind == .unreadable)
  }

  @Test func `a missing folder is a fault`() throws {
    let fault = fault { _ = try Database(path: "/nowhere/farol.db", configuration: .small) }
    #expect(fault?.kind == .unreadable)
    #expect(fault?.message.contains("No such file or directory") == true)
  }

  @Test func `read permission for others is removed from the file`() throws {
    try test.database.close()
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: test.path)
    let again = try Database(path: test.path, configuration: .small)
    let attributes = try FileManager.default.attributesOfItem(atPath: test.path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    try again.close()
  }

  @Test func `closing leaves no log, and the next start detects a clean stop`() throws {
    try test.addPlace("one")
    try test.database.close()
    #expect(!FileManager.default.fileExists(atPath: test.path + "-wal"))
    let again = try Database(path: test.path, configuration: .small)
    #expect(again.wasInterrupted == false)
    #expect(again.startCheck == .complete)
    try again.close()
  }

  @Test func `data written before a crash are there after it`() throws {
    try test.addPlace("one")
    // The state after a crash: the file and its log as they are now.
    let copy = test.folder + "/crashed.db"
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: test.path + suffix, toPath: copy + suffix)
    }
    let again = try Database(path: copy, configuration: .small)
    #expect(again.wasInterrupted)
    #expect(again.startCheck == .complete)
    #expect(try again.read { try $0.text("SELECT name FROM place") } == "one")
    try again.close()
  }

  @Test func `a damaged file is refused at the start`() throws {
    try test.database.write { connection in
      for n in 0..<2_000 {
        try connection.execute(
          "INSERT INTO kind VALUES (?, ?)", [.text("k\(n)"), SQLValue(n + 10)])
      }
    }
    let root = try test.database.read { connection in
      try connection.integer("SELECT rootpage FROM sqlite_schema WHERE name = 'kind'")
    }
    try test.database.close()
    let file = try #require(FileHandle(forUpdatingAtPath: test.path))
    try file.seek(toOffset: UInt64((try #require(root) - 1) * 4096))
    try file.write(contentsOf: Data(repeating: 0xA5, count: 4096))
    try file.close()
    #expect(fault { _ = try Database(path: test.path, configuration: .small) }?.kind == .corrupt)
  }

  /// A table that makes the check take some time.
  private func addManyRows() throws {
    try test.database.write { connection in
      try connection.execute("CREATE TABLE many (a)")
      try connection.execute(
        """
        INSERT INTO many WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 600000)
        SELECT 'text number ' || i FROM n
        """)
    }
  }

  @Test func `damage found by the check after the start stops all writes`() throws {
    try addManyRows()
    try test.database.close()
    let file = try #require(FileHandle(forUpdatingAtPath: test.path))
    let size = try file.seekToEnd()
    try file.seek(toOffset: (size / 4096 - 10) * 4096)
    try file.write(contentsOf: Data(repeating: 0xA5, count: 4096))
    try file.close()
    var configuration = Database.Configuration.small
    configuration.startCheckLimit = .after(.zero)
    let again = try Database(path: test.path, configuration: configuration)
    #expect(again.startCheck == .unfinished)
    let end = ContinuousClock.now + .seconds(30)
    var found: DatabaseFault?
    while found == nil, .now < end {
      Thread.sleep(forTimeInterval: 0.01)
      found = fault { try again.confirmFile() }
    }
    #expect(found?.kind == .corrupt)
    #expect(fault { try again.write { _ in } }?.kind == .corrupt)
    #expect(try again.read { try $0.integer("SELECT count(*) FROM kind") } == 2)
    try again.close()
  }

  @Test func `closing ends a running check and leaves no log`() throws {
    try addManyRows()
    try test.database.close()
    var configuration = Database.Configuration.small
    configuration.startCheckLimit = .after(.zero)
    for _ in 0..<5 {
      let again = try Database(path: test.path, configuration: configuration)
      try again.write { try $0.execute("INSERT INTO many VALUES ('one more')") }
      try again.close()
      #expect(!FileManager.default.fileExists(atPath: test.path + "-wal"))
    }
  }

  @Test func `a check that runs out of time is unfinished and no fault`() throws {
    try addManyRows()
    try test.database.close()
    var configuration = Database.Configuration.small
    configuration.startCheckLimit = .after(.milliseconds(1))
    let again = try Database(path: test.path, configuration: configuration)
    #expect(again.startCheck == .unfinished)
    #expect(try again.read { try $0.integer("SELECT count(*) FROM many") } == 600_000)
    #expect(try again.integrityCheck().isSound)
    try again.close()
  }

  @Test func `the check finds a broken reference`() throws {
    try test.addPlace("one")
    try test.database.close()
    #expect(
      try run("/usr/bin/sqlite3", test.path, "PRAGMA foreign_keys = OFF; DELETE FROM kind") == 0)
    let beside = try Database(path: test.path, configuration: .beside)
    #expect(try beside.integrityCheck().rows == ["row 1 of place refers to no row of kind"])
    try beside.close()
  }

  @Test func `use after closing is a fault`() throws {
    try test.database.close()
    try test.database.close()
    #expect(fault { try test.database.read { _ in } }?.kind == .closed)
    #expect(fault { try test.database.write { _ in } }?.kind == .closed)
    #expect(fault { try test.database.checkpoint(truncate: true) }?.kind == .closed)
  }

  @Test func `opening two hundred times leaks no resources`() throws {
    // SpatiaLite has room for 64 connections per process; a single leak per opening would exceed
    // it.
    let before = try residentKibibytes()
    for _ in 0..<200 {
      let beside = try Database(path: test.path, configuration: .beside)
      #expect(try beside.read { try $0.integer("SELECT ST_X(MakePoint(7, 8))") } == 7)
      try beside.close()
    }
    #expect(try residentKibibytes() - before < 60_000)
  }

  private func residentKibibytes() throws -> Int {
    let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(
      separator: " ")
    return try #require(Int(fields[1])) * 4
  }
}

@Suite struct MaintenanceTests {
  let test: TestDatabase

  init() throws { test = try TestDatabase() }

  @Test func `a truncating checkpoint leaves an empty log`() throws {
    try test.addPlace("one")
    try test.database.checkpoint(truncate: true)
    let attributes = try FileManager.default.attributesOfItem(atPath: test.path + "-wal")
    #expect(attributes[.size] as? Int == 0)
    #expect(try test.names { _ in "TRUE" } == ["one"])
  }

  @Test func `an erased text leaves no bytes after a truncating checkpoint`() throws {
    let secret = "resident@an-address.example"
    try test.addPlace(secret)
    try test.database.write { connection in
      try connection.execute("DELETE FROM place_text")
      try connection.execute("INSERT INTO place_text (place_text) VALUES ('optimize')")
      try connection.execute("DELETE FROM place")
    }
    try test.database.checkpoint(truncate: true)
    for suffix in ["", "-wal"] {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: test.path + suffix))
      #expect(bytes.range(of: Data(secret.utf8)) == nil)
    }
  }

  @Test func `optimizing succeeds without an error`() throws { try test.database.optimize() }

  @Test func `a backup is complete, private and opens as a database`() throws {
    try test.addPlace("one")
    let copy = test.folder + "/copy.db"
    try test.database.backup(to: copy)
    try test.addPlace("two")
    let attributes = try FileManager.default.attributesOfItem(atPath: copy)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let restored = try Database(path: copy, configuration: .small)
    #expect(try restored.read { try $0.text("SELECT group_concat(name) FROM place") } == "one")
    #expect(try restored.integrityCheck().isSound)
    #expect(try restored.migrate(directory: test.migrations) == [])
    try restored.close()
  }

  @Test func `reading a backup needs no log and creates no file`() throws {
    try test.addPlace("one")
    let copy = test.folder + "/copy.db"
    try test.database.backup(to: copy)
    // Bytes 18 and 19 are 1 without a log, and 2 with one (https://sqlite.org/fileformat2.html, §1.3.3).
    #expect(try Data(contentsOf: URL(fileURLWithPath: copy))[18...19].elementsEqual([1, 1]))
    let file = try ReadOnlyFile(path: copy)
    #expect(try file.read { try $0.text("SELECT name FROM place") } == "one")
    try file.close()
    let files = try FileManager.default.contentsOfDirectory(atPath: test.folder)
    #expect(files.filter { $0.hasPrefix("copy") } == ["copy.db"])
  }

  @Test func `a backup during a running server has its latest writes`() throws {
    try test.addPlace("one")
    let beside = try Database(path: test.path, configuration: .beside)
    try beside.backup(to: test.folder + "/copy.db")
    try beside.close()
    let copy = try Database(path: test.folder + "/copy.db", configuration: .beside)
    #expect(try copy.read { try $0.text("SELECT name FROM place") } == "one")
    try copy.close()
  }

  @Test func `a backup overwrites nothing and leaves no temporary file`() throws {
    #expect(fault { try test.database.backup(to: test.path) }?.kind == .unreadable)
    #expect(fault { try test.database.backup(to: "/nowhere/copy.db") }?.kind == .unreadable)
    let files = try FileManager.default.contentsOfDirectory(atPath: test.folder)
    #expect(!files.contains { $0.hasSuffix(".part") })
  }
}

@Suite struct ReadOnlyFileTests {
  let test: TestDatabase

  init() throws { test = try TestDatabase([]) }

  @Test func `another program's file is read and not written`() throws {
    let path = test.folder + "/tiles.mbtiles"
    #expect(
      try run("/usr/bin/sqlite3", path, "CREATE TABLE a (b); INSERT INTO a VALUES (x'0102')") == 0)
    let file = try ReadOnlyFile(path: path, readers: 2)
    #expect(try file.read { try $0.first("SELECT b FROM a") { $0.blob(0) } } == [1, 2])
    #expect(fault { try file.read { try $0.execute("DELETE FROM a") } }?.kind == .readOnly)
    try file.close()
    #expect(fault { try file.read { _ in } }?.kind == .closed)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: test.folder)
        .filter { $0.hasPrefix("tiles") } == ["tiles.mbtiles"])
  }

  @Test func `a missing file or one of another format is unreadable`() throws {
    #expect(fault { _ = try ReadOnlyFile(path: test.folder + "/none") }?.kind == .unreadable)
    let path = test.folder + "/text"
    try Data("not a database, but long enough to be looked at as one".utf8)
      .write(to: URL(fileURLWithPath: path))
    #expect(fault { _ = try ReadOnlyFile(path: path) }?.kind == .unreadable)
  }
}
