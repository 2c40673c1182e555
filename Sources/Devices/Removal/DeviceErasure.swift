package import PrivacyMap
import Service
package import SpatialDatabase

/// Permanently erases the contents of deleted devices at the end of their retention period (the job
/// ``job``).
package struct DeviceErasure: Sendable {
  /// The kind of the job.
  package static let job = "erase devices"

  package let database: Database
  package let environment: Environment
  /// Deletes photo files.
  package let erasePhotos: @Sendable ([String]) throws -> Void

  package init(
    database: Database, environment: Environment,
    erasePhotos: @escaping @Sendable ([String]) throws -> Void
  ) {
    self.database = database
    self.environment = environment
    self.erasePhotos = erasePhotos
  }

  /// Erases everything that is due: first the rows, then their traces in the full-text index, the
  /// write-ahead log and the file.
  package func run() throws {
    let today = environment.now().day
    let files = try database.write { connection in
      let due = try connection.rows(
        "SELECT id, content FROM tombstone_content WHERE erase_on <= ?", [.text(today.text)]
      ) { (id: $0.text(0), content: $0.text(1)) }
      try ErasureList.note(.device, due.map(\.id), at: environment.now(), connection)
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

  /// Removes the words of deleted rows from the full-text index, which keeps the words of deleted
  /// texts until its segments are merged, and from the write-ahead log.
  package func eraseTraces() throws {
    // Each step is a separate short transaction, so that other writers wait only briefly. The first
    // step begins a merge of all segments.
    var isFirst = true
    while try merge(isFirst ? -Self.pages : Self.pages) { isFirst = false }
    try database.checkpoint(truncate: true)
  }

  /// Pages of the full-text index that one step merges.
  private static let pages: Int64 = 500

  private func merge(_ pages: Int64) throws -> Bool {
    try database.write { connection in
      try connection.mergeTexts(of: "device", pages: pages)
    }
  }
}
