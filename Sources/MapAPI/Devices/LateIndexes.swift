import SpatialDatabase

/// Indexes of devices in whose order none come, so that a load of many is twice as quick without them;
/// made after it all at once they take a moment (docs/performance.md).
///
/// A load that is killed leaves them out. Each start makes what is missing, before anything is asked. Where
/// nobody is answered meanwhile, ``LateTrees`` wait with them.
enum LateIndexes {
  /// As the migrations made them.
  static let all: [(name: String, definition: String)] = [
    ("device_by_name", "CREATE INDEX device_by_name ON device (name, rowid)"),
    (
      "device_by_operator",
      """
      CREATE INDEX device_by_operator ON device (operator_rowid, rowid) WHERE operator_rowid IS NOT NULL
      """
    ),
  ]

  /// Fewer devices than this are no load of many.
  static let leastCount = 4_000
  /// Where more devices are, people look for them meanwhile.
  private static let mostKnown = 100_000

  /// Whether they are better made after `added` devices where `known` were before.
  static func mayWait(added: Int, known: Int) -> Bool {
    added >= max(leastCount, known) && known <= mostKnown
  }

  static func drop(_ connection: borrowing Connection, servesNobody: Bool) throws {
    for index in all { try connection.execute("DROP INDEX IF EXISTS \(index.name)") }
    if servesNobody { try LateTrees.drop(connection) }
  }

  /// Makes those that are missing, with what they sort in temporary files: in memory, ten million
  /// devices would take gigabytes.
  static func make(in database: Database) throws {
    guard try database.read(lacksAny) else { return }
    let points = try LateTrees.points(of: database)
    try database.write(sortingInFiles: true) { connection in
      try LateTrees.make(connection, with: points)
      for index in all where try connection.definition(of: "index", index.name) == nil {
        try connection.execute(index.definition)
      }
      // Its parts as one: the first thousand writes would merge them, each some megabytes at once.
      try connection.execute("INSERT INTO device_text (device_text) VALUES ('optimize')")
    }
  }

  private static func lacksAny(_ connection: borrowing Connection) throws -> Bool {
    for index in all where try connection.definition(of: "index", index.name) == nil { return true }
    return try LateTrees.lacksAny(connection)
  }
}
