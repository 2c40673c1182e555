import Foundation
import Glibc
import Secrets

/// File operations that return only after the whole result is on the disk.
package enum DurableFile {
  /// The size and checksum of a file.
  package struct Content: Equatable, Sendable {
    package let bytes: Int
    /// In hexadecimal.
    package let sha256: String

    package init(bytes: Int, sha256: String) {
      self.bytes = bytes
      self.sha256 = sha256
    }
  }

  /// An operation that the file system refused.
  package struct Fault: Error, CustomStringConvertible {
    package let description: String

    package init(_ what: String, _ path: String, isOfReading: Bool = false) {
      self.isOfReading = isOfReading
      description = "\(path) cannot be \(what): \(String(cString: strerror(errno)))"
    }

    /// Whether reading the source file failed: it is missing, is not a file, or the disk or its
    /// permissions prevent reading.
    package let isOfReading: Bool
  }

  /// Writes a new file, readable by its owner only.
  package static func write(_ bytes: [UInt8], to path: String) throws {
    let descriptor = try create(path)
    defer { close(descriptor) }
    try bytes.withUnsafeBufferPointer { try write($0, to: descriptor, path) }
    guard fsync(descriptor) == 0 else { throw Fault("synchronised", path) }
  }

  /// Writes a new file from pieces.
  ///
  /// - Parameters:
  ///   - path: the address of the file, which does not exist yet.
  ///   - count: the size of the file in bytes.
  ///   - read: returns a number of bytes from an offset.
  /// - Returns: the SHA-256 of the content, in hexadecimal.
  /// - Throws: ``Fault``, and the errors of `read`.
  package static func write(
    to path: String, count: Int, _ read: (_ offset: Int, _ length: Int) throws -> [UInt8]
  ) throws -> String {
    let descriptor = try create(path)
    defer { close(descriptor) }
    var hash = SHA256Stream()
    for offset in stride(from: 0, to: count, by: piece) {
      try read(offset, min(piece, count - offset)).withUnsafeBufferPointer { bytes in
        hash.update(bytes)
        try write(bytes, to: descriptor, path)
      }
    }
    guard fsync(descriptor) == 0 else { throw Fault("synchronised", path) }
    return Hexadecimal.text(of: hash.finish())
  }

  /// Creates or replaces a file atomically: after a crash it has the old or the new content.
  static func replace(_ path: String, with bytes: [UInt8]) throws {
    let draft = path + ".part"
    unlink(draft)
    try write(bytes, to: draft)
    try move(draft, to: path)
  }

  /// Renames a file, replacing a file of that name.
  package static func move(_ path: String, to other: String) throws {
    guard rename(path, other) == 0 else { throw Fault("moved to \(other)", path) }
    try sync((other as NSString).deletingLastPathComponent)
  }

  /// Copies a file to a path that does not exist yet.
  @discardableResult
  package static func copy(_ path: String, to other: String) throws -> Content {
    let descriptor = try create(other)
    defer { close(descriptor) }
    let content = try read(path) { try write($0, to: descriptor, other) }
    guard fsync(descriptor) == 0 else { throw Fault("synchronised", other) }
    return content
  }

  package static func content(of path: String) throws -> Content { try read(path) { _ in } }

  /// Creates a folder and its parents, accessible by the owner only.
  package static func makeFolder(_ path: String) throws {
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  /// Flushes a file, or the entries of a folder, to the disk.
  package static func sync(_ path: String) throws {
    let descriptor = open(path.isEmpty ? "." : path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Fault("opened", path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw Fault("synchronised", path) }
  }

  /// The relative paths of all files below a folder; empty if the folder does not exist.
  package static func files(below folder: String) -> [String] {
    let found = FileManager.default.enumerator(atPath: folder)
    var files: [String] = []
    while let path = found?.nextObject() as? String {
      if found?.fileAttributes?[.type] as? FileAttributeType != .typeDirectory {
        files.append(path)
      }
    }
    return files.sorted()
  }

  private static func create(_ path: String) throws -> Int32 {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw Fault("made", path) }
    return descriptor
  }

  private static func write(
    _ bytes: UnsafeBufferPointer<UInt8>, to descriptor: Int32, _ path: String
  ) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = UnsafeBufferPointer(rebasing: rest)
      let count = Glibc.write(descriptor, piece.baseAddress, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Fault("written", path) }
      rest = rest.dropFirst(count)
    }
  }

  /// Bytes per read.
  private static let piece = 1 << 20

  private static func read(
    _ path: String, _ body: (UnsafeBufferPointer<UInt8>) throws -> Void
  ) throws -> Content {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Fault("opened", path, isOfReading: true) }
    defer { close(descriptor) }
    var hash = SHA256Stream()
    var bytes = 0
    var buffer = [UInt8](repeating: 0, count: piece)
    while true {
      let count = buffer.withUnsafeMutableBytes {
        Glibc.read(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Fault("read", path, isOfReading: true) }
      guard count > 0 else { break }
      bytes += count
      try buffer.withUnsafeBufferPointer { whole in
        let piece = UnsafeBufferPointer(rebasing: whole.prefix(count))
        hash.update(piece)
        try body(piece)
      }
    }
    return Content(bytes: bytes, sha256: Hexadecimal.text(of: hash.finish()))
  }
}
