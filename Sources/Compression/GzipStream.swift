private import CZlib

/// Compresses a stream in pieces, with constant memory.
package struct GzipStream: ~Copyable {
  // zlib keeps a pointer to its stream, so the stream must not move.
  private let stream: UnsafeMutablePointer<z_stream>
  private let output: UnsafeMutableBufferPointer<UInt8>

  /// - Parameter level: 1 (fast) to 9 (small); values outside are clamped.
  package init(level: Int = 6) {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    output = .allocate(capacity: 32_768)
    // With a valid level, deflateInit2 fails only if memory is exhausted; Swift traps then too.
    let code = zlib_gzip_begin(stream, Int32(max(1, min(9, level))))
    precondition(code == Z_OK, "zlib cannot allocate its window")
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
    output.deallocate()
  }

  /// Compresses `chunk` and passes finished output to `sink`, at most 32 KiB at a time. The bytes are
  /// valid only during the call.
  package mutating func compress<Failure: Error>(
    _ chunk: UnsafeRawBufferPointer,
    into sink: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    var rest = chunk[...]
    while !rest.isEmpty {
      let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(Self.largestPiece))
      rest = rest.dropFirst(piece.count)
      stream.pointee.next_in = UnsafeMutablePointer(
        mutating: piece.bindMemory(to: UInt8.self).baseAddress)
      stream.pointee.avail_in = UInt32(piece.count)
      try drain(flush: Z_NO_FLUSH, into: sink)
    }
  }

  /// Passes on the output of all input so far, so that the reader can use it now.
  package mutating func flush<Failure: Error>(
    into sink: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    try drain(flush: Z_SYNC_FLUSH, into: sink)
  }

  /// Writes the rest and the checksum. No more input may follow.
  package mutating func finish<Failure: Error>(
    into sink: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    try drain(flush: Z_FINISH, into: sink)
  }

  /// `avail_in` has 32 bits, so larger chunks are processed in pieces of 1 GiB.
  private static var largestPiece: Int { 1 << 30 }

  private mutating func drain<Failure: Error>(
    flush: Int32, into sink: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    repeat {
      stream.pointee.next_out = output.baseAddress
      stream.pointee.avail_out = UInt32(output.count)
      _ = deflate(stream, flush)
      let ready = output.count - Int(stream.pointee.avail_out)
      if ready > 0 { try sink(UnsafeBufferPointer(rebasing: output[..<ready])) }
    } while stream.pointee.avail_out == 0
  }
}
