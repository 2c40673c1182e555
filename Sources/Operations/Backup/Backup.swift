import Downloads
import Foundation
import Glibc
import Logging
import Pictures
package import PrivacyMap
package import Service
package import SpatialDatabase

/// Copies a running instance into a folder.
package struct Backup: Sendable {
  /// The result of a backup.
  package struct Made: Sendable {
    /// The folder of the backup.
    package let path: String
    package let manifest: BackupManifest

    /// The number of files, and the bytes of all files.
    package var files: Int { manifest.files.count }
    package var bytes: Int { manifest.files.reduce(0) { $0 + $1.content.bytes } }
    /// The number of photos with a missing file.
    package var missing: Int { manifest.missing.count }
    /// Inconsistencies of the database. They do not damage the copy.
    package let findings: [Finding]
    /// Snapshot files that were missing, unreadable or different from their record.
    package let missingSnapshots: [String]
  }

  private let database: Database
  /// The folders of photos and of snapshots.
  private let media: String
  private let snapshots: String
  private let environment: Environment

  package init(
    database: Database, media: String, snapshots: String, environment: Environment
  ) {
    self.database = database
    self.media = media
    self.snapshots = snapshots
    self.environment = environment
  }

  /// Makes a backup in a folder.
  ///
  /// It gets its final name only when all of it is on the disk and its database has no damage. Other
  /// findings of `farol check` and unreadable files are reported but do not stop the backup.
  ///
  /// - Throws: ``BackupTrouble``, ``DatabaseFault``, or an error of the file system. In that case no
  ///   backup is left in the folder.
  package func make(in folder: BackupFolder) throws -> Made {
    try DurableFile.makeFolder(folder.path)
    let now = environment.now()
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
    for file in wanted.snapshots {
      let place = "snapshots/\(file.name)"
      let kept = try keep("\(snapshots)/\(file.name)", as: place, in: draft, former)
      if let kept, kept.content.sha256 == file.sha256 {
        files.append(kept)
      } else {
        unlink("\(draft)/\(place)")
        missingSnapshots.append(file.name)
      }
    }
    let manifest = BackupManifest(
      madeAt: now, schema: wanted.schema, files: files, missing: missing.sorted(),
      findings: wanted.findings.map(\.description))
    try DurableFile.write(manifest.json, to: "\(draft)/\(BackupManifest.name)")
    try syncFolders(of: files, in: draft)
    return (manifest, wanted, missingSnapshots)
  }

  /// The previous backup. Its files are hard-linked if the instance is on another file system.
  private struct Former {
    let path: String
    let contents: [String: DurableFile.Content]

    init?(_ path: String) {
      guard let manifest = try? BackupManifest(folder: path) else { return nil }
      self.path = path
      contents = Dictionary(manifest.files.map { ($0.path, $0.content) }) { first, _ in first }
    }
  }

  /// Adds a file to the draft. Photos and snapshots are never modified, so a hard link to the source
  /// is preferred, then a hard link to the file in the previous backup, then a copy.
  ///
  /// - Returns: nil if the file is missing or unreadable.
  /// - Throws: ``DurableFile/Fault`` if the backup cannot be written.
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

/// The files that belong to a copy of the database that passed the integrity check.
struct BackupContents {
  /// The number of the last migration.
  let schema: Int
  /// The file names of photos that are not deleted.
  let pictures: [String]
  /// The files of snapshots.
  let snapshots: [NightlyFile]
  /// Inconsistencies that are not damage.
  let findings: [Finding]

  /// - Throws: ``BackupTrouble`` with the damage of the copy.
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
        schema < 10 ? [] : try connection.rows(MediaCheck.picturesInUse) { $0.text(0) },
        schema < 18 ? [] : try NightlyFile.ofSnapshots(connection)
      )
    }
    self.schema = schema
  }
}
