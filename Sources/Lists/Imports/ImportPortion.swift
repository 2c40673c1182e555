import Devices
import Import
import PrivacyMap
import Reference
import SpatialDatabase

/// The reason why a row was flagged, skipped or refused.
struct RowNote: Sendable {
  let row: Int
  let severity: String
  let note: ImportNote
  /// The position of the flagged device among the records of the portion.
  var record: Int?
}

/// A device that an import would change.
struct RowChange: Sendable {
  let row: Int
  let device: Int64
  let differences: [FieldDifference]
}

/// Rows of an import that are stored in one transaction.
struct ImportPortion: Sendable {
  typealias Outcome = [ImportStore.Outcome]

  let map: LiveMap
  let source: SourceStore.Source
  var sourceRowid: Int64
  let matchRadius: Double?
  let listed: ListedRecords?
  /// Devices that earlier rows matched by their place.
  let matched: Set<Int64>
  let records: [ImportRecord]
  let notes: [RowNote]
  /// The report on all rows before these, including refused rows of this portion.
  var report: ImportRun.Report
  /// The changes that a dry run would make.
  var changes: [RowChange] = []
  /// Whether some indexes are created only at the end of the import.
  var dropsIndexes = false

  /// Stores the rows and their notes.
  func store() throws -> Outcome {
    try write { connection in
      if dropsIndexes {
        try LateIndexes.drop(connection, servesNobody: map.database.servesNobody)
      }
      let outcomes = try store(connection)
      var portion = self
      portion.report.count(outcomes)
      if let id = report.id { try portion.keep(as: id, devices: outcomes, connection) }
      return outcomes
    }
  }

  /// Runs a write. The point index is updated at once if requests are served or devices are matched by
  /// place, otherwise before the next import.
  private func write<T>(_ body: (Connection) throws -> T) throws -> T {
    if map.database.servesNobody, matchRadius == nil { return try map.database.write(body) }
    return try map.write(body)
  }

  /// The number of changed devices that a dry run shows.
  private static let maxChanges = 100

  /// The outcome for a dry run: the devices are stored, the first changes kept, and the transaction is rolled back.
  mutating func tried() throws -> Outcome {
    var portion = self
    var outcomes: Outcome = []
    var changes: [RowChange] = []
    let room = max(0, Self.maxChanges - report.changed)
    do {
      try map.database.write { connection in
        portion.sourceRowid = try SourceStore().rowid(for: source, connection)
        outcomes = try portion.store(connection)
        for (record, outcome) in zip(records, outcomes) where changes.count < room {
          guard let differences = try outcome.edit?.differences(connection), !differences.isEmpty
          else { continue }
          changes.append(
            RowChange(row: record.fileRow, device: outcome.device, differences: differences))
        }
        throw OnlyTried()
      }
    } catch is OnlyTried {}
    self.changes = changes
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
    // The first devices of a source are usually new.
    let expected = listed == nil ? records.count : 0
    let author = DeviceWriter.Author(kind: .import, importRun: report.id)
    let known = try DeviceKeyStore().devices(
      named: records.compactMap(\.key), in: source.code, connection)
    return try BulkAddition.run(
      expected, with: map.writer, by: author, namespace: source.code, connection
    ) { addition in
      var store = ImportStore(
        map: map, source: origin, author: author, known: known, addition: addition)
      var taken = matched
      let outcomes = try records.map { record in
        let outcome = try store.store(record, connection) {
          try match?.device(for: record, besides: taken, connection)
        }
        if outcome.isMatched { taken.insert(outcome.device) }
        return outcome
      }
      try store.settle(connection)
      return outcomes
    }
  }

  /// Stores the notes on rows and the progress of the import, for display. `devices` are the outcomes of
  /// the records; none after a dry run, whose devices are not stored.
  func keep(as id: Int64, devices: Outcome = [], _ connection: borrowing Connection) throws {
    for note in notes {
      let device = note.record.flatMap { devices.indices.contains($0) ? devices[$0].device : nil }
      try ImportRunStore().add(note, device: device, to: id, connection)
    }
    for change in changes { try ImportRunStore().add(change, to: id, connection) }
    try ImportRunStore().keep(report, of: id, connection)
  }
}
