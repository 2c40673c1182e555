import PrivacyMap
import SpatialDatabase

/// Erases for good what deleted devices said, once its day has come (the job ``job``).
struct DeviceErasure: Sendable {
  /// The kind of the job.
  static let job = "erase devices"

  let database: Database
  let surroundings: Surroundings
  /// Erases files of photos.
  let erasePhotos: @Sendable ([String]) throws -> Void

  /// Does what is due: rows first, then every trace of them in the search index, the log and the file.
  func run() throws {
    let today = surroundings.now().day
    let files = try database.write { connection in
      let due = try connection.rows(
        "SELECT id, content FROM tombstone_content WHERE erase_on <= ?", [.text(today.text)]
      ) { (id: $0.text(0), content: $0.text(1)) }
      try ErasureList.note(.device, due.map(\.id), at: surroundings.now(), connection)
      try connection.execute(
        "DELETE FROM tombstone_content WHERE erase_on <= ?", [.text(today.text)])
      let rows = due.compactMap { DeviceRows(json: $0.content) }
      try OperatorStore().eraseUnused(
        rows.reduce(into: []) { $0.formUnion($1.operators) }, connection)
      return rows.flatMap(\.photoFiles)
    }
    try erasePhotos(files)
    try eraseTraces()
  }

  /// Takes the words of rows that are gone out of the search index, where a deleted text leaves its
  /// words until its parts are merged, and out of the log.
  func eraseTraces() throws {
    // Each step is a short transaction of its own, so that writers wait for none of them long. The
    // first begins the merge of everything; the last changes nothing (SQLite FTS5, §6.8).
    var isFirst = true
    while try merge(isFirst ? -Self.pages : Self.pages) { isFirst = false }
    try database.checkpoint(truncate: true)
  }

  /// Pages of the search index that one step merges.
  private static let pages: Int64 = 500

  private func merge(_ pages: Int64) throws -> Bool {
    try database.write { connection in
      let before = try connection.integer("SELECT total_changes()") ?? 0
      try connection.execute(
        "INSERT INTO device_text (device_text, rank) VALUES ('merge', ?)", [.integer(pages)])
      let after = try connection.integer("SELECT total_changes()") ?? 0
      return after - before >= 2
    }
  }
}
