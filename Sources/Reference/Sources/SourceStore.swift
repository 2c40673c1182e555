package import SpatialDatabase

/// The `source` table: the sources of records, and their licences.
package struct SourceStore {
  package init() {}

  /// A source as described in a mapping.
  package struct Source {
    package var code: String
    package var name: String
    package var licence: String
    package var attribution: String
    package var url: String?
    package var isShareAlike: Bool

    package init(
      code: String, name: String, licence: String, attribution: String, url: String? = nil,
      isShareAlike: Bool
    ) {
      self.code = code
      self.name = name
      self.licence = licence
      self.attribution = attribution
      self.url = url
      self.isShareAlike = isShareAlike
    }
  }

  /// Adds or updates a source and returns its rowid.
  package func rowid(for source: Source, _ connection: borrowing Connection) throws -> Int64 {
    try connection.execute(
      """
      INSERT INTO source (code, name, licence, attribution, url, share_alike)
      VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (code) DO UPDATE SET name = excluded.name, licence = excluded.licence,
        attribution = excluded.attribution, url = excluded.url, share_alike = excluded.share_alike
      """,
      [
        .text(source.code), .text(source.name), .text(source.licence), .text(source.attribution),
        SQLValue(source.url), SQLValue(source.isShareAlike),
      ])
    return try connection.integer("SELECT rowid FROM source WHERE code = ?", [.text(source.code)])
      ?? 0
  }

  /// The row of the source with the same credit and any code. Adds the source if it does not exist.
  package func rowid(
    credited source: Source, _ connection: borrowing Connection
  ) throws -> Int64 {
    let known = try connection.integer(
      """
      SELECT min(rowid) FROM source
      WHERE name = ? AND licence = ? AND attribution = ? AND url IS NOT DISTINCT FROM ?
      """,
      [
        .text(source.name), .text(source.licence), .text(source.attribution), SQLValue(source.url),
      ])
    return try known ?? rowid(for: source, connection)
  }

  /// Name, licence, attribution and address of every source with a device on the map.
  package static let credited = """
    SELECT name, licence, attribution, url FROM source
    WHERE EXISTS (SELECT 1 FROM device WHERE source_rowid = source.rowid AND hidden = 0)
    ORDER BY rowid
    """

  /// The attribution of all sources of the map, in one line.
  package func attribution(_ connection: borrowing Connection) throws -> String {
    var seen: Set<String> = []
    return try connection.rows(Self.credited) { $0.text(2) }
      .filter { !$0.isEmpty && seen.insert($0).inserted }
      .joined(separator: " · ")
  }

  /// The row of the source with this code; nil if it does not exist.
  package static func rowid(of code: String, _ connection: borrowing Connection) throws -> Int64? {
    try connection.integer("SELECT rowid FROM source WHERE code = ?", [.text(code)])
  }

  /// The name and licence of a source.
  package static func credit(
    of rowid: Int64, _ connection: borrowing Connection
  ) throws -> (name: String, licence: String)? {
    try connection.first("SELECT name, licence FROM source WHERE rowid = ?", [.integer(rowid)]) {
      ($0.text(0), $0.text(1))
    }
  }

  /// The credits of all sources, in the order of their rows.
  package static func credits(
    _ connection: borrowing Connection
  ) throws -> [(rowid: Int64, credit: ExportCredit)] {
    try connection.rows(
      "SELECT rowid, name, licence, attribution, url FROM source ORDER BY rowid"
    ) { row in
      (
        row.int(0),
        ExportCredit(
          name: row.text(1), licence: row.text(2), attribution: row.text(3),
          url: row.optionalText(4))
      )
    }
  }

  /// Whether a device is from a source of the same name as another.
  package static func isSource(
    named source: Int64, of device: Int64, _ connection: borrowing Connection
  ) throws -> Bool {
    try connection.integer(
      """
      SELECT 1 FROM device JOIN source ON source.rowid = device.source_rowid
      WHERE device.rowid = ? AND source.name = (SELECT name FROM source WHERE rowid = ?)
      """, [.integer(device), .integer(source)]) != nil
  }

  package static func hasDevices(
    _ code: String, _ connection: borrowing Connection
  ) throws -> Bool {
    try connection.integer(
      """
      SELECT 1 FROM device
      WHERE source_rowid = (SELECT rowid FROM source WHERE code = ?) LIMIT 1
      """, [.text(code)]) != nil
  }

  /// The rows of the sources under some licences, as a statement with one value for each.
  package static func rows(underLicences count: Int) -> String {
    "SELECT rowid FROM source WHERE licence IN (\(SQLValue.marks(count)))"
  }

  /// The name of a source by its row.
  package static let name = "SELECT name FROM source WHERE rowid = ?"

  /// The licence of the source, as a column of a statement that reads `device`.
  package static let licence =
    "(SELECT licence FROM source WHERE source.rowid = device.source_rowid)"
}
