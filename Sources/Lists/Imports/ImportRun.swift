package import Devices
package import Import
import JSON
import PrivacyMap
import Reference
import SpatialDatabase

/// One import of one file, from its first row to its report.
package struct ImportRun {
  /// The result of importing a file.
  package struct Report: Sendable {
    /// The number that `farol imports undo` takes; nil for a dry run.
    package var id: Int64?
    package var rows = 0
    package var added = 0
    package var changed = 0
    package var unchanged = 0
    /// Of the changed and unchanged devices, the number matched only by place and category.
    package var matched = 0
    /// Devices that the file no longer has (``ListedRecords``); the import leaves them unchanged.
    package var gone = 0
    /// The file's own statement that it is incomplete; nil without one.
    package var incomplete: String?
    package var flagged = 0
    package var skipped = 0
    package var refused = 0
    /// The number of rows for each reason, such as `refused.too_far`.
    package var reasons: [String: Int] = [:]
    /// The columns of the file; nil until all rows are read.
    package var columns: ColumnUse?
  }

  /// The options of an import.
  package struct Options: Sendable {
    /// Reads and checks everything but stores nothing, except a report if there is a `run`.
    package var isDryRun = false
    /// The existing row of `import_run`; nil to add one. A dry run needs none.
    package var run: Int64?
    /// Override the source name and licence of the mapping.
    package var sourceName: String?
    package var licence: String?
    package var reading: ImportReader.Options?
    /// See ``RefusalLimit``. Tests use a smaller number.
    var firstRefusals = 100_000

    package init() {}
  }

  private let map: LiveMap
  private let mapping: ImportMapping
  private let mappingName: String
  private let options: Options

  /// Rows stored in one transaction: enough that its `fsync` costs little, few enough that other
  /// writers wait only briefly. A source's first devices are added in larger transactions, which is
  /// faster.
  private static let batchSize = 500
  private static let firstBatchSize = LateIndexes.minCount
  /// Used if no requests are served, so that no other writer waits.
  private static let loadSize = 5_000

  package init(map: LiveMap, mapping: ImportMapping, named mappingName: String, options: Options) {
    self.map = map
    self.mapping = mapping
    self.mappingName = mappingName
    self.options = options
  }

  /// Imports a file; `reported` is called for every row that was flagged, skipped or refused, with the
  /// reason.
  ///
  /// It throws ``ImportFailure`` if the file ends early or the import is cancelled. The rows before
  /// that stay, as a failed run that can be undone; `interrupted` is called with the report on them.
  package func run(
    _ file: ByteSource, progress: (ImportProgress) -> Void = { _ in },
    isWanted: () -> Bool = { true }, interrupted: (Report) -> Void = { _ in },
    reported: @escaping (ImportNote, _ row: Int) -> Void = { _, _ in }
  ) throws -> Report {
    try map.index.catchUp(with: map.database)
    let names = try map.database.read { try TaxonomyStore().categoryNames($0) }
    let mapper = RowMapper(
      mapping: mapping, vocabulary: map.vocabulary, categoryNames: names,
      today: map.environment.now().day, countries: map.countries)
    var batch = ImportBatch(
      map: map, source: source, mapping: mappingName, isDryRun: options.isDryRun,
      run: options.run, reported: reported)
    do {
      try batch.begin(file: file.name)
      if let id = batch.report.id { try describe(file, in: id) }
    } catch {
      // The report's row may exist already, and must not stay in the state of a running import.
      try? batch.end(state: "failed", error: "\(error)")
      throw error
    }
    let reader = ImportReader(file, options: options.reading ?? mapping.reading)
    var columns = ColumnTally(mapping)
    var limit = RefusalLimit(first: options.firstRefusals)
    var strays = StrayRows(mapping)
    do {
      batch.matchRadius = mapping.matchRadius
      batch.listed = try listed(in: reader, mapper, isWanted: isWanted)
      let size = portionSize(isFirst: batch.listed == nil)
      try reader.forEachRow(
        progress: progress, header: { columns.add(header: $0) }, stated: { batch.take($0) }
      ) { row in
        batch.report.rows += 1
        columns.add(row)
        for outcome in mapper.outcomes(for: row) {
          strays.take(outcome) { batch.take($0) }
          try limit.count(outcome) { try reader.format().hasTags }
        }
        if batch.count >= size {
          try batch.flush()
          if !isWanted() { throw Self.stopped(at: batch.report.rows) }
        }
      }
      strays.finish { batch.take($0) }
      try batch.flush()
      try batch.settle()
      if batch.listed?.isEmpty == true, batch.report.incomplete == nil {
        let hasRows = batch.report.rows > 0
        batch.take(.incomplete(hasRows ? "none of its rows can be used" : "it has no rows"))
      }
      try batch.tellGone()
      batch.report.columns = try columns.use(hasTags: reader.format().hasTags)
      try batch.end(state: "done", error: nil)
    } catch {
      strays.finish { batch.take($0) }
      try? batch.flush()
      try? batch.settle()
      let hasTags = (try? reader.format().hasTags) ?? true
      batch.report.columns = columns.use(hasTags: hasTags)
      try batch.end(state: "failed", error: "\(error)")
      interrupted(batch.report)
      throw error
    }
    return batch.report
  }

  /// Stores the size of the file and the mapping, with the choices made for this import.
  private func describe(_ file: ByteSource, in id: Int64) throws {
    var used = mapping.file
    var origin = used["source"]?.objectValue ?? JSONObject()
    if let name = options.sourceName { origin["name"] = .string(name) }
    if let licence = options.licence { origin["licence"] = .string(licence) }
    used["source"] = .object(origin)
    if let reading = options.reading {
      var input = used["input"]?.objectValue ?? JSONObject()
      if let format = reading.format { input["format"] = .string(format.rawValue) }
      if let layer = reading.layer { input["layer"] = .string(layer) }
      if !input.members.isEmpty { used["input"] = .object(input) }
    }
    let (text, bytes) = (JSONValue.object(used).text, file.size)
    try map.database.write { connection in
      try ImportRunStore().keep(mapping: text, bytes: bytes, of: id, connection)
    }
  }

  /// The records of the file, if the source already has devices and its records have ids or are found by their place,
  /// so that missing ones can be detected.
  ///
  /// A truncated or unsuitable file is reported later, by the import itself.
  private func listed(
    in reader: ImportReader, _ mapper: RowMapper, isWanted: () -> Bool
  ) throws -> ListedRecords? {
    guard mapping.hasKey || mapping.matchRadius != nil else { return nil }
    let isKnown = try map.database.read {
      try SourceStore.hasDevices(mapping.source.code, $0)
    }
    guard isKnown else { return nil }
    var listed = ListedRecords(mapping)
    var strays = StrayRows(mapping)
    var limit = RefusalLimit(first: options.firstRefusals)
    do {
      var rows = 0
      try reader.forEachRow(stated: { listed.add($0) }) { row in
        for outcome in mapper.outcomes(for: row) {
          strays.take(outcome) { listed.add($0) }
          try limit.count(outcome) { try reader.format().hasTags }
        }
        rows += 1
        if rows.isMultiple(of: Self.batchSize), !isWanted() { throw Self.stopped(at: rows) }
      }
    } catch is ImportFailure where isWanted() {}
    strays.finish { listed.add($0) }
    return listed
  }

  private func portionSize(isFirst: Bool) -> Int {
    if !isFirst { return Self.batchSize }
    return map.database.servesNobody ? Self.loadSize : Self.firstBatchSize
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
}

extension ImportRun.Report {
  mutating func count(_ outcomes: [ImportStore.Outcome]) {
    for outcome in outcomes {
      if outcome.isMatched { matched += 1 }
      switch outcome.kind {
      case .added: added += 1
      case .changed: changed += 1
      case .unchanged: unchanged += 1
      }
    }
  }
}
