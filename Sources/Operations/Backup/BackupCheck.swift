import Downloads
import Foundation
import Pictures
package import Service

/// Checks a backup against its manifest, and its database for damage.
package struct BackupCheck: Sendable {
  private let folder: String
  package let manifest: BackupManifest

  /// - Throws: ``BackupTrouble`` if the folder is not a backup or its manifest is unreadable.
  package init(folder: String) throws {
    self.folder = folder
    manifest = try BackupManifest(folder: folder)
  }

  /// The findings of a check, one sentence each.
  package struct Outcome: Sendable {
    /// Reasons why the backup cannot be restored; empty if it can.
    package var damages: [String] = []
    /// Inconsistencies of its database. A restore repairs the inconsistencies in data derived from other rows.
    package var findings: [Finding] = []
  }

  /// Checks the files, then the database.
  package func run() throws -> Outcome {
    let files = fileFindings()
    // A modified database file is not checked further: it is not the database of the backup.
    guard files.isEmpty else { return Outcome(damages: files) }
    return try databaseOutcome()
  }

  private func fileFindings() -> [String] {
    var findings: [String] = []
    for file in manifest.files {
      do {
        let content = try DurableFile.content(of: "\(folder)/\(file.path)")
        if content.bytes != file.content.bytes {
          findings.append("\(file.path) has \(content.bytes) bytes, not \(file.content.bytes)")
        } else if content != file.content {
          findings.append("\(file.path) has been changed: its checksum differs")
        }
      } catch { findings.append("\(error)") }
    }
    let known = Set(manifest.files.map(\.path) + [BackupManifest.name])
    for path in DurableFile.files(below: folder) where !known.contains(path) {
      findings.append("\(path) is not part of the backup")
    }
    return findings
  }

  private func databaseOutcome() throws -> Outcome {
    let contents: BackupContents
    do { contents = try BackupContents(copy: "\(folder)/\(BackupManifest.database)") } catch {
      return Outcome(damages: ["\(error)"])
    }
    var damages: [String] = []
    if contents.schema != manifest.schema {
      damages.append("its database has schema \(contents.schema), not \(manifest.schema)")
    }
    let known = Set(manifest.files.map(\.path))
    let missing = Set(manifest.missing)
    let lost = contents.pictures.count { name in
      !missing.contains(name)
        && !MediaFolder.Size.allCases.allSatisfy {
          known.contains("media/\(MediaFolder.file(name, $0))")
        }
    }
    if lost > 0 { damages.append("\(lost) photos have no picture file in the backup") }
    let sums = Dictionary(manifest.files.map { ($0.path, $0.content.sha256) }) { first, _ in first }
    let differing = contents.snapshots.filter { file in
      sums["snapshots/\(file.name)"].map { $0 != file.sha256 } ?? false
    }
    return Outcome(
      damages: damages,
      findings: contents.findings
        + differing.map {
          Finding(
            kind: .content, description: "the snapshot file \($0.name) differs from its record")
        })
  }
}
