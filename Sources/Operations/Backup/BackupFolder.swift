import Foundation
package import PrivacyMap
import Service

/// The folder of backups. Each backup is a subfolder named after the time of the backup.
package struct BackupFolder: Sendable {
  package let path: String

  package init(path: String) { self.path = path }

  /// A finished backup.
  package struct Entry: Equatable, Sendable {
    package let name: String
    package let madeAt: Timestamp
  }

  private static let prefix = "farol-"

  /// For example `farol-2026-11-22T03-00-00Z`. Some file systems do not allow colons.
  static func name(at moment: Timestamp) -> String {
    prefix + moment.text.replacingOccurrences(of: ":", with: "-")
  }

  private static func moment(of name: String) -> Timestamp? {
    guard name.hasPrefix(prefix) else { return nil }
    let text = name.dropFirst(prefix.count).prefix(20)
    let time = text.dropFirst(10).replacingOccurrences(of: "-", with: ":")
    return Timestamp(text: String(text.prefix(10)) + time)
  }

  /// The finished backups, the oldest first. Unfinished ones have a different name pattern.
  package func entries() -> [Entry] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.compactMap { name in
      guard let madeAt = Self.moment(of: name),
        FileManager.default.fileExists(atPath: "\(path)/\(name)/\(BackupManifest.name)")
      else { return nil }
      return Entry(name: name, madeAt: madeAt)
    }.sorted { ($0.madeAt, $0.name) < ($1.madeAt, $1.name) }
  }

  /// A name that no backup has yet.
  func freeName(at moment: Timestamp) -> String {
    let name = Self.name(at: moment)
    let names = [name] + (2...999).map { "\(name)-\($0)" }
    return names.first { !FileManager.default.fileExists(atPath: "\(path)/\($0)") } ?? name
  }

  /// The path at which a backup is assembled, and to which it is moved before deletion. Its name can
  /// never be mistaken for a finished backup.
  func draft(of name: String) -> String { "\(path)/.\(name).part" }

  /// Deletes backups.
  func erase(_ entries: [Entry]) throws {
    for entry in entries {
      let draft = draft(of: entry.name)
      try DurableFile.move("\(path)/\(entry.name)", to: draft)
      try FileManager.default.removeItem(atPath: draft)
    }
  }

  /// Deletes the drafts of failed attempts, a day after the last write to them.
  func eraseDrafts() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    for name in names where name.hasPrefix(".\(Self.prefix)") && name.hasSuffix(".part") {
      let draft = "\(path)/\(name)"
      let attributes = try? FileManager.default.attributesOfItem(atPath: draft)
      guard let touched = attributes?[.modificationDate] as? Date,
        touched.timeIntervalSinceNow < -86_400
      else { continue }
      try? FileManager.default.removeItem(atPath: draft)
    }
  }
}
