/// Why a run of bytes is not the gzip file (RFC 1952) it claims to be.
package enum InvalidGzip: Error, Equatable, Sendable {
  /// The bytes are not gzip, or are damaged. The text is zlib's own.
  case corrupt(String)
  /// The input ended inside a member.
  case truncated
  /// The output passed the caller's limit, in bytes: what a decompression bomb does.
  case overLimit(Int)
  /// zlib found no memory for its window.
  case outOfMemory
}
