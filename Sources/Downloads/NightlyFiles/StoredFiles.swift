import Foundation
package import PrivacyMap
package import SpatialDatabase
package import WebServer

/// Files in the tables `stored_file` and `stored_part`.
///
/// The content is stored before a row refers to it, in small separate transactions, so that other writes do not wait
/// for a large file. The change of the row that refers to it is then short.
package struct StoredFiles: NightlyFiles {
  /// Bytes of each part but the last.
  static let partSize = 65_536
  /// Parts in one round trip.
  private static let batch = 16
  /// Seconds after which content without a reference is no longer being stored.
  private static let grace: Int64 = 3_600

  package let database: Database
  package let drafts: String
  private let intact = IntactFiles()

  package init(in database: Database, drafts: String) {
    self.database = database
    self.drafts = drafts
  }

  package func keep(_ draft: String, as file: NightlyFile, at now: Timestamp) throws {
    guard let content = KeptFile(path: draft) else { throw SnapshotTrouble.cannotWrite(drafts) }
    try Self.store(content, as: file.sha256, at: now) { try database.apart($0) }
    unlink(draft)
  }

  /// Stores content, unless it is there already. `run` executes some statements.
  package static func store(
    _ content: KeptFile, as sha256: String, at now: Timestamp,
    _ run: ([Database.Item]) throws -> Void
  ) throws {
    var items: [Database.Item] = [
      (
        """
        INSERT INTO stored_file (sha256, bytes, stored_at) VALUES (?, ?, ?)
        ON CONFLICT (sha256) DO UPDATE SET stored_at = excluded.stored_at
        """, [.text(sha256), SQLValue(content.count), .text(now.text)]
      )
    ]
    var number: Int64 = 0
    func add(_ part: some Collection<UInt8>) throws {
      items.append(
        (
          """
          INSERT INTO stored_part (sha256, number, content) VALUES (?, ?, ?)
          ON CONFLICT (sha256, number) DO NOTHING
          """, [.text(sha256), .integer(number), .blob(Array(part))]
        ))
      number += 1
      guard items.count >= batch else { return }
      try run(items)
      items.removeAll()
    }
    var waiting: [UInt8] = []
    while let piece = try content.next() {
      waiting += piece
      while waiting.count >= partSize {
        try add(waiting.prefix(partSize))
        waiting.removeFirst(partSize)
      }
    }
    if !waiting.isEmpty { try add(waiting) }
    if !items.isEmpty { try run(items) }
  }

  /// Writes of all servers take turns, so no other write erases the content before the caller commits.
  package func confirm(_ file: NightlyFile, _ connection: borrowing Connection) throws {
    guard try Self.size(of: file, connection) != nil else {
      throw SnapshotTrouble.missing(file.name)
    }
  }

  package func open(_ file: NightlyFile) throws -> KeptFile? {
    guard let bytes = try database.readQuickly({ try Self.size(of: file, $0) }) else { return nil }
    let content = KeptFile(count: bytes) { [database] offset, length in
      // The name of the content is its checksum, so a replica cannot have another one.
      try ReplicaUse().permitting {
        try database.readQuickly { try Self.piece(of: file, offset, length, $0) }
      }
    }
    return try intact.confirmed(content, as: file)
  }

  /// The number of bytes; nil if the file does not exist or lacks a part.
  package static func size(of file: NightlyFile, _ connection: borrowing Connection) throws -> Int?
  {
    try connection.integer(
      """
      SELECT bytes FROM stored_file WHERE sha256 = ? AND bytes = (
        SELECT coalesce(sum(length(content)), 0) FROM stored_part
        WHERE stored_part.sha256 = stored_file.sha256)
      """, [.text(file.sha256)]
    ).map(Int.init)
  }

  /// A number of bytes from an offset.
  ///
  /// - Throws: ``SnapshotTrouble`` if they do not exist.
  package static func piece(
    of file: NightlyFile, _ offset: Int, _ length: Int, _ connection: borrowing Connection
  ) throws -> [UInt8] {
    let (first, last) = (offset / partSize, (offset + length - 1) / partSize)
    let parts = try connection.rows(
      """
      SELECT content FROM stored_part WHERE sha256 = ? AND number BETWEEN ? AND ? ORDER BY number
      """, [.text(file.sha256), SQLValue(first), SQLValue(last)]
    ) { $0.blob(0) }
    let (all, start) = (parts.reduce(into: []) { $0 += $1 }, offset - first * partSize)
    // It may have been erased since it was opened.
    guard all.count >= start + length else { throw SnapshotTrouble.missing(file.name) }
    return Array(all[start..<start + length])
  }

  package func present(_ files: [NightlyFile]) throws -> Set<NightlyFile> {
    let known = try database.readQuickly { connection in
      Set(try connection.rows("SELECT sha256 FROM stored_file") { $0.text(0) })
    }
    return Set(files.filter { known.contains($0.sha256) })
  }

  /// Condition: no row refers to a row of `stored_file`. Files of equal content are stored once.
  private static let isUnused = """
    NOT EXISTS (SELECT 1 FROM tiles_file WHERE tiles_file.sha256 = stored_file.sha256)
    AND NOT EXISTS (
      SELECT 1 FROM snapshot_file JOIN snapshot ON snapshot.day = snapshot_file.day
      WHERE snapshot_file.sha256 = stored_file.sha256 AND gone_at IS NULL)
    """

  package func erase(_ file: NightlyFile) throws {
    let erasure = Self.erasure(of: file.sha256)
    try database.write { try $0.execute(erasure.sql, erasure.arguments) }
  }

  /// Erases content to which no row refers.
  package static func erasure(of sha256: String) -> Database.Item {
    ("DELETE FROM stored_file WHERE sha256 = ? AND \(isUnused)", [.text(sha256)])
  }

  /// Keeps content to which no row refers from being erased for another hour.
  package static func renewal(of sha256: String, at now: Timestamp) -> Database.Item {
    ("UPDATE stored_file SET stored_at = ? WHERE sha256 = ?", [.text(now.text), .text(sha256)])
  }

  package func eraseFormer(_ file: NightlyFile) throws { try erase(file) }

  /// Erases it: its content is of no use, and the database of the operator has copies.
  package func setAside(_ file: NightlyFile) throws {
    try database.write {
      try $0.execute("DELETE FROM stored_file WHERE sha256 = ?", [.text(file.sha256)])
    }
  }

  package func sweep(at now: Timestamp) throws {
    let limit = now.later(-Self.grace)
    try database.write { connection in
      try connection.execute(
        "DELETE FROM stored_file WHERE stored_at < ? AND \(Self.isUnused)", [.text(limit.text)])
    }
  }

  /// The problems found, one sentence each.
  package func findings() throws -> [String] {
    let (missing, all) = try database.read(limit: .none) { connection in
      (
        try connection.integer(
          """
          SELECT count(*) FROM snapshot_file JOIN snapshot ON snapshot.day = snapshot_file.day
          WHERE gone_at IS NULL
            AND NOT EXISTS (SELECT 1 FROM stored_file WHERE stored_file.sha256 = snapshot_file.sha256)
          """) ?? 0,
        try connection.rows("SELECT sha256 FROM stored_file ORDER BY sha256") { $0.text(0) }
      )
    }
    let damaged = try all.count { try open(NightlyFile(name: $0, sha256: $0)) == nil }
    var findings: [String] = []
    if missing > 0 { findings.append("\(missing) files of snapshots are missing") }
    if damaged > 0 { findings.append("\(damaged) stored files are damaged") }
    return findings
  }
}
