import Foundation
import SpatialDatabase

/// A temporary folder with a database, deleted when the test ends.
final class TestDatabase {
  let folder: String
  let database: Database

  var path: String { folder + "/farol.db" }
  var migrations: String { folder + "/migrations" }

  /// A place with its box and its text, as features have them.
  static let placeSchema = """
    -- A place; the comment's ; is no end.
    SELECT InitSpatialMetaData(0, 'WGS84');
    CREATE TABLE kind (code TEXT PRIMARY KEY, number INTEGER NOT NULL UNIQUE);
    INSERT INTO kind VALUES ('camera', 3), ('beacon', 4);
    CREATE TABLE place (
      rowid     INTEGER PRIMARY KEY,
      name      TEXT NOT NULL UNIQUE CHECK (length(name) < 100),
      kind      TEXT NOT NULL REFERENCES kind (code),
      tags      TEXT NOT NULL DEFAULT '[]',
      longitude REAL NOT NULL,
      latitude  REAL NOT NULL
    );
    SELECT AddGeometryColumn('place', 'point', 4326, 'POINT', 'XY', 1);
    CREATE VIRTUAL TABLE place_box USING rtree(
      rowid, west, east, south, north, kind_low, kind_high);
    CREATE VIRTUAL TABLE place_text USING fts5(name);
    CREATE TRIGGER place_added AFTER INSERT ON place BEGIN
      INSERT INTO place_box
      SELECT new.rowid, new.longitude, new.longitude, new.latitude, new.latitude, number, number
      FROM kind WHERE code = new.kind;
      INSERT INTO place_text (rowid, name) VALUES (new.rowid, new.name);
    END;
    """

  /// Opens a database and runs migrations, the first numbered 1.
  init(
    _ schema: [String] = [placeSchema], configuration: Database.Configuration = .small
  ) throws {
    folder = NSTemporaryDirectory() + "farol-" + UUID().uuidString
    try FileManager.default.createDirectory(
      atPath: folder + "/migrations", withIntermediateDirectories: true)
    database = try Database(path: folder + "/farol.db", configuration: configuration)
    for (index, sql) in schema.enumerated() { try addMigration(index + 1, "step", sql) }
    _ = try database.migrate(directory: migrations)
  }

  func addMigration(_ number: Int, _ name: String, _ sql: String) throws {
    let digits = String(number)
    let file = String(repeating: "0", count: 4 - digits.count) + digits + "_" + name + ".sql"
    try Data(sql.utf8).write(to: URL(fileURLWithPath: migrations + "/" + file))
  }

  func addPlace(
    _ name: String, kind: String = "camera", tags: String = "[]", longitude: Double = 0,
    latitude: Double = 0
  ) throws {
    try database.write { connection in
      try connection.execute(
        """
        INSERT INTO place (name, kind, tags, longitude, latitude, point)
        VALUES (?, ?, ?, ?, ?, MakePoint(?, ?, 4326))
        """,
        [
          .text(name), .text(kind), .text(tags), .real(longitude), .real(latitude),
          .real(longitude), .real(latitude),
        ])
    }
  }

  /// The names of the places that satisfy a condition, in alphabetical order.
  func names(
    _ arguments: [SQLValue] = [], where condition: (Connection) -> String
  ) throws -> [String] {
    try database.read { connection in
      try connection.rows(
        "SELECT name FROM place WHERE \(condition(connection)) ORDER BY name", arguments
      ) { $0.text(0) }
    }
  }

  deinit {
    try? database.close()
    try? FileManager.default.removeItem(atPath: folder)
  }
}

extension Database.Configuration {
  /// Two readers, so that many parallel tests need few resources.
  static var small: Database.Configuration {
    var configuration = Database.Configuration()
    configuration.readers = 2
    return configuration
  }

  static var beside: Database.Configuration {
    var configuration = small
    configuration.readOnly = true
    return configuration
  }
}

/// The fault that `body` throws, or nil.
func fault(_ body: () throws -> Void) -> DatabaseFault? {
  do {
    try body()
    return nil
  } catch {
    return error as? DatabaseFault
  }
}

/// Runs a program to its end and returns its exit status.
func run(_ program: String, _ arguments: String...) throws -> Int32 {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: program)
  process.arguments = arguments
  try process.run()
  process.waitUntilExit()
  return process.terminationStatus
}
