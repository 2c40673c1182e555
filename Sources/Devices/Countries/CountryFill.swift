import PrivacyMap
import SpatialDatabase

/// Sets the country of devices that were written without a map of countries, or with another one.
///
/// Each portion is a transaction that also stores the progress, so that the work continues after a
/// restart of the program.
struct CountryFill {
  static let job = "countries"
  static let every = Duration.seconds(300)

  let map: LiveMap
  /// Rows per transaction; other writes wait for at most one portion.
  var portion = 1_000

  /// Processes all remaining devices.
  ///
  /// - Throws: an error of the database.
  func run() throws {
    guard let countries = map.countries else { return }
    while try map.write({ try step(countries, $0) }) {}
  }

  /// Processes one portion.
  ///
  /// - Returns: whether devices remain.
  func step(_ countries: CountryMap, _ connection: borrowing Connection) throws -> Bool {
    let known = try connection.first("SELECT map, device_rowid, done FROM country_fill") { row in
      (row.text(0), row.int(1), row.bool(2))
    }
    var last: Int64 = 0
    if let known, known.0 == countries.digest {
      if known.2 { return false }
      last = known.1
    }
    let rows = try connection.rows(
      "SELECT rowid FROM device WHERE rowid > ? ORDER BY rowid LIMIT ?",
      [.integer(last), SQLValue(portion)]
    ) { $0.int(0) }
    for rowid in rows where try map.writer.settleCountry(rowid, connection) {
      try map.writer.change(rowid, kind: .changed, map.environment.now(), connection)
    }
    let isDone = rows.count < portion
    try connection.execute(
      """
      INSERT INTO country_fill (rowid, map, device_rowid, done) VALUES (1, ?, ?, ?)
      ON CONFLICT (rowid) DO UPDATE SET map = excluded.map,
        device_rowid = excluded.device_rowid, done = excluded.done
      """, [.text(countries.digest), .integer(rows.last ?? last), SQLValue(isDone)])
    return !isDone
  }
}
