import Import
import JSON
import Service
import SpatialDatabase

/// An import as shown to admins.
struct ImportReport {
  let id: Int64
  let run: ImportRunStore.Run
  let isBeingUndone: Bool
  /// Whether its missing devices leave the map or return.
  let isBeingSettled: Bool
  /// The undoing of the import; nil if it was not undone.
  let undoing: ImportRunStore.Undoing?
  /// In the report of one import.
  var details: Details?

  /// The first devices that are missing from the file, in their present state; the number of notes per
  /// reason; and a page of notes about rows.
  struct Details {
    let gone: [ImportRunStore.Gone]
    /// The changes that a dry run would make; empty after an import, whose changes are in the history.
    let changes: [ImportRunStore.Change]
    let reasons: [ImportRunStore.Reason]
    let notes: [ImportRunStore.Note]
    let total: Int64
    let next: String?
  }

  /// Maximum number of missing devices listed; `gone` counts all of them.
  private static let shownGone = 100

  /// Nil if there is no such import.
  init?(_ id: Int64, _ worker: ImportWorker, _ connection: borrowing Connection) throws {
    guard let run = try ImportRunStore().run(id, connection) else { return nil }
    self.id = id
    self.run = run
    isBeingUndone = worker.activity(on: id) == .undoing
    isBeingSettled = worker.activity(on: id) == .settling
    undoing = try run.undoneAt.flatMap { _ in try ImportRunStore().undoing(of: id, connection) }
  }

  /// Adds the details, with the notes after a row, of one outcome or of all.
  mutating func add(
    notesAfter last: (row: Int64, rowid: Int64)?, severity: String?, limit: Int,
    _ connection: borrowing Connection
  ) throws {
    let store = ImportRunStore()
    let notes = try store.notes(
      of: id, severity: severity, after: last, limit: limit + 1, connection)
    let shown = notes.prefix(limit)
    details = Details(
      gone: try store.gone(of: id, limit: Self.shownGone, connection),
      changes: run.isDryRun ? try store.changes(of: id, connection) : [],
      reasons: try store.reasons(of: id, connection), notes: Array(shown),
      total: try store.noteCount(of: id, severity: severity, connection),
      next: notes.count > limit
        ? shown.last.map { PageCursor(keys: ["\($0.row)", "\($0.rowid)"]).text } : nil)
  }

  static let shape = JSONShape<ImportReport>(
    "importRun",
    [
      .count("id", \.id), .text("file", \.run.file), .text("mapping", \.run.mapping),
      .init("state", .oneOf(["running", "done", "failed", "undoing", "undone"])) {
        $0.isBeingUndone ? "undoing" : $0.run.state
      }, .text("error", \.run.error), .text("incomplete", \.run.incomplete),
      .flag("settling", \.isBeingSettled), .time("started_at", \.run.startedAt),
      .time("finished_at", \.run.finishedAt), .time("undone_at", \.run.undoneAt),
      .flag("dry_run", \.run.isDryRun), .text("by", \.run.by), .count("bytes", \.run.bytes),
      .flag("has_mapping", \.run.hasMapping), undo,
      .group(
        "schedule", if: { $0.run.schedule != nil }, .count("id") { $0.run.schedule?.id ?? 0 },
        .text("name") { $0.run.schedule?.name ?? "" }),
      .group(
        "source", if: { $0.run.source != nil }, .text("name") { $0.run.source ?? "" },
        .text("licence", \.run.licence)),
    ]
      + ImportRunStore.counts.map { name in
        .count(name) { $0.run.counts[name] ?? 0 }
      } + [
        columns, list("gone_devices", of: gone) { $0.gone },
        list("changes", of: change) { $0.changes },
        list("reasons", of: reason) { $0.reasons },
        list("notes", of: note) { $0.notes }, .count("notes_total") { $0.details?.total }.optional,
        // Null on the last page of one report; absent in lists.
        .added("next", .text.orNull) { $0.details.map { $0.next.json } },
      ])

  private static let undo = JSONShape<ImportReport>.Member.object(
    "undo",
    JSONShape<ImportRunStore.Undoing>(
      nil, .text("by", \.by), .flag("by_command", \.isByCommand), .text("reason", \.reason),
      .count("withdrawn", \.withdrawn), .count("restored", \.restored), .count("kept", \.kept)),
    { $0.undoing })

  /// Null while the file is read; absent in lists.
  private static let columns = JSONShape<ImportReport>.Member.added(
    "columns", ColumnUse.shape.schema.orNull
  ) { report in
    guard report.details != nil else { return nil }
    return report.run.columns.map(ColumnUse.shape.json) ?? .null
  }

  private static func list<Item>(
    _ name: String, of shape: JSONShape<Item>, _ items: @escaping @Sendable (Details) -> [Item]
  ) -> JSONShape<ImportReport>.Member {
    .init(name, .list(of: shape.schema)) { $0.details.map(items)?.map(shape.json) }.optional
  }

  private static let gone = JSONShape<ImportRunStore.Gone>(
    nil, .uuid("id") { $0.id }, .text("name") { $0.name }, .text("category") { $0.category },
    .text("status") { $0.status }, .flag("withdrawn") { $0.isWithdrawn })
  private static let change = JSONShape<ImportRunStore.Change>(
    nil, .count("row") { $0.row }, .uuid("device") { $0.device }, .text("name") { $0.name },
    .text("field") { $0.field }, .text("before") { $0.before }, .text("after") { $0.after })
  private static let reason = JSONShape<ImportRunStore.Reason>(
    nil, .text("severity") { $0.severity }, .text("field") { $0.field },
    .text("code") { $0.code }, .count("count") { $0.count })
  private static let note = JSONShape<ImportRunStore.Note>(
    nil, .count("row") { $0.row }, .text("severity") { $0.severity }, .text("field") { $0.field },
    .text("code") { $0.code }, .text("detail") { $0.detail }, .text("device") { $0.device })
}

/// A page of imports, with the mappings that new ones can use.
struct ImportList {
  let imports: [ImportReport]
  let mappings: [(name: String, title: String)]
  let next: String?

  static let shape = JSONShape<ImportList>(
    "imports", .list("imports", of: ImportReport.shape, \.imports),
    .list(
      "mappings", of: JSONShape(nil, .text("name") { $0.name }, .text("title") { $0.title }),
      \.mappings), .text("next", \.next))
}
