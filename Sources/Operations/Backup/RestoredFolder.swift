import Foundation
import Glibc
import Service

/// A folder of files that are never modified. It is filled from a backup while an instance may still
/// serve from it.
struct RestoredFolder {
  let path: String
  /// The folder in the backup.
  let source: String
  /// The expected files, with paths relative to the folder.
  let files: [BackupManifest.File]

  /// Preserves the existing files in another folder, as hard links if possible.
  ///
  /// - Returns: that folder; nil if there were no files.
  func setAside(_ mark: String) throws -> String? {
    let there = DurableFile.files(below: path)
    guard !there.isEmpty else { return nil }
    let aside = path + mark
    for file in there {
      try makeFolder(of: file, in: aside)
      if link("\(path)/\(file)", "\(aside)/\(file)") != 0 {
        try DurableFile.copy("\(path)/\(file)", to: "\(aside)/\(file)")
      }
    }
    return aside
  }

  /// Adds missing files and replaces files with different content.
  func fill() throws {
    for file in files {
      let target = "\(path)/\(file.path)"
      if let there = try? DurableFile.content(of: target), there == file.content { continue }
      try makeFolder(of: file.path, in: path)
      let draft = target + ".part"
      unlink(draft)
      try DurableFile.copy("\(source)/\(file.path)", to: draft)
      try DurableFile.move(draft, to: target)
    }
  }

  /// Deletes files that are not part of the backup.
  func eraseOthers() {
    let known = Set(files.map(\.path))
    for file in DurableFile.files(below: path) where !known.contains(file) {
      unlink("\(path)/\(file)")
    }
  }

  private func makeFolder(of file: String, in folder: String) throws {
    try DurableFile.makeFolder(("\(folder)/\(file)" as NSString).deletingLastPathComponent)
  }
}
