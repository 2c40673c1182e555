private import CSodium

/// base64url without padding (RFC 4648 §5), in a time that does not depend on the content.
enum Base64URL {
  private static let variant = sodium_base64_VARIANT_URLSAFE_NO_PADDING

  static func text(of bytes: [UInt8]) -> String {
    Sodium.ready
    // The length includes the terminating zero of a C string.
    let length = sodium_base64_encoded_len(bytes.count, variant)
    var characters = [CChar](repeating: 0, count: length)
    sodium_bin2base64(&characters, characters.count, bytes, bytes.count, variant)
    defer { Sodium.wipe(&characters) }
    return String(decoding: characters.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Decodes a text of exactly `count` bytes; nil for any other text. Padding, white space and stray bits
  /// at the end are refused, so that every value has one spelling.
  static func bytes(of text: String, count: Int) -> [UInt8]? {
    Sodium.ready
    let characters = text.utf8.map { CChar(bitPattern: $0) }
    guard characters.count == sodium_base64_encoded_len(count, variant) - 1 else { return nil }
    var read = [UInt8](repeating: 0, count: count)
    var found = 0
    let isWhole = sodium_base642bin(
      &read, read.count, characters, characters.count, nil, &found, nil, variant)
    return isWhole == 0 && found == count ? read : nil
  }
}
