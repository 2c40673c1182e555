import Foundation
import Glibc
package import Logging
import Secrets
import Service

/// The folder of pictures: two files per name, in subfolders by its first four letters, readable only by
/// the user that runs Farol.
///
/// The folder is never served directly: every request checks in the database whether the caller may see
/// the photo.
package struct MediaFolder: Sendable {
  /// The two sizes of a picture.
  package enum Size: String, CaseIterable, Sendable {
    case large, thumb
  }

  package let path: String
  package let logger: Logger

  package init(path: String, logger: Logger) {
    self.path = path
    self.logger = logger
  }

  /// The length of a name, in hexadecimal digits.
  package static let nameLength = 32

  /// An unguessable name, from 16 random bytes.
  package static func name(_ random: [UInt8]) -> String {
    random.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  package static func isName(_ name: String) -> Bool {
    name.utf8.count == nameLength
      && name.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
  }

  private func folder(of name: String) -> String {
    (file(name, .large) as NSString).deletingLastPathComponent
  }

  /// The path of a picture within the folder.
  package static func file(_ name: String, _ size: Size) -> String {
    "\(name.prefix(2))/\(name.dropFirst(2).prefix(2))/\(name)-\(size.rawValue).jpg"
  }

  private func file(_ name: String, _ size: Size) -> String { "\(path)/\(Self.file(name, size))" }

  /// Writes both pictures and syncs them to the disk.
  ///
  /// - Throws: a 503 ``Refusal`` if they cannot be written; partly written files are removed.
  package func keep(large: [UInt8], thumb: [UInt8], as name: String) throws {
    do {
      let folder = folder(of: name)
      try DurableFile.makeFolder(folder)
      try DurableFile.write(large, to: file(name, .large))
      try DurableFile.write(thumb, to: file(name, .thumb))
      // A new file name is durable only after its folder is synced.
      for folder in [folder, (folder as NSString).deletingLastPathComponent, path] {
        try DurableFile.sync(folder)
      }
    } catch {
      erase(name)
      logger.error("a picture cannot be stored", metadata: ["error": "\(error)"])
      throw Refusal.savingImpossible
    }
  }

  /// - Returns: nil if there is no such file.
  package func bytes(of name: String, _ size: Size) -> [UInt8]? {
    guard Self.isName(name) else { return nil }
    return FileManager.default.contents(atPath: file(name, size)).map(Array.init)
  }

  /// The SHA-256 of both pictures, concatenated, in hexadecimal.
  package static func digest(_ large: [UInt8], _ thumb: [UInt8]) -> String {
    Hexadecimal.text(of: Digest.sha256(large + thumb))
  }

  /// Whether both pictures exist.
  package func has(_ name: String) -> Bool {
    Self.isName(name)
      && Size.allCases.allSatisfy { FileManager.default.isReadableFile(atPath: file(name, $0)) }
  }

  /// Removes both pictures if they exist.
  package func erase(_ name: String) {
    guard Self.isName(name) else { return }
    for size in Size.allCases { unlink(file(name, size)) }
  }

  /// The bytes of all files.
  func totalSize() -> Int64 {
    let files = FileManager.default.enumerator(
      at: URL(fileURLWithPath: path, isDirectory: true), includingPropertiesForKeys: [.fileSizeKey])
    var total: Int64 = 0
    while let file = files?.nextObject() as? URL {
      total += Int64((try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0)
    }
    return total
  }

  /// The names of all files, each with the time of its newest file in seconds since 1970.
  package func names() -> [String: Int64] {
    var found: [String: Int64] = [:]
    let files = FileManager.default.enumerator(
      at: URL(fileURLWithPath: path, isDirectory: true),
      includingPropertiesForKeys: [.contentModificationDateKey])
    for case let file as URL in files ?? FileManager.DirectoryEnumerator() {
      guard let name = file.lastPathComponent.split(separator: "-").first.map(String.init),
        Self.isName(name), file.pathExtension == "jpg"
      else { continue }
      let written = try? file.resourceValues(forKeys: [.contentModificationDateKey])
        .contentModificationDate
      let seconds = Int64(written?.timeIntervalSince1970 ?? 0)
      found[name] = max(found[name] ?? 0, seconds)
    }
    return found
  }
}
