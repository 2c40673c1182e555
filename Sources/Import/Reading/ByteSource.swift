private import Compression
#if canImport(Glibc)
  private import Glibc
#elseif canImport(Darwin)
  private import Darwin
#endif

/// The bytes of one file, in pieces, unpacked when they are gzip.
package struct ByteSource: Sendable {
  private enum Origin: Sendable {
    case file(String)
    case bytes([UInt8])
    case made(@Sendable (Int) -> [UInt8]?)
  }

  /// The name that messages and the guess of the format use, without its folder.
  package let name: String
  /// Most bytes that gzip may unfold to.
  private let unpackedLimit: Int
  private let origin: Origin

  /// 64 GiB: more than any list of devices, less than a bomb needs to fill days.
  package static let defaultUnpackedLimit = 64 << 30
  private static let pieceSize = 128 << 10

  /// - Parameters:
  ///   - path: a file to be read from its start.
  ///   - unpackedLimit: bytes after which unpacking is given up.
  package init(path: String, unpackedLimit: Int = Self.defaultUnpackedLimit) {
    origin = .file(path)
    name = String(path.split(separator: "/").last ?? "")
    self.unpackedLimit = unpackedLimit
  }

  /// Bytes in memory, as if they stood in a file called `name`.
  package init(
    bytes: [UInt8], name: String = "", unpackedLimit: Int = Self.defaultUnpackedLimit
  ) {
    origin = .bytes(bytes)
    self.name = name
    self.unpackedLimit = unpackedLimit
  }

  /// Bytes made piece by piece as they are asked for, as if they stood in a file called `name`.
  ///
  /// - Parameters:
  ///   - name: its name, of which the ending counts.
  ///   - piece: makes the piece of that number, counted from 0; nil after the last. It may be asked
  ///     more than once for the first pieces.
  package init(name: String, piece: @escaping @Sendable (Int) -> [UInt8]?) {
    origin = .made(piece)
    self.name = name
    unpackedLimit = Self.defaultUnpackedLimit
  }

  /// Hands on all bytes in order; `piece` is valid during the call only.
  ///
  /// - Parameters:
  ///   - progress: called after each piece with bytes read and in all, before unpacking.
  ///   - body: returns false when it has enough.
  /// - Throws: ``ImportFailure`` for a file that cannot be read or unpacked, or what `body` throws.
  package func forEachPiece(
    progress: (_ read: Int, _ total: Int) -> Void = { _, _ in },
    _ body: (_ piece: UnsafeBufferPointer<UInt8>) throws -> Bool
  ) throws {
    var unpacker: Unpacker?
    var isFirst = true
    try forEachRawPiece { piece, read, total in
      if isFirst {
        isFirst = false
        if Gzip.isGzip(Array(piece.prefix(2))) { unpacker = try Unpacker(limit: unpackedLimit) }
      }
      defer { progress(read, total) }
      guard let unpacker else { return try body(piece) }
      return try unpacker.unpack(piece, body)
    }
    try unpacker?.finish()
  }

  private func forEachRawPiece(
    _ body: (_ piece: UnsafeBufferPointer<UInt8>, _ read: Int, _ total: Int) throws -> Bool
  ) throws {
    switch origin {
    case .file(let path):
      let file = try OpenFile(path: path)
      var read = 0
      while true {
        let count = try file.fill()
        if count == 0 { return }
        read += count
        if try !body(file.filled(count), read, max(file.size, read)) { return }
      }
    case .bytes(let bytes):
      try bytes.withUnsafeBufferPointer { buffer in
        var start = 0
        while start < buffer.count {
          let end = min(start + Self.pieceSize, buffer.count)
          let piece = UnsafeBufferPointer(rebasing: buffer[start..<end])
          if try !body(piece, end, buffer.count) { return }
          start = end
        }
      }
    case .made(let make):
      var number = 0
      var read = 0
      while let piece = make(number) {
        number += 1
        read += piece.count
        if try !piece.withUnsafeBufferPointer({ try body($0, read, read) }) { return }
      }
    }
  }

  /// A file being read from its start; closes itself.
  private struct OpenFile: ~Copyable {
    private let descriptor: Int32
    private let path: String
    private let buffer: UnsafeMutableRawBufferPointer
    /// Bytes in the file when it was opened; 0 where it has no size, as a pipe.
    let size: Int

    init(path: String) throws {
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else {
        throw ImportFailure("cannot open \(path): \(String(cString: strerror(errno)))")
      }
      var facts = stat()
      guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT != S_IFDIR else {
        close(descriptor)
        throw ImportFailure("\(path) is not a file")
      }
      self.descriptor = descriptor
      self.path = path
      size = Int(facts.st_size)
      buffer = .allocate(byteCount: ByteSource.pieceSize, alignment: 16)
    }

    deinit {
      close(descriptor)
      buffer.deallocate()
    }

    /// Reads the next piece; 0 at the end.
    borrowing func fill() throws -> Int {
      while true {
        let count = read(descriptor, buffer.baseAddress, buffer.count)
        if count >= 0 { return count }
        if errno != EINTR {
          throw ImportFailure("cannot read \(path): \(String(cString: strerror(errno)))")
        }
      }
    }

    borrowing func filled(_ count: Int) -> UnsafeBufferPointer<UInt8> {
      UnsafeBufferPointer(
        rebasing: UnsafeRawBufferPointer(buffer).bindMemory(to: UInt8.self).prefix(count))
    }
  }
}

/// Gunzip that says in an import's words what went wrong.
private final class Unpacker {
  private var gunzip: Gunzip
  private var hasEnough = false

  /// Thrown through the unpacker when the reader has enough.
  private struct Enough: Error {}

  init(limit: Int) throws {
    gunzip = try Gunzip(limit: limit)
  }

  func unpack(
    _ piece: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) throws -> Bool
  ) throws -> Bool {
    do {
      try gunzip.decompress(Array(piece)) { unpacked in
        if try !body(unpacked) { throw Enough() }
      }
      return true
    } catch is Enough {
      hasEnough = true
      return false
    } catch let error as InvalidGzip {
      throw Self.failure(error)
    }
  }

  func finish() throws {
    if hasEnough { return }
    do {
      try gunzip.finish()
    } catch {
      throw Self.failure(error)
    }
  }

  private static func failure(_ error: InvalidGzip) -> ImportFailure {
    switch error {
    case .truncated: ImportFailure("the gzip file ends too early; it was cut off")
    case .overLimit(let limit):
      ImportFailure("the gzip file unfolds to more than \(limit) bytes")
    case .corrupt(let reason): ImportFailure("the gzip file is damaged: \(reason)")
    case .outOfMemory: ImportFailure("no memory to unpack the gzip file")
    }
  }
}
