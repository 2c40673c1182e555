import Foundation
import Glibc
import Logging
package import PrivacyMap
package import SpatialDatabase

/// Copies an instance as it stands into a folder, while others read and write.
package struct Backup: Sendable {
  /// What was made.
  package struct Made: Sendable {
    /// The folder of the backup.
    package let path: String
    package let manifest: BackupManifest

    /// How many files, and bytes of all.
    package var files: Int { manifest.files.count }
    package var bytes: Int { manifest.files.reduce(0) { $0 + $1.content.bytes } }
    /// How many photos had lost a picture.
    package var missing: Int { manifest.missing.count }
    /// What the database does not agree with itself in; nothing of it damages the copy.
    package let findings: [Finding]
    /// Files of snapshots that were not there or could not be read.
    package let missingSnapshots: [String]
  }

  private let database: Database
  /// The folders of pictures and of snapshots.
  private let media: String
  private let snapshots: String
  private let surroundings: Surroundings

  package init(
    database: Database, media: String, snapshots: String, surroundings: Surroundings
  ) {
    self.database = database
    self.media = media
    self.snapshots = snapshots
    self.surroundings = surroundings
  }

  /// Makes a backup in a folder.
  ///
  /// It has its name only when all of it is on the disk and its database was found undamaged. What else
  /// `farol check` finds in it, and files that cannot be read, are reported and stop nothing.
  ///
  /// - Throws: ``BackupTrouble``, ``DatabaseFault``, or what the file system refused; nothing is left
  ///   under the name of a backup then.
  package func make(in folder: BackupFolder) throws -> Made {
    try DurableFile.makeFolder(folder.path)
    let now = surroundings.now()
    let name = folder.freeName(at: now)
    let draft = folder.draft(of: name)
    try? FileManager.default.removeItem(atPath: draft)
    do {
      try DurableFile.makeFolder(draft)
      let filled = try fill(draft, now, previous: folder.entries().last, in: folder)
      let path = "\(folder.path)/\(name)"
      try DurableFile.move(draft, to: path)
      return Made(
        path: path, manifest: filled.manifest, findings: filled.contents.findings,
        missingSnapshots: filled.missingSnapshots)
    } catch {
      try? FileManager.default.removeItem(atPath: draft)
      throw error
    }
  }

  private func fill(
    _ draft: String, _ now: Timestamp, previous: BackupFolder.Entry?, in folder: BackupFolder
  ) throws -> (
    manifest: BackupManifest, contents: BackupContents, missingSnapshots: [String]
  ) {
    let file = "\(draft)/\(BackupManifest.database)"
    try database.backup(to: file)
    let wanted = try BackupContents(copy: file)
    let former = previous.flatMap { Former("\(folder.path)/\($0.name)") }
    var files = [
      BackupManifest.File(
        path: BackupManifest.database, content: try DurableFile.content(of: file))
    ]
    var missing: Set<String> = []
    for picture in wanted.pictures {
      let sizes = MediaFolder.isName(picture) ? MediaFolder.Size.allCases : []
      let found = try sizes.compactMap { size in
        let place = MediaFolder.file(picture, size)
        return try keep("\(media)/\(place)", as: "media/\(place)", in: draft, former)
      }
      if found.count < MediaFolder.Size.allCases.count { missing.insert(picture) }
      files += found
    }
    var missingSnapshots: [String] = []
    for place in wanted.snapshots {
      let kept = try keep("\(snapshots)/\(place)", as: "snapshots/\(place)", in: draft, former)
      if let kept { files.append(kept) } else { missingSnapshots.append(place) }
    }
    let manifest = BackupManifest(
      madeAt: now, schema: wanted.schema, files: files, missing: missing.sorted(),
      findings: wanted.findings.map(\.description))
    try DurableFile.write(manifest.json, to: "\(draft)/\(BackupManifest.name)")
    try syncFolders(of: files, in: draft)
    return (manifest, wanted, missingSnapshots)
  }

  /// The backup before, whose files are linked where those of the instance lie on another disk.
  private struct Former {
    let path: String
    let contents: [String: DurableFile.Content]

    init?(_ path: String) {
      guard let manifest = try? BackupManifest(folder: path) else { return nil }
      self.path = path
      contents = Dictionary(manifest.files.map { ($0.path, $0.content) }) { first, _ in first }
    }
  }

  /// Puts a file into the draft: a second name of the same file where that can be, since neither
  /// pictures nor snapshots are ever written to again; else of the one in the backup before; else a
  /// copy.
  ///
  /// - Returns: nil where the file is not there or cannot be read.
  /// - Throws: ``DurableFile/Fault`` where the backup cannot be written.
  private func keep(
    _ source: String, as place: String, in draft: String, _ former: Former?
  ) throws -> BackupManifest.File? {
    let target = "\(draft)/\(place)"
    try DurableFile.makeFolder((target as NSString).deletingLastPathComponent)
    do {
      if link(source, target) == 0 {
        return BackupManifest.File(path: place, content: try DurableFile.content(of: target))
      }
      if let former, let known = former.contents[place],
        try DurableFile.content(of: source) == known,
        (try? DurableFile.content(of: "\(former.path)/\(place)")) == known,
        link("\(former.path)/\(place)", target) == 0
      {
        return BackupManifest.File(path: place, content: known)
      }
      return BackupManifest.File(path: place, content: try DurableFile.copy(source, to: target))
    } catch let fault as DurableFile.Fault where fault.isOfReading {
      unlink(target)
      return nil
    }
  }

  private func syncFolders(of files: [BackupManifest.File], in draft: String) throws {
    var folders: Set<String> = [draft]
    for file in files {
      var folder = (file.path as NSString).deletingLastPathComponent
      while !folder.isEmpty {
        folders.insert("\(draft)/\(folder)")
        folder = (folder as NSString).deletingLastPathComponent
      }
    }
    for folder in folders { try DurableFile.sync(folder) }
  }
}

/// What belongs to a copy of the database, once that has been found sound.
struct BackupContents {
  /// The last migration.
  let schema: Int
  /// The names of the pictures of photos that are not deleted.
  let pictures: [String]
  /// The files of snapshots.
  let snapshots: [String]
  /// What it does not agree with itself in, without being damaged.
  let findings: [Finding]

  /// Pictures of deleted photos are not among them: nobody brings those back by a backup.
  static let picturesInUse = """
    SELECT file FROM photo WHERE state <> 'deleted'
    UNION
    SELECT photo_version.file FROM photo_version
    JOIN photo ON photo.rowid = photo_version.photo_rowid WHERE photo.state <> 'deleted'
    ORDER BY file
    """

  /// - Throws: ``BackupTrouble`` with what is wrong with the copy.
  init(copy file: String) throws {
    var configuration = Database.Configuration()
    configuration.readOnly = true
    configuration.readers = 1
    let copy = try Database(path: file, configuration: configuration)
    defer { try? copy.close() }
    let check = IndexCheck(database: copy, isCopy: true)
    findings = try check.findings()
    let damages = findings.filter(\.stopsBackups).map(\.description)
    guard damages.isEmpty else {
      throw BackupTrouble("the database is damaged: " + damages.joined(separator: "; "))
    }
    let schema = try check.schema()
    (pictures, snapshots) = try copy.read(limit: .none) { connection in
      (
        schema < 10 ? [] : try connection.rows(Self.picturesInUse) { $0.text(0) },
        schema < 18
          ? []
          : try connection.rows(
            """
            SELECT day, format FROM snapshot_file JOIN snapshot USING (day)
            WHERE gone_at IS NULL ORDER BY day, format
            """
          ) { "\($0.text(0)).\($0.text(1)).gz" }
      )
    }
    self.schema = schema
  }
}
