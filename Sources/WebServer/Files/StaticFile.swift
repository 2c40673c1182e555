internal import Compression

/// One file held in memory, with what its answers need.
package struct StaticFile: Sendable {
  package let bytes: [UInt8]
  /// The gzip form, held only where it is smaller by a tenth.
  package let gzip: [UInt8]?
  /// The whole Content-Type value.
  package let mediaType: String
  package let etag: EntityTag

  package init(_ bytes: [UInt8], mediaType: String) {
    self.bytes = bytes
    self.mediaType = mediaType
    etag = EntityTag(hashing: bytes)
    guard bytes.count >= ContentCoding.shortestWorthwhile, ContentCoding.isWorthwhile(mediaType)
    else {
      gzip = nil
      return
    }
    let packed = Gzip.compress(bytes, level: 9)
    gzip = packed.count < bytes.count / 10 * 9 ? packed : nil
  }
}
