/// Why bytes are not a valid gzip file (RFC 1952).
package enum InvalidGzip: Error, Equatable, Sendable {
  /// The bytes are not gzip, or are damaged. The text comes from zlib.
  case corrupt(String)
  /// The input ended inside a member.
  case truncated
  /// The output exceeded the caller's limit (in bytes), as with a decompression bomb.
  case overLimit(Int)
  /// zlib could not allocate its window.
  case outOfMemory
}
