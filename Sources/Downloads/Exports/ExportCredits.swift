import Reference
import Service
import SpatialDatabase

/// The credits of every record: its source's credits, or the instance's own for contributions to this instance.
struct ExportCredits: Sendable {
  let own: ExportCredit
  private let sources: [Int64: ExportCredit]
  /// The credits of the exported devices, the instance's own first.
  let all: [ExportCredit]

  /// `own` is the instance's credit. `used` are the sources of the exported devices, where nil is the
  /// instance itself. If `used` is nil, all sources on the map are credited.
  init(own: ExportCredit, for used: Set<Int64?>?, _ connection: borrowing Connection) throws {
    self.own = own
    let sources = try SourceStore.credits(connection)
    self.sources = Dictionary(sources.map { ($0.rowid, $0.credit) }) { first, _ in first }
    if let used {
      all =
        (used.contains(nil) ? [own] : [])
        + sources.filter { used.contains($0.rowid) }.map(\.credit)
    } else {
      let shown = Set(try connection.rows(SourceStore.credited) { $0.text(0) })
      all = [own] + sources.map(\.credit).filter { shown.contains($0.name) }
    }
  }

  /// `source` is a rowid of the table `source`, or nil.
  func credit(of source: Int64?) -> ExportCredit { source.flatMap { sources[$0] } ?? own }

  /// The credits of every source, by its rowid.
  var bySource: [Int64: ExportCredit] { sources }

  /// The address of a device's page without the id at its end.
  var deviceAddress: String { (own.url ?? "") + "/devices/" }

  /// Every licence once, in one line.
  var licences: String { Self.joined(all.map(\.licence), ", ") }

  /// Every attribution once, in one line.
  var attribution: String { Self.joined(all.map(\.attribution), " · ") }

  private static func joined(_ texts: [String], _ separator: String) -> String {
    var seen: Set<String> = []
    return texts.filter { !$0.isEmpty && seen.insert($0).inserted }.joined(separator: separator)
  }
}

/// The metadata of an export.
struct ExportNotes: Sendable {
  let title: String
  let credits: ExportCredits
  /// The address for the same export.
  let query: String
  /// The time of the snapshot (RFC 3339).
  let exportedAt: String
  /// The number of devices in the export.
  let total: Int

  static let generator = "Farol \(Farol.version)"

  /// One paragraph, for formats with a text description.
  var text: String {
    "\(total) devices of \(title), exported on \(exportedAt) from \(query). "
      + "Licences: \(credits.licences); each record names its own. \(credits.attribution)"
  }

  /// The same as a table, for a workbook.
  var about: [(String, String)] {
    [
      ("title", title), ("devices", String(total)), ("exported_at", exportedAt), ("query", query),
      ("licence", credits.licences), ("attribution", credits.attribution),
      ("generator", Self.generator), ("time zone", "UTC"),
    ]
  }
}
