internal import Compression

/// One file held in memory, with what its answers need.
///
/// Where gzip makes it smaller by a tenth, only that form is held, which is the one nearly everybody asks
/// for; for anybody else it is undone again.
package struct StaticFile: Sendable {
  private let held: [UInt8]
  /// Bytes of the file itself.
  private let length: Int
  private let isPacked: Bool
  /// The whole Content-Type value.
  package let mediaType: String
  package let etag: EntityTag

  package init(_ bytes: [UInt8], mediaType: String) {
    self.mediaType = mediaType
    etag = EntityTag(hashing: bytes)
    length = bytes.count
    let mayGain =
      bytes.count >= ContentCoding.shortestWorthwhile && ContentCoding.isWorthwhile(mediaType)
    let packed = mayGain ? Gzip.compress(bytes, level: 9) : bytes
    isPacked = packed.count < bytes.count / 10 * 9
    held = isPacked ? packed : bytes
  }

  /// The gzip form; nil where it gains too little.
  package var gzip: [UInt8]? { isPacked ? held : nil }

  /// The file as it is. What was packed here can be undone, so that there is no error to tell of.
  package var bytes: [UInt8] {
    isPacked ? (try? Gzip.decompress(held, limit: length)) ?? [] : held
  }
}
