import Foundation
import SpatialDatabase
import Testing

@Suite(.enabled(if: try FarolProgram.isThere()), .serialized)
final class CommandLineTests {
  private let program: FarolProgram

  init() throws { program = FarolProgram(folder: try TestFolder.make()) }

  deinit { try? FileManager.default.removeItem(at: program.folder) }

  private func list(_ rows: String) throws -> (file: String, mapping: String) {
    let file = program.folder.appendingPathComponent("list.csv")
    try Data(("id,name,lon,lat\n" + rows).utf8).write(to: file)
    let mapping = program.folder.appendingPathComponent("mapping.json")
    let text = """
      {"source": {"code": "test", "name": "Test", "licence": "CC0-1.0", "attribution": "Test"},
       "key": "{id}", "fields": {"longitude": "lon", "latitude": "lat",
       "category": "camera_fixed", "name": "name"}}
      """
    try Data(text.utf8).write(to: mapping)
    return (file.path, mapping.path)
  }

  @Test(arguments: [
    ("FAROL_LISTEN", "nowhere"), ("FAROL_LISTEN", "127.0.0.1:99999"), ("FAROL_VIEW", "1,2"),
    ("FAROL_VIEW", "1,2,99"), ("FAROL_BASE_URL", "ftp://x"), ("FAROL_BASE_URL", "https://x/path"),
    ("FAROL_CONNECTIONS", "many"), ("FAROL_CONNECTIONS_PER_ADDRESS", "0"), ("FAROL_HSTS", "yes"),
    ("FAROL_LOG", "xml"),
    ("FAROL_TRUSTED_PROXIES", "here"), ("FAROL_TILE_URL", "https://x/tile.png"),
    ("FAROL_TILE_URL", "https://x/{z}/{x}/{y}.png"), ("FAROL_STREETS", "/nowhere.mbtiles"),
    ("FAROL_SATELLITE", "/nowhere.mbtiles"), ("FAROL_SATELLITE", "https://x/{z}/{x}.jpg"),
    ("FAROL_SATELLITE", "https://x/{TileMatrix}/{TileRow}/{TileCol}.jpg"),
    ("FAROL_PEOPLE_MINIMUM", "9"), ("FAROL_READ_SECONDS", "-1"),
    ("FAROL_TLS_CERTIFICATE", "/nowhere"),
    ("FAROL_TLS_KEY", "/nowhere"), ("FAROL_SECURITY_CONTACT", "nobody"),
    ("FAROL_BACKUPS_DAILY", "0"), ("FAROL_BACKUPS_WEEKLY", "53"),
    ("FAROL_METRICS", "on"), ("FAROL_METRICS", "not a token at all"),
    ("FAROL_HOME", "/nowhere"), ("FAROL_IMAGE", "/nowhere"), ("FAROL_TEST_CLOCK", "yesterday"),
    ("FAROL_DATABASE_REPLICA", "other.db"), ("FAROL_DATABASE_REPLICA", "postgresql://db/farol"),
  ])
  func `a wrong setting stops the start with one sentence that names it`(
    name: String, value: String
  ) throws {
    var program = program
    program.environment[name] = value
    let outcome = try program.run("serve")
    #expect(outcome.status == 2)
    #expect(outcome.errors.hasPrefix("farol: FAROL_"))
    #expect(outcome.errors.contains(name) || outcome.errors.contains("ATTRIBUTION"))
    #expect(outcome.errors.split(separator: "\n").count == 1)
  }

  @Test func `help and version succeed, and usage errors differ from failures`() throws {
    #expect(try program.run("--help").status == 0)
    #expect(try program.run("serve", "--help").output.contains("FAROL_CONNECTIONS"))
    #expect(try program.run("--version").output.contains("."))
    #expect(try program.run("nothing").status == 2)
    #expect(try program.run("import").status == 2)
    #expect(try program.run("generate", "--devices", "0").status == 2)
    #expect(try program.run("import", "/nowhere.csv").status == 1)
    #expect(try program.run("imports", "undo", "7").status == 1)
  }

  @Test func `a foreign file is refused with a sentence, and left unchanged`()
    throws
  {
    let bytes = Data("This is no database, but a letter of some length. ".utf8)
    try bytes.write(to: URL(fileURLWithPath: program.database))
    for command in ["serve", "migrate", "check"] {
      let outcome = try program.run(command)
      #expect(outcome.status == 1, "\(command)")
      #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
      #expect(outcome.errors.contains("farol.db"))
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: program.database)) == bytes)
  }

  @Test func `a database of a later Farol is refused with a sentence`() throws {
    #expect(try program.run("migrate").status == 0)
    let database = try Database(path: program.database)
    try database.write { try $0.execute("PRAGMA user_version = 9999") }
    try database.close()
    let outcome = try program.run("serve")
    #expect(outcome.status == 1)
    #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
  }

  @Test func `a server serves, refuses a second one, imports and stops on request`() throws {
    let server = try program.serve()
    #expect(server.get("/readyz").contains("\"ready\""))

    let second = try program.run("serve", "--listen", "127.0.0.1:0")
    #expect(second.status == 1)
    #expect(second.errors.split(separator: "\n").count == 1, "\(second.errors)")

    let (file, mapping) = try list("1,One,7.4,46.9\n2,,1,1\n")
    let imported = try program.run("import", file, "--mapping", mapping)
    #expect(imported.status == 0, "\(imported.errors)")
    #expect(imported.output.contains("1 added"))
    #expect(imported.output.contains("1 refused"))
    #expect(server.get("/api/collections/devices/items").contains("\"One\""))

    let undone = try program.run("imports", "undo", "1")
    #expect(undone.output.contains("1 devices withdrawn"))
    #expect(!server.get("/api/collections/devices/items").contains("\"One\""))
    #expect(try program.run("imports", "undo", "1").status == 1)
    #expect(try program.run("check").status == 0)

    let started = ContinuousClock.now
    #expect(server.stop() == 0)
    #expect(ContinuousClock.now - started < .seconds(5))
    let sock = program.database + ".sock"
    #expect(!FileManager.default.fileExists(atPath: sock))
  }

  @Test func `the check finds a picture that belongs to no photo`() throws {
    #expect(try program.run("migrate").status == 0)
    let name = String(repeating: "ab", count: 16)
    let folder = program.folder.appendingPathComponent("media/ab/ab")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data([1]).write(to: folder.appendingPathComponent("\(name)-large.jpg"))
    let outcome = try program.run("check")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("1 pictures belong to no photo"))
    #expect(try program.run("check", "--media", "/nowhere").status == 0)
  }

  @Test func `without a server commands do the work themselves`() throws {
    let (file, mapping) = try list("1,One,7.4,46.9\n")
    let report = program.folder.appendingPathComponent("report.csv").path
    let dry = try program.run("import", file, "--mapping", mapping, "--dry-run", "--report", report)
    #expect(dry.status == 0 && dry.output.contains("would be: 1 added"), "\(dry.errors)")
    #expect(try String(contentsOfFile: report, encoding: .utf8).hasPrefix("\"file\",\"row\""))
    #expect(try program.run("import", file, "--mapping", mapping).output.contains("1 added"))
    let again = try program.run("import", file, "--mapping", mapping)
    #expect(again.output.contains("0 added, 0 changed, 1 unchanged"))
    #expect(try program.run("imports", "list").output.split(separator: "\n").count == 2)
    #expect(try program.run("generate", "--devices", "50", "--seed", "3").status == 0)
    #expect(try program.run("check").status == 0)
  }

  @Test func `the clock of tests is set to a time or moved by seconds`() throws {
    let (file, mapping) = try list("1,One,7.4,46.9\n")
    var program = program
    program.environment["FAROL_TEST_CLOCK"] = "2031-02-03T04:05:06Z"
    #expect(try program.run("import", file, "--mapping", mapping).status == 0)
    let database = try Database(path: program.database)
    let added = try database.read { try $0.text("SELECT created_at FROM device") }
    try database.close()
    #expect(added?.hasPrefix("2031-02-03T04:05:") == true)
  }
}
