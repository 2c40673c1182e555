import Foundation
import PrivacyMap

/// A file of ``NightlyTiles``. Its name has what must be known about it.
struct NightlyTilesFile {
  let madeAt: Timestamp
  /// The last change in it.
  let sequence: Int64

  private static let (start, end) = ("devices-", ".pmtiles")

  /// `devices-1795680000-73405.pmtiles`.
  private var name: String { "\(Self.start)\(madeAt.secondsSinceEpoch)-\(sequence)\(Self.end)" }

  func path(in folder: String) -> String { "\(folder)/\(name)" }

  /// The newest complete file of a folder.
  static func newest(in folder: String) -> NightlyTilesFile? {
    names(in: folder).compactMap(Self.init(named:)).max { $0.madeAt < $1.madeAt }
  }

  private static func names(in folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter {
      $0.hasPrefix(start) && $0.hasSuffix(end)
    }
  }

  private init?(named name: String) {
    let numbers = name.dropFirst(Self.start.count).dropLast(Self.end.count).split(separator: "-")
    guard numbers.count == 2, let seconds = Int64(numbers[0]), let sequence = Int64(numbers[1])
    else { return nil }
    self.init(madeAt: Timestamp(secondsSinceEpoch: seconds), sequence: sequence)
  }

  init(madeAt: Timestamp, sequence: Int64) {
    self.madeAt = madeAt
    self.sequence = sequence
  }

  /// Erases all files of a folder.
  static func erase(in folder: String) {
    for name in names(in: folder) { unlink("\(folder)/\(name)") }
  }

  /// Writes a file, and erases those before it. It gets its name when it is complete.
  func write(in folder: String, _ body: (_ draft: String) throws -> Void) throws {
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let draft = "\(folder)/.devices.pmtiles.part"
    do {
      try body(draft)
      guard rename(draft, path(in: folder)) == 0 else { throw SnapshotTrouble.cannotWrite(folder) }
    } catch {
      unlink(draft)
      throw error
    }
    for name in Self.names(in: folder) where name != self.name { unlink("\(folder)/\(name)") }
  }
}
