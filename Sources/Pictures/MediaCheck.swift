package import SpatialDatabase

/// Finds photos without files and files without a row.
package struct MediaCheck {
  /// Files of deleted photos are excluded: a backup must not bring them back.
  package static let picturesInUse = """
    SELECT file FROM photo WHERE state <> 'deleted'
    UNION
    SELECT photo_version.file FROM photo_version
    JOIN photo ON photo.rowid = photo_version.photo_rowid WHERE photo.state <> 'deleted'
    ORDER BY file
    """

  package let database: Database
  package let pictures: any PictureStore

  package init(database: Database, pictures: any PictureStore) {
    self.database = database
    self.pictures = pictures
  }

  /// The problems found, one sentence each.
  package func findings() throws -> [String] {
    let missing = try database.read(limit: .none) { connection in
      try connection.rows(Self.picturesInUse) { $0.text(0) }
        .count { try !pictures.has($0, connection) }
    }
    let strangers = try strangers().count
    let changed = try changed()
    var findings: [String] = []
    if missing > 0 { findings.append("\(missing) photos have lost their files") }
    if changed > 0 { findings.append("\(changed) photos have modified files") }
    if strangers > 0 { findings.append("\(strangers) pictures belong to no photo") }
    return findings
  }

  /// The number of pictures that differ from the written ones. For pictures from before schema 21, only the length is
  /// known.
  private func changed() throws -> Int {
    typealias Kept = (file: String, bytes: Int, sha256: String?)
    return try database.read(limit: .none) { connection in
      guard try connection.schemaVersion() >= 21 else { return 0 }
      let kept: [Kept] = try connection.rows("SELECT file, bytes, sha256 FROM media_file") {
        (file: $0.text(0), bytes: Int($0.int(1)), sha256: $0.optionalText(2))
      }
      return try kept.count { row in
        guard let large = try pictures.bytes(of: row.file, .large, connection),
          let thumb = try pictures.bytes(of: row.file, .thumb, connection)
        else { return false }
        return large.count + thumb.count != row.bytes
          || row.sha256.map { $0 != MediaFolder.digest(large, thumb) } ?? false
      }
    }
  }

  /// Pictures without a row.
  package func strangers() throws -> [(name: String, writtenAt: Int64)] {
    // The folder first: pictures added meanwhile have a row by the time the rows are read.
    let there = pictures.names()
    let known = try database.read { connection in
      Set(try connection.rows("SELECT file FROM media_file") { $0.text(0) })
    }
    return there.filter { !known.contains($0.key) }.map { ($0.key, $0.value) }
  }
}
