import Foundation
package import PrivacyMap
package import SpatialDatabase

/// The PMTiles file of the last night: the row of `tiles_file`.
package struct NightlyTilesFile {
  package let madeAt: Timestamp
  /// The last change in it.
  package let sequence: Int64
  package let bytes: Int
  package let sha256: String

  private static let (start, end) = ("devices-", ".pmtiles")

  package init(madeAt: Timestamp, sequence: Int64, bytes: Int, sha256: String) {
    (self.madeAt, self.sequence, self.bytes, self.sha256) = (madeAt, sequence, bytes, sha256)
  }

  /// `devices-1795680000-73405.pmtiles`.
  package var file: NightlyFile {
    NightlyFile(
      name: "\(Self.start)\(madeAt.secondsSinceEpoch)-\(sequence)\(Self.end)", sha256: sha256)
  }

  /// The newest one; nil before the first.
  package static func current(_ connection: borrowing Connection) throws -> NightlyTilesFile? {
    try connection.first(
      "SELECT made_at, sequence, bytes, sha256 FROM tiles_file ORDER BY made_at DESC LIMIT 1"
    ) { row in
      Timestamp(text: row.text(0)).map {
        NightlyTilesFile(
          madeAt: $0, sequence: row.int(1), bytes: Int(row.int(2)), sha256: row.text(3))
      }
    } ?? nil
  }

  /// Takes the place of the former one.
  package func store(_ connection: borrowing Connection) throws {
    try Self.forget(connection)
    try connection.execute(
      "INSERT INTO tiles_file (made_at, sequence, bytes, sha256) VALUES (?, ?, ?, ?)",
      [.text(madeAt.text), .integer(sequence), SQLValue(bytes), .text(sha256)])
  }

  package static func forget(_ connection: borrowing Connection) throws {
    try connection.execute("DELETE FROM tiles_file")
  }

  /// Erases all files of a folder but one: earlier files, and files without a row after an interruption or a restore.
  package static func eraseOthers(than kept: NightlyFile?, in folder: String) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    where name.hasPrefix(start) && name.hasSuffix(end) && name != kept?.name {
      unlink("\(folder)/\(name)")
    }
  }
}
