import Devices
import Import
import PrivacyMap
import Reference
import Service
import SpatialDatabase

/// Rows to be stored in one transaction, and the report on all rows before them.
struct ImportBatch {
  let map: LiveMap
  let source: SourceStore.Source
  /// The name of the mapping.
  private let mapping: String
  private let writer: DeviceWriter
  let isDryRun: Bool
  let reported: (ImportNote, Int) -> Void
  var report = ImportRun.Report()
  private var records: [ImportRecord] = []
  private var notes: [RowNote] = []
  private var keys = ImportKeys()
  private var sourceRowid: Int64 = 0
  /// The distance in metres within which devices are matched; nil to match by keys only.
  var matchRadius: Double?
  /// The records of the file; nil if missing records cannot be detected.
  var listed: ListedRecords?
  /// Devices matched by their place.
  private var matched: Set<Int64> = []
  /// The previous rows, which are being stored while the next are read.
  private var underWay: Future<ImportPortion.Outcome>?
  /// The number of devices on the map at the start.
  private let known: Int
  /// Whether indexes must be created at the end.
  private var lacksIndexes = false

  init(
    map: LiveMap, source: SourceStore.Source, mapping: String, isDryRun: Bool, run: Int64?,
    reported: @escaping (ImportNote, Int) -> Void
  ) {
    self.map = map
    self.source = source
    self.mapping = mapping
    writer = map.writer
    self.isDryRun = isDryRun
    report.id = run
    self.reported = reported
    known = map.index.snapshot.count
  }

  var count: Int { records.count + notes.count / 4 }

  mutating func begin(file: String) throws {
    guard !isDryRun else { return }
    let (run, sourceRowid) = try map.database.write { [source, mapping, map, report] connection in
      let sourceRowid = try SourceStore().rowid(for: source, connection)
      if let run = report.id {
        try ImportRunStore().setSource(sourceRowid, of: run, connection)
        return (run, sourceRowid)
      }
      let run = try ImportRunStore().add(
        file: file, mapping: mapping, source: sourceRowid, at: map.environment.now(), connection)
      return (run, sourceRowid)
    }
    report.id = run
    self.sourceRowid = sourceRowid
  }

  mutating func take(_ outcome: ImportOutcome) {
    if let reason = outcome.incompleteness { report.incomplete = reason }
    switch outcome {
    case .device(let device):
      guard let key = keys.key(of: device) else {
        if device.mayRepeat {
          let note = ImportNote(
            .refused, field: nil, code: "same_device",
            detail: "An earlier row of this file describes the same device.")
          report.skipped += 1
          return tell(note, "skipped", row: device.row)
        }
        let note = ImportNote(
          .refused, field: "key", code: "same_key",
          detail: "An earlier row of this file has the same key.")
        report.refused += 1
        tell(note, "refused", row: device.row)
        return
      }
      if !device.notes.isEmpty { report.flagged += 1 }
      for note in device.notes {
        tell(note, "flagged", row: device.row, record: records.count)
      }
      records.append(ImportRecord(device, key: key, of: source.code, writer))
    case .skipped(let refusal):
      report.skipped += 1
      tell(refusal.reason, "skipped", row: refusal.row)
    case .refused(let refusal):
      report.refused += 1
      tell(refusal.reason, "refused", row: refusal.row)
    }
  }

  private mutating func tell(
    _ note: ImportNote, _ severity: String, row: Int, record: Int? = nil
  ) {
    let field = note.field.map { "\($0)." } ?? ""
    report.reasons["\(severity).\(field)\(note.code)", default: 0] += 1
    notes.append(RowNote(row: row, severity: severity, note: note, record: record))
    reported(note, row)
  }

  /// Stores the pending rows while the next are read; a dry run only stores notes.
  mutating func flush() throws {
    defer {
      records.removeAll(keepingCapacity: true)
      notes.removeAll(keepingCapacity: true)
    }
    try settle()
    guard !records.isEmpty || !notes.isEmpty else { return }
    var portion = ImportPortion(
      map: map, source: source, sourceRowid: sourceRowid, matchRadius: matchRadius,
      listed: listed, matched: matched, records: records, notes: notes, report: report)
    if isDryRun {
      count(try portion.tried())
      guard let id = report.id else { return }
      portion.report = report
      try map.database.write { [portion] in try portion.keep(as: id, $0) }
    } else {
      if !lacksIndexes, LateIndexes.mayWait(added: report.added + records.count, known: known) {
        portion.dropsIndexes = true
        lacksIndexes = true
      }
      underWay = Future("import") { [portion] in try portion.store() }
    }
  }

  /// Waits until the flushed rows are stored, and counts them.
  mutating func settle() throws {
    guard let stored = underWay else { return }
    underWay = nil
    count(try stored.value())
  }

  private mutating func count(_ outcomes: ImportPortion.Outcome) {
    report.count(outcomes)
    matched.formUnion(outcomes.filter(\.isMatched).map(\.device))
  }

  mutating func take(_ statement: FileStatement) {
    if case .incomplete(let reason) = statement { report.incomplete = reason }
  }

  /// Records which devices of the source are missing from the file.
  mutating func tellGone() throws {
    guard let listed else { return }
    let gone = try map.database.read(limit: .none) { connection in
      let known = try SourceStore.rowid(of: source.code, connection)
      return try known.map {
        try listed.gone(
          from: ($0, source.code), mapping: mapping, except: matched, connection)
      }
    }
    report.gone = gone?.count ?? 0
    guard let id = report.id, let gone else { return }
    try map.database.write { connection in
      for device in gone { try ImportRunStore().addGone(device, to: id, connection) }
    }
  }

  /// Stores the report and the end, even for an account that may no longer import.
  mutating func end(state: String, error: String?) throws {
    // The keys of a million rows take 16 MB, and the indexes need memory.
    keys = ImportKeys()
    let (report, lacksIndexes) = (report, lacksIndexes)
    try WriteCondition.regardlessOfCaller {
      if lacksIndexes { try LateIndexes.make(in: map.database) }
      guard let id = report.id else { return }
      try map.database.write { connection in
        try ImportRunStore().keep(report, of: id, connection)
        try ImportRunStore().end(
          id, state: state, error: error, at: map.environment.now(), connection)
      }
    }
  }
}
