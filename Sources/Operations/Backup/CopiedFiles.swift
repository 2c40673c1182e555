import Downloads
import Foundation
import Logging
import Pictures
import PrivacyMap
import Service
import SpatialDatabase

/// Moves photos, snapshots and the file with all tiles with the tables of an instance: from folders into the database,
/// or back.
///
/// Files that are missing, or differ from their row, are left out and counted, as `farol check` counts them.
package final class CopiedFiles {
  /// The tables that contain files on PostgreSQL and are empty on SQLite.
  static let tables: Set<String> = ["media_content", "stored_file", "stored_part"]

  private let media: MediaFolder
  private let snapshots: FolderFiles
  /// Removes the files that this copy has created.
  private var undo: [() -> Void] = []

  package private(set) var pictures = 0
  /// Files of snapshots, and the one with all tiles.
  package private(set) var nightlyFiles = 0
  /// Files that do not exist or differ from their row.
  package private(set) var missing = 0

  /// The folders of the instance on SQLite.
  package init(media: String, snapshots: String) {
    self.media = MediaFolder(path: media, logger: Logger(label: "copy"))
    self.snapshots = FolderFiles(path: snapshots)
  }

  /// - Parameters:
  ///   - old: the source.
  ///   - new: the target, whose other tables are complete.
  ///   - isInTables: whether the target holds files in tables.
  /// - Throws: ``DatabaseFault``, and errors of files.
  func move(from old: Connection, to new: Connection, isInTables: Bool) throws {
    let pictures = try MediaFiles().all(new)
    var nightly = try NightlyFile.ofSnapshots(new)
    if let tiles = try NightlyTilesFile.current(new) { nightly.append(tiles.file) }
    for picture in pictures {
      let done =
        try isInTables
        ? store(picture.name, picture.sha256, new) : write(picture.name, picture.sha256, old)
      count(done, \.pictures)
    }
    for file in nightly {
      count(try isInTables ? store(file, new) : write(file, old), \.nightlyFiles)
    }
  }

  /// Removes the files that were created, because the copy failed.
  func takeBack() {
    for undo in undo { undo() }
    undo = []
  }

  private func count(_ isDone: Bool, _ kind: ReferenceWritableKeyPath<CopiedFiles, Int>) {
    self[keyPath: isDone ? kind : \.missing] += 1
  }

  // Pictures

  private static func isIntact(_ large: [UInt8], _ thumb: [UInt8], _ sha256: String?) -> Bool {
    sha256.map { $0 == MediaFolder.digest(large, thumb) } ?? true
  }

  /// From the folder into the database.
  private func store(_ name: String, _ sha256: String?, _ new: Connection) throws -> Bool {
    guard let large = media.bytes(of: name, .large), let thumb = media.bytes(of: name, .thumb),
      Self.isIntact(large, thumb, sha256)
    else { return false }
    let table = MediaTable()
    for (bytes, size) in [(large, MediaFolder.Size.large), (thumb, .thumb)] {
      try table.add(bytes, size, of: name, new)
      guard try table.bytes(of: name, size, new) == bytes else {
        throw CopyFailure("the copy of a picture differs")
      }
    }
    return true
  }

  /// From the database into the folder.
  private func write(_ name: String, _ sha256: String?, _ old: Connection) throws -> Bool {
    let table = MediaTable()
    guard let large = try table.bytes(of: name, .large, old),
      let thumb = try table.bytes(of: name, .thumb, old), Self.isIntact(large, thumb, sha256)
    else { return false }
    if media.has(name) {
      // It has been there since before the instance moved to PostgreSQL.
      guard media.bytes(of: name, .large) == large, media.bytes(of: name, .thumb) == thumb else {
        throw CopyFailure("\(media.path) contains another picture of the name \(name)")
      }
      return true
    }
    do { try media.keep(large: large, thumb: thumb, as: name) } catch {
      throw CopyFailure("pictures cannot be written to \(media.path)")
    }
    undo.append { [media] in media.erase(name) }
    return true
  }

  // Snapshots

  private func store(_ file: NightlyFile, _ new: Connection) throws -> Bool {
    guard let open = try snapshots.open(file) else { return false }
    try StoredFiles.store(
      open, as: file.sha256, at: Timestamp(secondsSinceEpoch: Int64(Date().timeIntervalSince1970))
    ) { items in
      for item in items { try new.execute(item.sql, item.arguments) }
    }
    return true
  }

  private func write(_ file: NightlyFile, _ old: Connection) throws -> Bool {
    let path = snapshots.path(file)
    if let there = try? DurableFile.content(of: path) {
      guard there.sha256 == file.sha256 else { throw CopyFailure("\(path) has another content") }
      return true
    }
    guard let bytes = try StoredFiles.size(of: file, old) else { return false }
    let draft = path + ".copying"
    do { try DurableFile.makeFolder(snapshots.drafts) } catch {
      throw CopyFailure("\(snapshots.drafts) cannot be made")
    }
    unlink(draft)
    defer { unlink(draft) }
    let sha256 = try DurableFile.write(to: draft, count: bytes) { offset, length in
      try StoredFiles.piece(of: file, offset, length, old)
    }
    guard sha256 == file.sha256 else { return false }
    try DurableFile.move(draft, to: path)
    undo.append { unlink(path) }
    return true
  }
}
