import Logging
import PrivacyMap
package import SpatialDatabase

/// Erases for good what nobody can bring back any more: the job ``job``, once a day.
struct MediaSweep: Sendable {
  /// The kind of the job.
  static let job = "erase photos"
  /// How long after the last time it is done again.
  static let every = Duration.seconds(86_400)

  /// Seconds for which a file without a row may be one that is just being added.
  private static let grace: Int64 = 86_400

  let database: Database
  let surroundings: Surroundings
  let folder: MediaFolder

  /// Does what is due.
  func run() throws {
    let now = surroundings.now()
    let files = try database.write { try Self.settle(now, $0) }
    try erase(files)
    try eraseStrangers(now)
  }

  /// Erases every picture of the photos that files belong to, at once: for devices that are erased.
  func erase(photosOf files: [String]) throws {
    let names = "[" + files.map { "\"\($0)\"" }.joined(separator: ",") + "]"
    let all = try database.read { connection in
      try connection.rows(
        """
        SELECT file FROM media_file WHERE photo_id IN (
          SELECT photo_id FROM media_file WHERE file IN (SELECT value FROM json_each(?)))
          AND \(Self.isUnused)
        """, [.text(names)]
      ) { $0.text(0) }
    }
    try erase(all)
  }

  /// Whether neither a photo nor one of its earlier versions names a row of `media_file`.
  private static let isUnused = """
    NOT EXISTS (SELECT 1 FROM photo WHERE photo.file = media_file.file)
    AND NOT EXISTS (SELECT 1 FROM photo_version WHERE photo_version.file = media_file.file)
    """

  /// Decides what is not needed any more.
  ///
  /// - Returns: the files to be erased.
  private static func settle(
    _ now: Timestamp, _ connection: borrowing Connection
  ) throws -> [String] {
    let oldest = Timestamp(
      secondsSinceEpoch: now.secondsSinceEpoch - PhotoList.keptDays * 86_400)
    // Deleted photos and earlier versions whose time is over: their files are erased now.
    try connection.execute(
      """
      UPDATE media_file SET erase_at = ?1 WHERE photo_id IN (
        SELECT id FROM photo WHERE state = 'deleted' AND deleted_at <= ?2)
        OR file IN (SELECT file FROM photo_version WHERE erase_at <= ?1)
      """, [.text(now.text), .text(oldest.text)])
    try connection.execute(
      "DELETE FROM photo WHERE state = 'deleted' AND deleted_at <= ?", [.text(oldest.text)])
    try connection.execute("DELETE FROM photo_version WHERE erase_at <= ?", [.text(now.text)])
    // What came back with a device is needed again; what left with one is kept as long as it is.
    try connection.execute(
      "UPDATE media_file SET erase_at = NULL WHERE erase_at IS NOT NULL AND NOT (\(isUnused))")
    try connection.execute(
      "UPDATE media_file SET erase_at = ? WHERE erase_at IS NULL AND \(isUnused)",
      [.text(PhotoList.eraseMoment(after: now).text)])
    return try connection.rows(
      "SELECT file FROM media_file WHERE erase_at <= ?", [.text(now.text)]
    ) { $0.text(0) }
  }

  /// Files first, then their rows: what is interrupted is done again.
  private func erase(_ files: [String]) throws {
    guard !files.isEmpty else { return }
    for file in files { folder.erase(file) }
    try database.write { connection in
      try ErasureList.note(.picture, files, at: surroundings.now(), connection)
      for file in files {
        try connection.execute("DELETE FROM media_file WHERE file = ?", [.text(file)])
      }
    }
  }

  /// Erases files that no row knows, as a crash leaves them.
  private func eraseStrangers(_ now: Timestamp) throws {
    for file in try MediaCheck(database: database, folder: folder).strangers()
    where file.writtenAt < now.secondsSinceEpoch - Self.grace {
      folder.erase(file.name)
    }
  }
}

/// Looks for photos without files and files without a row.
struct MediaCheck {
  let database: Database
  let folder: MediaFolder

  /// What is wrong, one sentence each.
  func findings() throws -> [String] {
    let missing = try database.read { connection in
      try connection.rows(BackupContents.picturesInUse) { $0.text(0) }
    }.count { !folder.has($0) }
    let strangers = try strangers().count
    let changed = try changed()
    var findings: [String] = []
    if missing > 0 { findings.append("\(missing) photos have lost their files") }
    if changed > 0 { findings.append("\(changed) photos have other pictures than were kept") }
    if strangers > 0 { findings.append("\(strangers) pictures belong to no photo") }
    return findings
  }

  /// How many pictures are not what was written; of those kept before schema 21 only the length is
  /// known.
  private func changed() throws -> Int {
    typealias Kept = (file: String, bytes: Int, sha256: String?)
    let kept: [Kept] = try database.read(limit: .none) { connection in
      guard try connection.integer("PRAGMA user_version") ?? 0 >= 21 else { return [] }
      return try connection.rows("SELECT file, bytes, sha256 FROM media_file") {
        (file: $0.text(0), bytes: Int($0.int(1)), sha256: $0.optionalText(2))
      }
    }
    return kept.count { row in
      guard let large = folder.bytes(of: row.file, .large),
        let thumb = folder.bytes(of: row.file, .thumb)
      else { return false }
      return large.count + thumb.count != row.bytes
        || row.sha256.map { $0 != MediaFolder.digest(large, thumb) } ?? false
    }
  }

  /// The files of the folder that no row knows.
  func strangers() throws -> [(name: String, writtenAt: Int64)] {
    // The folder first: what is added meanwhile has a row by the time rows are read.
    let there = folder.names()
    let known = try database.read { connection in
      Set(try connection.rows("SELECT file FROM media_file") { $0.text(0) })
    }
    return there.filter { !known.contains($0.key) }.map { ($0.key, $0.value) }
  }
}

extension IndexCheck {
  /// What is wrong with the folder of photos, one sentence each; empty when nothing is.
  package static func mediaFindings(database: Database, media: String) throws -> [String] {
    let folder = MediaFolder(path: media, logger: Logger(label: "check"))
    return try MediaCheck(database: database, folder: folder).findings()
  }
}
