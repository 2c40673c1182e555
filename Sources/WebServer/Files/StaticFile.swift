internal import Compression

/// One file in memory, with the data for its responses.
///
/// If gzip reduces the size by at least a tenth, only the gzip form is stored, because nearly all clients request it.
/// For other clients it is decompressed.
package struct StaticFile: Sendable {
  private let held: [UInt8]
  /// Length of the uncompressed file, in bytes.
  private let length: Int
  private let isPacked: Bool
  /// The whole Content-Type value.
  package let mediaType: String
  package let etag: EntityTag

  /// `isSent` states whether clients will get it; otherwise it is not compressed.
  package init(_ bytes: [UInt8], mediaType: String, isSent: Bool = true) {
    self.mediaType = mediaType
    etag = EntityTag(hashing: bytes)
    length = bytes.count
    let mayGain =
      isSent && bytes.count >= ContentCoding.minWorthwhileSize
      && ContentCoding.isWorthwhile(mediaType)
    let packed = mayGain ? Gzip.compress(bytes, level: 9) : bytes
    isPacked = packed.count < bytes.count / 10 * 9
    held = isPacked ? packed : bytes
  }

  /// The file whose ``stored`` bytes these are.
  package init(stored bytes: [UInt8], mediaType: String) {
    self.mediaType = mediaType
    etag = EntityTag(hashing: bytes)
    isPacked = Gzip.isGzip(bytes)
    held = bytes
    // The last four bytes of the gzip form are the length (RFC 1952, §2.3.1).
    length =
      isPacked ? bytes.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) } : bytes.count
  }

  /// The smaller form, for storage.
  package var stored: [UInt8] { held }

  /// The gzip form. Nil if compression gains too little.
  package var gzip: [UInt8]? { isPacked ? held : nil }

  /// The uncompressed file. Decompression cannot fail, because the server compressed the bytes
  /// itself.
  package var bytes: [UInt8] {
    isPacked ? (try? Gzip.decompress(held, limit: length)) ?? [] : held
  }
}
