/// Compresses and decompresses whole byte arrays with gzip (RFC 1952).
package enum Gzip {
  /// - Parameters:
  ///   - bytes: any bytes, may be empty.
  ///   - level: 1 (fast) to 9 (small); values outside are clamped.
  /// - Returns: one gzip member without name or time, so equal bytes compress to equal bytes.
  package static func compress(_ bytes: [UInt8], level: Int = 6) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count / 4 + 64)
    var stream = GzipStream(level: level)
    bytes.withUnsafeBytes { stream.compress($0) { result.append(contentsOf: $0) } }
    stream.finish { result.append(contentsOf: $0) }
    return result
  }

  /// - Parameters:
  ///   - bytes: a whole gzip file of one or more members.
  ///   - limit: the maximum number of output bytes.
  /// - Returns: the contents of all members, one after another.
  /// - Throws: ``InvalidGzip`` for damaged, truncated or oversized input.
  package static func decompress(
    _ bytes: [UInt8], limit: Int
  ) throws(InvalidGzip) -> [UInt8] {
    var result: [UInt8] = []
    var gunzip = try Gunzip(limit: limit)
    try bytes.withUnsafeBufferPointer { (buffer) throws(InvalidGzip) in
      try gunzip.decompress(UnsafeRawBufferPointer(buffer)) { (piece) throws(InvalidGzip) in
        result.append(contentsOf: piece)
      }
    }
    try gunzip.finish()
    return result
  }

  /// Whether a file beginning with `prefix` is gzip, by its first two bytes (RFC 1952 §2.3.1).
  package static func isGzip(_ prefix: [UInt8]) -> Bool {
    prefix.starts(with: [0x1F, 0x8B])
  }
}
