private import Compression
private import Glibc

/// The bytes of one file, in pieces, decompressed if they are gzip.
package struct ByteSource: Sendable {
  private enum Origin: Sendable {
    case file(String)
    case bytes([UInt8])
    case made(size: Int?, @Sendable (Int) -> [UInt8]?)
    indirect case unpacked(PackedFile)
  }

  /// The file name without its folder, for messages and format detection.
  package let name: String
  /// Maximum size in bytes of decompressed gzip.
  private var unpackedLimit: Int
  private let origin: Origin

  /// 64 GiB: more than any list of devices, and small enough to stop a decompression bomb.
  package static let defaultUnpackedLimit = 64 << 30
  private static let pieceSize = 128 << 10

  /// - Parameters:
  ///   - path: the path of the file.
  ///   - unpackedLimit: maximum decompressed size in bytes.
  package init(path: String, unpackedLimit: Int = Self.defaultUnpackedLimit) {
    origin = .file(path)
    name = String(path.split(separator: "/").last ?? "")
    self.unpackedLimit = unpackedLimit
  }

  /// Bytes in memory, treated as a file called `name`.
  package init(
    bytes: [UInt8], name: String = "", unpackedLimit: Int = Self.defaultUnpackedLimit
  ) {
    origin = .bytes(bytes)
    self.name = name
    self.unpackedLimit = unpackedLimit
  }

  /// Bytes generated piece by piece on demand, treated as a file called `name`.
  ///
  /// - Parameters:
  ///   - name: the file name, whose extension matters.
  ///   - size: the size in bytes, if it is known.
  ///   - piece: returns the piece with this number, counted from 0. Nil after the last. The first
  ///     pieces may be requested more than once.
  package init(
    name: String, size: Int? = nil, piece: @escaping @Sendable (Int) -> [UInt8]?
  ) {
    origin = .made(size: size, piece)
    self.name = name
    unpackedLimit = Self.defaultUnpackedLimit
  }

  /// The bytes of the list in an archive or a compressed file, treated as a file called `name`.
  init(unpacking packed: PackedFile, name: String) {
    origin = .unpacked(packed)
    self.name = String(name.split(separator: "/").last ?? "")
    unpackedLimit = Self.defaultUnpackedLimit
  }

  /// The same bytes with a lower limit of decompressed gzip.
  package func limited(toUnpacked bytes: Int) -> ByteSource {
    var source = self
    source.unpackedLimit = min(bytes, unpackedLimit)
    return source
  }

  /// The size in bytes, not decompressed; nil for a stream and for bytes of unknown size.
  package var size: Int? {
    switch origin {
    case .file(let path):
      guard let file = try? OpenFile(path: path), file.isSeekable else { return nil }
      return file.size
    case .bytes(let bytes): return bytes.count
    case .made(let size, _): return size
    case .unpacked: return nil
    }
  }

  /// The first 4 KiB, not decompressed; empty for an unpacked file.
  func rawHead() throws -> [UInt8] {
    switch origin {
    case .file(let path):
      let file = try OpenFile(path: path)
      return Array(file.filled(min(try file.fill(), 4_096)))
    case .bytes(let bytes): return Array(bytes.prefix(4_096))
    case .made(_, let make): return Array((make(0) ?? []).prefix(4_096))
    case .unpacked: return []
    }
  }

  /// Calls `body` with the descriptor of a seekable file of the bytes, and its size.
  func withDescriptor(_ body: (_ file: Int32, _ size: Int) throws -> Void) throws {
    switch origin {
    case .file(let path):
      let file = try OpenFile(path: path)
      guard file.isSeekable else {
        throw ImportFailure("\(path) is a stream; this format needs a file")
      }
      try file.withDescriptor { try body($0, file.size) }
    case .bytes(let bytes):
      try TemporaryFile.with(pieces: { $0 == 0 ? bytes : nil }, body)
    case .made(_, let make): try TemporaryFile.with(pieces: make, body)
    case .unpacked: throw ImportFailure("\(name) is not a file")
    }
  }

  /// Passes all bytes in order to `body`. `piece` is valid only during the call.
  ///
  /// - Parameters:
  ///   - progress: called after each piece with the bytes read and the total, before decompression.
  ///   - body: returns false to stop.
  /// - Throws: ``ImportFailure`` for a file that cannot be read or decompressed, or errors from
  ///   `body`.
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
    case .made(_, let make):
      var number = 0
      var read = 0
      while let piece = make(number) {
        number += 1
        read += piece.count
        if try !piece.withUnsafeBufferPointer({ try body($0, read, read) }) { return }
      }
    case .unpacked(let packed):
      var (read, total) = (0, 0)
      try packed.forEachPiece(progress: { (read, total) = ($0, $1) }) { _, piece in
        piece.isEmpty ? true : try body(piece, read, total)
      }
    }
  }

  /// A file opened for reading. Closes itself.
  private struct OpenFile: ~Copyable {
    private let descriptor: Int32
    private let path: String
    private let buffer: UnsafeMutableRawBufferPointer
    /// Size of the file when it was opened. 0 if it has no size, for example a pipe.
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

    /// Reads the next piece. Returns 0 at the end.
    borrowing func fill() throws -> Int {
      while true {
        let count = read(descriptor, buffer.baseAddress, buffer.count)
        if count >= 0 { return count }
        if errno != EINTR {
          throw ImportFailure("cannot read \(path): \(String(cString: strerror(errno)))")
        }
      }
    }

    var isSeekable: Bool { lseek(descriptor, 0, SEEK_CUR) >= 0 }

    borrowing func withDescriptor(_ body: (Int32) throws -> Void) rethrows {
      try body(descriptor)
    }

    borrowing func filled(_ count: Int) -> UnsafeBufferPointer<UInt8> {
      UnsafeBufferPointer(
        rebasing: UnsafeRawBufferPointer(buffer).bindMemory(to: UInt8.self).prefix(count))
    }
  }
}

/// Decompresses gzip and converts errors to import failures.
private final class Unpacker {
  private var gunzip: Gunzip
  private var hasEnough = false

  /// Thrown through the decompressor when the reader stops.
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
