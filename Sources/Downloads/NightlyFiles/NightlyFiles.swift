import Compression
import Foundation
import Locking
package import PrivacyMap
import Secrets
package import SpatialDatabase
package import WebServer

/// A file that a job has made. A folder finds it by its name, a database by its content.
package struct NightlyFile: Hashable, Sendable {
  package let name: String
  /// In hexadecimal.
  package let sha256: String

  package init(name: String, sha256: String) { (self.name, self.sha256) = (name, sha256) }
}

/// Where the files are that jobs make at night: in a folder with SQLite, in the database with PostgreSQL, where all
/// servers find them (docs/decisions/0025).
package protocol NightlyFiles: Sendable {
  /// The folder of drafts, which the caller creates.
  var drafts: String { get }

  /// Stores a complete draft, which is on the disk. The draft no longer exists afterwards.
  func keep(_ draft: String, as file: NightlyFile, at now: Timestamp) throws

  /// Opens a file. Nil if it does not exist, or if its content is not the one that its row describes.
  func open(_ file: NightlyFile) throws -> KeptFile?

  /// Confirms in the transaction of a row that refers to a file that the file still exists in whole. Files of equal
  /// content are stored once, so the erasure of another file may have removed it since it was stored.
  ///
  /// - Throws: ``SnapshotTrouble`` if it does not; the caller stores it again.
  func confirm(_ file: NightlyFile, _ connection: borrowing Connection) throws

  /// The subset of `files` that exists.
  func present(_ files: [NightlyFile]) throws -> Set<NightlyFile>

  /// Erases a file that no row refers to.
  func erase(_ file: NightlyFile) throws

  /// Erases the former content of a name, to which no row refers.
  func eraseFormer(_ file: NightlyFile) throws

  /// Makes a damaged file unavailable.
  func setAside(_ file: NightlyFile) throws

  /// Erases the remains of an interruption.
  func sweep(at now: Timestamp) throws
}

extension NightlyFiles {
  package func has(_ file: NightlyFile) throws -> Bool { try !present([file]).isEmpty }
}

/// Files in a folder.
package struct FolderFiles: NightlyFiles {
  package let drafts: String
  private let intact = IntactFiles()

  package init(path: String) { drafts = path }

  package func path(_ file: NightlyFile) -> String { "\(drafts)/\(file.name)" }

  package func keep(_ draft: String, as file: NightlyFile, at now: Timestamp) throws {
    guard rename(draft, path(file)) == 0 else { throw SnapshotTrouble.cannotWrite(drafts) }
  }

  package func confirm(_ file: NightlyFile, _ connection: borrowing Connection) throws {
    guard access(path(file), R_OK) == 0 else { throw SnapshotTrouble.missing(file.name) }
  }

  package func open(_ file: NightlyFile) throws -> KeptFile? {
    try KeptFile(path: path(file)).flatMap { try intact.confirmed($0, as: file) }
  }

  package func present(_ files: [NightlyFile]) -> Set<NightlyFile> {
    Set(files.filter { access(path($0), R_OK) == 0 })
  }

  private func aside(_ file: NightlyFile) -> String { path(file) + ".damaged" }

  package func erase(_ file: NightlyFile) {
    unlink(path(file))
    unlink(aside(file))
  }

  /// The file of that name is the new one already.
  package func eraseFormer(_ file: NightlyFile) {}

  /// Renames it, so that an operator can inspect it.
  package func setAside(_ file: NightlyFile) throws {
    guard rename(path(file), aside(file)) == 0 else { throw SnapshotTrouble.cannotWrite(drafts) }
  }

  /// The next draft replaces one that was interrupted.
  package func sweep(at now: Timestamp) {}

  /// The damaged files among `files`. A missing file is not damaged: an operator may have removed it.
  package func damaged(among files: [NightlyFile]) throws -> [NightlyFile] {
    try files.filter { file in
      if access(path(file), F_OK) == 0 { return try open(file) == nil }
      return access(aside(file), F_OK) == 0
    }
  }
}

/// Compares files with the checksums of their rows, each version of a file once.
final class IntactFiles: Sendable {
  private let known = Locked<[NightlyFile: KeptFile.Version?]>([:])

  /// The content of a file; nil if it is another one.
  func confirmed(_ content: KeptFile, as file: NightlyFile) throws -> KeptFile? {
    let version = content.version
    if known.withLock({ $0[file] == .some(version) }) { return content }
    var hash = SHA256Stream()
    let next = content.pieces(of: 0..<content.count)
    do {
      while let piece = try next() { piece.withUnsafeBufferPointer { hash.update($0) } }
    } catch let trouble as SnapshotTrouble where trouble.isOfReading { return nil }
    guard Hexadecimal.text(of: hash.finish()) == file.sha256 else { return nil }
    known.withLock { $0[file] = .some(version) }
    return content
  }
}

/// The reasons why a snapshot cannot be written or read, as sentences.
enum SnapshotTrouble: Error, CustomStringConvertible {
  /// With the path of the folder, and with the name of the file.
  case cannotWrite(String), missing(String), damaged(String)

  /// Whether an earlier file could not be read.
  var isOfReading: Bool {
    if case .missing = self { true } else { false }
  }

  /// Whether an error means that a file is damaged.
  static func isDamage(_ error: any Error) -> Bool {
    if case .damaged? = error as? Self { true } else { error is InvalidGzip }
  }

  var description: String {
    switch self {
    case .cannotWrite(let path):
      "the snapshot cannot be written to \(path): the disk is full, or Farol may not write to the folder"
    case .missing(let name): "the file \(name) is missing"
    case .damaged(let name): "the content of the file \(name) differs from its record"
    }
  }
}
