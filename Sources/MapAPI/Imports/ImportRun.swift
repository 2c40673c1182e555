package import Import
import PrivacyMap
import SpatialDatabase

/// One import of one file, from its first row to its report.
package struct ImportRun {
  /// What became of a file.
  package struct Report: Sendable {
    /// The number that `farol imports undo` takes; nil for a dry run.
    package var id: Int64?
    package var rows = 0
    package var added = 0
    package var changed = 0
    package var unchanged = 0
    /// Of those changed and unchanged, known again by their place and category alone.
    package var matched = 0
    /// Devices of the source that stand in the box of the file and are in it no more; left as they are.
    package var gone = 0
    package var flagged = 0
    package var skipped = 0
    package var refused = 0
    /// How often each reason was given, such as `refused.too_far`.
    package var reasons: [String: Int] = [:]
  }

  /// What the person who imports decides.
  package struct Options: Sendable {
    /// Reads and checks everything and stores nothing, but a report where there is a `run`.
    package var isDryRun = false
    /// The row of `import_run` that was made for it; nil to make one, which a dry run does without.
    package var run: Int64?
    /// In place of the mapping's name and licence of the source.
    package var sourceName: String?
    package var licence: String?
    package var reading: ImportReader.Options?

    package init() {}
  }

  private let map: LiveMap
  private let mapping: ImportMapping
  private let mappingName: String
  private let options: Options

  /// Rows stored in one transaction: enough to make its `fsync` cheap, few enough that other writers
  /// wait no longer than a moment.
  private static let batchSize = 500

  package init(app: App, mapping: ImportMapping, named mappingName: String, options: Options) {
    self.init(map: app.map, mapping: mapping, named: mappingName, options: options)
  }

  package init(
    map: LiveMap, mapping: ImportMapping, named mappingName: String, options: Options
  ) {
    self.map = map
    self.mapping = mapping
    self.mappingName = mappingName
    self.options = options
  }

  /// Imports a file; `told` hears of every row that was flagged, skipped or refused, and why.
  ///
  /// It throws ``ImportFailure`` where the file breaks off, or it is not wanted any more; what came
  /// before stays, as a run that failed and can be undone.
  package func run(
    _ file: ByteSource, progress: (ImportProgress) -> Void = { _ in },
    isWanted: () -> Bool = { true },
    told: @escaping (ImportNote, _ row: Int) -> Void = { _, _ in }
  ) throws -> Report {
    let names = try categoryNames()
    let mapper = RowMapper(
      mapping: mapping, vocabulary: map.vocabulary, categoryNames: names,
      today: map.surroundings.now().day)
    var batch = Batch(
      map: map, source: source, isDryRun: options.isDryRun, run: options.run, told: told)
    try batch.begin(file: file.name, mapping: mappingName)
    let reader = ImportReader(file, options: options.reading ?? mapping.reading)
    do {
      batch.matchRadius = mapping.matchRadius
      batch.listed = try listed(in: reader, mapper, isWanted: isWanted)
      try reader.forEachRow(progress: progress) { row in
        batch.report.rows += 1
        for outcome in mapper.outcomes(for: row) { batch.take(outcome) }
        if batch.count >= Self.batchSize {
          try batch.flush()
          if !isWanted() { throw Self.stopped(at: batch.report.rows) }
        }
      }
      try batch.flush()
      try batch.tellGone()
      try batch.end(state: "done", error: nil)
    } catch {
      try? batch.flush()
      try batch.end(state: "failed", error: "\(error)")
      throw error
    }
    return batch.report
  }

  /// What the file has, where its source has devices already and ids by which they can be missed.
  ///
  /// A file that breaks off is told of when it is imported.
  private func listed(
    in reader: ImportReader, _ mapper: RowMapper, isWanted: () -> Bool
  ) throws -> ListedRecords? {
    guard mapping.hasKey else { return nil }
    let isKnown = try map.database.read { connection in
      try connection.integer(
        """
        SELECT 1 FROM device
        WHERE source_rowid = (SELECT rowid FROM source WHERE code = ?) LIMIT 1
        """, [.text(mapping.source.code)]) != nil
    }
    guard isKnown else { return nil }
    var listed = ListedRecords()
    do {
      var rows = 0
      try reader.forEachRow { row in
        for outcome in mapper.outcomes(for: row) { listed.add(outcome) }
        rows += 1
        if rows.isMultiple(of: Self.batchSize), !isWanted() { throw Self.stopped(at: rows) }
      }
    } catch is ImportFailure where isWanted() {}
    return listed
  }

  private static func stopped(at row: Int) -> ImportFailure {
    ImportFailure("the program was stopped", row: row)
  }

  private var source: SourceStore.Source {
    SourceStore.Source(
      code: mapping.source.code, name: options.sourceName ?? mapping.source.name,
      licence: options.licence ?? mapping.source.licence,
      attribution: mapping.source.attribution, url: mapping.source.url,
      isShareAlike: mapping.source.isShareAlike)
  }

  private func categoryNames() throws -> [String: String] {
    try map.database.read { connection in
      let names = try connection.rows(
        "SELECT code, label FROM translation WHERE scheme = 'categories' AND language = 'en'"
      ) { ($0.text(0), $0.text(1)) }
      return Dictionary(names) { first, _ in first }
    }
  }
}

/// Rows that wait to be stored in one transaction, and the account of all before them.
private struct Batch {
  let map: LiveMap
  let source: SourceStore.Source
  let isDryRun: Bool
  let told: (ImportNote, Int) -> Void
  var report = ImportRun.Report()
  private var devices: [(device: ImportedDevice, key: String)] = []
  private var notes: [(row: Int, severity: String, note: ImportNote)] = []
  private var keys = ImportKeys()
  private var sourceRowid: Int64 = 0
  /// Metres within which devices are known again; nil where they are by keys alone.
  var matchRadius: Double?
  /// What the file has, where that can be told of.
  var listed: ListedRecords?
  /// Devices known again by their place.
  private var matched: Set<Int64> = []

  init(
    map: LiveMap, source: SourceStore.Source, isDryRun: Bool, run: Int64?,
    told: @escaping (ImportNote, Int) -> Void
  ) {
    self.map = map
    self.source = source
    self.isDryRun = isDryRun
    report.id = run
    self.told = told
  }

  var count: Int { devices.count + notes.count / 4 }

  mutating func begin(file: String, mapping: String) throws {
    guard !isDryRun else { return }
    let (run, sourceRowid) = try map.database.write { [source, map, report] connection in
      let sourceRowid = try SourceStore().rowid(for: source, connection)
      if let run = report.id {
        try connection.execute(
          "UPDATE import_run SET source_rowid = ? WHERE rowid = ?",
          [.integer(sourceRowid), .integer(run)])
        return (run, sourceRowid)
      }
      try connection.execute(
        """
        INSERT INTO import_run (file, mapping, source_rowid, state, started_at)
        VALUES (?, ?, ?, 'running', ?)
        """,
        [
          .text(file), .text(mapping), .integer(sourceRowid),
          .text(map.surroundings.now().text),
        ])
      return (connection.lastInsertedRowID, sourceRowid)
    }
    report.id = run
    self.sourceRowid = sourceRowid
  }

  mutating func take(_ outcome: ImportOutcome) {
    switch outcome {
    case .device(let device):
      guard let key = keys.key(of: device) else {
        let note = ImportNote(
          .refused, field: "key", code: "same_key",
          detail: "An earlier row of this file has the same key.")
        report.refused += 1
        tell(note, "refused", row: device.row)
        return
      }
      if !device.notes.isEmpty { report.flagged += 1 }
      for note in device.notes { tell(note, "flagged", row: device.row) }
      devices.append((device, key))
    case .skipped(let refusal):
      report.skipped += 1
      tell(refusal.reason, "skipped", row: refusal.row)
    case .refused(let refusal):
      report.refused += 1
      tell(refusal.reason, "refused", row: refusal.row)
    }
  }

  private mutating func tell(_ note: ImportNote, _ severity: String, row: Int) {
    let field = note.field.map { "\($0)." } ?? ""
    report.reasons["\(severity).\(field)\(note.code)", default: 0] += 1
    notes.append((row, severity, note))
    told(note, row)
  }

  /// Stores what waits; of a dry run only what there is to say of it.
  mutating func flush() throws {
    defer {
      devices.removeAll(keepingCapacity: true)
      notes.removeAll(keepingCapacity: true)
    }
    guard !devices.isEmpty || !notes.isEmpty else { return }
    if isDryRun {
      count(try tried())
      guard let id = report.id else { return }
      try map.database.write { try keep(report, id, $0) }
    } else {
      let before = self
      self = try map.write { connection in
        var batch = before
        batch.count(try batch.store(connection))
        if let id = batch.report.id { try batch.keep(batch.report, id, connection) }
        return batch
      }
    }
  }

  private mutating func count(_ outcomes: [ImportStore.Outcome]) {
    report.count(outcomes)
    matched.formUnion(outcomes.compactMap(\.matched))
  }

  /// Says which devices of the source the file has no more.
  mutating func tellGone() throws {
    guard let listed else { return }
    let gone = try map.database.read(limit: .none) { connection in
      let known = try connection.integer(
        "SELECT rowid FROM source WHERE code = ?", [.text(source.code)])
      return try known.map {
        try listed.gone(from: ($0, source.code), except: matched, connection)
      }
    }
    report.gone = gone?.count ?? 0
    guard let id = report.id, let gone else { return }
    try map.database.write { connection in
      for device in gone {
        // Somebody may have deleted it meanwhile.
        try connection.execute(
          """
          INSERT INTO import_gone (import_rowid, device_rowid)
          SELECT ?, rowid FROM device WHERE rowid = ?
          """, [.integer(id), .integer(device)])
      }
    }
  }

  /// Keeps what there is to say of rows, and how far the import is, for whoever watches.
  private func keep(
    _ report: ImportRun.Report, _ id: Int64, _ connection: borrowing Connection
  ) throws {
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

  private func store(
    _ connection: borrowing Connection
  ) throws -> [ImportStore.Outcome] {
    let store = ImportStore(writer: map.writer, vocabulary: map.vocabulary)
    let author = DeviceWriter.Author(kind: "import", importRun: isDryRun ? nil : report.id)
    let origin = (rowid: sourceRowid, code: source.code)
    let match = matchRadius.map { radius in
      PlaceMatch(
        index: map.index, vocabulary: map.vocabulary, source: origin, radius: radius,
        listed: listed)
    }
    var taken = matched
    return try devices.map { device, key in
      let outcome = try store.store(
        device, key: key, source: origin, by: author, connection
      ) { try match?.device(for: device, besides: taken, connection) }
      if let rowid = outcome.matched { taken.insert(rowid) }
      return outcome
    }
  }

  /// What would become of the devices: they are stored, and the transaction is taken back.
  private func tried() throws -> [ImportStore.Outcome] {
    var batch = self
    var outcomes: [ImportStore.Outcome] = []
    do {
      try map.database.write { connection in
        batch.sourceRowid = try SourceStore().rowid(for: source, connection)
        outcomes = try batch.store(connection)
        throw OnlyTried()
      }
    } catch is OnlyTried {}
    return outcomes
  }

  private struct OnlyTried: Error {}

  func end(state: String, error: String?) throws {
    guard let id = report.id else { return }
    try map.database.write { connection in
      try report.keep(as: id, connection)
      try connection.execute(
        "UPDATE import_run SET state = ?, error = ?, finished_at = ? WHERE rowid = ?",
        [
          .text(state), SQLValue(error), .text(map.surroundings.now().text), .integer(id),
        ])
    }
  }
}

extension ImportRun.Report {
  fileprivate mutating func count(_ outcomes: [ImportStore.Outcome]) {
    for outcome in outcomes {
      if outcome.matched != nil { matched += 1 }
      switch outcome.kind {
      case .added: added += 1
      case .changed: changed += 1
      case .unchanged: unchanged += 1
      }
    }
  }

  fileprivate func keep(as id: Int64, _ connection: borrowing Connection) throws {
    try connection.execute(
      """
      UPDATE import_run SET rows = ?, added = ?, changed = ?, unchanged = ?, matched = ?,
        gone = ?, flagged = ?, skipped = ?, refused = ?
      WHERE rowid = ?
      """,
      [
        SQLValue(rows), SQLValue(added), SQLValue(changed), SQLValue(unchanged), SQLValue(matched),
        SQLValue(gone), SQLValue(flagged), SQLValue(skipped), SQLValue(refused), .integer(id),
      ])
  }
}
