import Foundation
import JSON
package import PrivacyMap
import Service

/// The contents of a backup, stored in its file `manifest.json`.
package struct BackupManifest: Equatable, Sendable {
  /// One file of a backup.
  struct File: Equatable, Sendable {
    /// Relative to the folder of the backup.
    let path: String
    let content: DurableFile.Content
  }

  static let name = "manifest.json"
  /// The file name of the database in a backup.
  static let database = "farol.db"
  /// The version of the layout. Later Farol versions may use another layout.
  static let format = 1

  /// The Farol version that made the backup.
  package let version: String
  package let madeAt: Timestamp
  /// The last migration of the database.
  package let schema: Int
  let files: [File]
  /// Names of photo files that were missing at the time of the backup.
  let missing: [String]
  /// Inconsistencies of the database, one sentence each; empty in backups of earlier versions.
  let findings: [String]

  /// - Throws: ``BackupTrouble`` if it cannot be read.
  init(folder: String) throws {
    guard let bytes = FileManager.default.contents(atPath: "\(folder)/\(Self.name)") else {
      throw BackupTrouble("\(folder) is not a backup: it has no \(Self.name)")
    }
    guard let value = try? JSONValue(parsing: [UInt8](bytes)) else {
      throw BackupTrouble("\(folder)/\(Self.name) is damaged")
    }
    guard value["format"]?.intValue == Self.format else {
      throw BackupTrouble("\(folder) has a layout that this version of Farol does not support")
    }
    guard let read = BackupManifest(value) else {
      throw BackupTrouble("\(folder)/\(Self.name) is damaged")
    }
    self = read
  }

  init(
    madeAt: Timestamp, schema: Int, files: [File], missing: [String], findings: [String] = []
  ) {
    version = Farol.version
    self.madeAt = madeAt
    self.schema = schema
    self.files = files
    self.missing = missing
    self.findings = findings
  }

  private init?(_ value: JSONValue) {
    guard let version = value["farol"]?.stringValue, let schema = value["schema"]?.intValue,
      let madeAt = value["made_at"]?.stringValue.flatMap({ Timestamp(text: $0) }),
      let files = value["files"]?.arrayValue, let missing = value["missing"]?.arrayValue
    else { return nil }
    self.version = version
    self.schema = schema
    self.madeAt = madeAt
    self.files = files.compactMap(Self.file)
    self.missing = missing.compactMap(\.stringValue)
    findings = (value["findings"]?.arrayValue ?? []).compactMap(\.stringValue)
    guard self.files.count == files.count, self.missing.count == missing.count,
      self.files.contains(where: { $0.path == Self.database })
    else { return nil }
  }

  private static func file(_ value: JSONValue) -> File? {
    guard let path = value["path"]?.stringValue, let bytes = value["bytes"]?.intValue,
      let sha256 = value["sha256"]?.stringValue, isInside(path)
    else { return nil }
    return File(path: path, content: DurableFile.Content(bytes: bytes, sha256: sha256))
  }

  /// Whether a path stays inside the backup.
  private static func isInside(_ path: String) -> Bool {
    path.split(separator: "/", omittingEmptySubsequences: false)
      .allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
  }

  var json: [UInt8] {
    let files: [JSONValue] = self.files.map { file in
      [
        "path": .string(file.path), "bytes": .integer(Int64(file.content.bytes)),
        "sha256": .string(file.content.sha256),
      ]
    }
    var writer = JSONWriter()
    writer.value([
      "format": .integer(Int64(Self.format)), "farol": .string(version),
      "made_at": .string(madeAt.text), "schema": .integer(Int64(schema)),
      "files": .array(files), "missing": .array(missing.map { .string($0) }),
      "findings": .array(findings.map { .string($0) }),
    ])
    writer.endLine()
    return writer.bytes
  }
}

/// The reason why a backup failed or cannot be used, in a sentence.
package struct BackupTrouble: Error, Equatable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}
