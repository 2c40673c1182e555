import Import
import PrivacyMap
import SpatialDatabase

/// Rows of an import that go into the database in one transaction.
struct ImportPortion: Sendable {
  typealias Outcome = [ImportStore.Outcome]

  let map: LiveMap
  let source: SourceStore.Source
  var sourceRowid: Int64
  let matchRadius: Double?
  let listed: ListedRecords?
  /// Devices known again by their place before.
  let matched: Set<Int64>
  let records: [ImportRecord]
  let notes: [(row: Int, severity: String, note: ImportNote)]
  /// The account of all rows before these, with what was refused of these.
  var report: ImportRun.Report
  /// Whether some indexes are made at the end of the import only.
  var dropsIndexes = false

  /// Stores them, with what there is to say of them.
  func store() throws -> Outcome {
    try write { connection in
      if dropsIndexes {
        try LateIndexes.drop(connection, servesNobody: map.database.servesNobody)
      }
      let outcomes = try store(connection)
      var portion = self
      portion.report.count(outcomes)
      if let id = report.id { try portion.keep(as: id, connection) }
      return outcomes
    }
  }

  /// Writes; the index follows at once where somebody is answered from it or devices are looked for by
  /// their place, else before the next import.
  private func write<T>(_ body: (Connection) throws -> T) throws -> T {
    if map.database.servesNobody, matchRadius == nil { return try map.database.write(body) }
    return try map.write(body)
  }

  /// What would become of the devices: they are stored, and the transaction is taken back.
  func tried() throws -> Outcome {
    var portion = self
    var outcomes: Outcome = []
    do {
      try map.database.write { connection in
        portion.sourceRowid = try SourceStore().rowid(for: source, connection)
        outcomes = try portion.store(connection)
        throw OnlyTried()
      }
    } catch is OnlyTried {}
    return outcomes
  }

  private struct OnlyTried: Error {}

  private func store(_ connection: borrowing Connection) throws -> Outcome {
    let origin = (rowid: sourceRowid, code: source.code)
    let match = matchRadius.map { radius in
      PlaceMatch(
        index: map.index, vocabulary: map.vocabulary, source: origin, radius: radius,
        listed: listed)
    }
    // The first devices of a source are new, as a rule.
    let expected = listed == nil ? records.count : 0
    let author = DeviceWriter.Author(kind: "import", importRun: report.id)
    return try BulkAddition.run(expected, with: map.writer, by: author, connection) { addition in
      var store = ImportStore(map: map, source: origin, author: author, addition: addition)
      var taken = matched
      let outcomes = try records.map { record in
        let outcome = try store.store(record, connection) {
          try match?.device(for: record.device, besides: taken, connection)
        }
        if let rowid = outcome.matched { taken.insert(rowid) }
        return outcome
      }
      try store.settle(connection)
      return outcomes
    }
  }

  /// Keeps what there is to say of rows, and how far the import is, for whoever watches.
  func keep(as id: Int64, _ connection: borrowing Connection) throws {
    for (row, severity, note) in notes {
      try connection.execute(
        """
        INSERT INTO import_note (import_rowid, row, severity, field, code, detail)
        VALUES (?, ?, ?, ?, ?, ?)
        """,
        [
          .integer(id), SQLValue(row), .text(severity), SQLValue(note.field), .text(note.code),
          .text(note.detail),
        ])
    }
    try report.keep(as: id, connection)
  }
}
