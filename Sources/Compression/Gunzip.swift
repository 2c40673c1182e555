private import CZlib

/// Decompresses a gzip stream of one or more members in pieces, with constant memory.
package struct Gunzip: ~Copyable {
  // zlib keeps a pointer to its stream, so the stream must not move.
  private let stream: UnsafeMutablePointer<z_stream>
  private let output: UnsafeMutableBufferPointer<UInt8>
  private let limit: Int
  private var produced = 0
  private var position = Position.start

  private enum Position { case start, inside, between, padding }

  /// - Parameter limit: the maximum total number of output bytes.
  /// - Throws: ``InvalidGzip/outOfMemory``.
  package init(limit: Int = .max) throws(InvalidGzip) {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    output = .allocate(capacity: 65_536)
    self.limit = limit
    guard zlib_gunzip_begin(stream) == Z_OK else { throw .outOfMemory }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
    output.deallocate()
  }

  /// Decompresses `chunk` and passes the output to `sink`, at most 64 KiB at a time. The bytes are valid
  /// only during the call.
  ///
  /// - Throws: ``InvalidGzip``, or an error from `sink`; the stream cannot be used after an error.
  package mutating func decompress(
    _ chunk: UnsafeRawBufferPointer,
    into sink: (UnsafeBufferPointer<UInt8>) throws(InvalidGzip) -> Void
  ) throws(InvalidGzip) {
    try decompress(chunk, wrapping: { $0 }, into: sink)
  }

  /// The same, for a `sink` that may throw any error.
  package mutating func decompress(
    _ chunk: [UInt8], into sink: (UnsafeBufferPointer<UInt8>) throws -> Void
  ) throws {
    try chunk.withUnsafeBytes { raw in
      try decompress(raw, wrapping: { $0 as any Error }, into: sink)
    }
  }

  /// Checks that the input ended after a complete member.
  ///
  /// - Throws: ``InvalidGzip/truncated`` inside a member or before the first.
  package mutating func finish() throws(InvalidGzip) {
    switch position {
    case .between, .padding: return
    case .start, .inside: throw .truncated
    }
  }

  private mutating func decompress<Failure: Error>(
    _ chunk: UnsafeRawBufferPointer, wrapping: (InvalidGzip) -> Failure,
    into sink: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    var rest = chunk[...]
    while let first = rest.first {
      switch position {
      case .between where first == 0:
        // Tapes and block devices pad with zeros; gzip itself ignores them.
        position = .padding
      case .padding where first == 0:
        rest = rest.dropFirst()
      case .padding:
        throw wrapping(.corrupt("bytes after the last member"))
      case .between:
        guard inflateReset(stream) == Z_OK else { throw wrapping(.outOfMemory) }
        position = .inside
      case .start:
        position = .inside
      case .inside:
        let taken = try inflatePiece(
          UnsafeRawBufferPointer(rebasing: rest.prefix(1 << 30)), wrapping: wrapping, into: sink)
        rest = rest.dropFirst(taken)
      }
    }
  }

  /// Decompresses until `piece` is used up or a member ends; returns the number of bytes used.
  private mutating func inflatePiece<Failure: Error>(
    _ piece: UnsafeRawBufferPointer, wrapping: (InvalidGzip) -> Failure,
    into sink: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Void
  ) throws(Failure) -> Int {
    stream.pointee.next_in = UnsafeMutablePointer(
      mutating: piece.bindMemory(to: UInt8.self).baseAddress)
    stream.pointee.avail_in = UInt32(piece.count)
    repeat {
      stream.pointee.next_out = output.baseAddress
      stream.pointee.avail_out = UInt32(output.count)
      let code = inflate(stream, Z_NO_FLUSH)
      guard code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR else {
        throw wrapping(failure(code))
      }
      let ready = output.count - Int(stream.pointee.avail_out)
      guard ready <= limit - produced else { throw wrapping(.overLimit(limit)) }
      produced += ready
      if ready > 0 { try sink(UnsafeBufferPointer(rebasing: output[..<ready])) }
      if code == Z_STREAM_END {
        position = .between
        break
      }
    } while stream.pointee.avail_out == 0 || stream.pointee.avail_in > 0
    return piece.count - Int(stream.pointee.avail_in)
  }

  private func failure(_ code: Int32) -> InvalidGzip {
    guard code != Z_MEM_ERROR else { return .outOfMemory }
    guard let message = stream.pointee.msg else { return .corrupt("zlib code \(code)") }
    return .corrupt(String(cString: message))
  }
}
