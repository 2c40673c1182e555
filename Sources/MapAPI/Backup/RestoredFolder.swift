import Foundation
import Glibc

/// A folder of files that are never written to again, filled from a backup while the instance that it
/// belongs to can still be served from it.
struct RestoredFolder {
  let path: String
  /// The folder in the backup.
  let source: String
  /// What it is to hold, by the paths from here.
  let files: [BackupManifest.File]

  /// Keeps what is there under another name, as second names of the same files where that can be.
  ///
  /// - Returns: the folder; nil where there was nothing.
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

  /// Adds what is missing, and replaces what is not what it should be.
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

  /// Takes away what does not belong to the backup.
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
