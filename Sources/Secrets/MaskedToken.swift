/// Ten bytes of content as a short token that only this instance can make and read: 40 characters of base32, which stay
/// the same in lower case.
///
/// HMAC-SHA-256 with a key of the instance, truncated to 120 bits, proves content and context. The content is combined
/// with a second HMAC of that proof, so that a token reveals nothing (the construction of SIV, RFC 5297). Nothing is
/// stored.
package struct MaskedToken: Sendable {
  /// The size of the content, in bytes.
  package static let size = 10
  private static let proofSize = 15

  package let content: [UInt8]
  /// Lower-case letters and digits.
  package let text: String
  private let proof: [UInt8]

  /// Masks ten bytes. `context` is needed to prove the token; it is not part of it.
  ///
  /// - Returns: nil if the content has another size.
  package init?(_ content: [UInt8], in context: String, key: [UInt8]) {
    guard content.count == Self.size else { return nil }
    self.content = content
    proof = Self.proof(of: content, context, key)
    text = Base32.text(of: proof + Self.masked(content, proof, key)).lowercased()
  }

  /// Parses a token. Its content means nothing before ``isGenuine(in:key:)`` returned true.
  package init?(text: String, key: [UInt8]) {
    guard let bytes = Base32.bytes(of: text.uppercased()),
      bytes.count == Self.proofSize + Self.size
    else { return nil }
    proof = Array(bytes.prefix(Self.proofSize))
    content = Self.masked(Array(bytes.dropFirst(Self.proofSize)), proof, key)
    self.text = text
  }

  /// Whether this instance made the token, in this context.
  package func isGenuine(in context: String, key: [UInt8]) -> Bool {
    Digest.equal(proof, Self.proof(of: content, context, key))
  }

  private static func proof(of content: [UInt8], _ context: String, _ key: [UInt8]) -> [UInt8] {
    let message = Array("proof".utf8) + [0] + content + Array(context.utf8)
    return Array(Digest.hmacSHA256(key: key, message: message).prefix(proofSize))
  }

  private static func masked(_ content: [UInt8], _ proof: [UInt8], _ key: [UInt8]) -> [UInt8] {
    let mask = Digest.hmacSHA256(key: key, message: Array("mask".utf8) + [0] + proof)
    return zip(content, mask).map { $0 ^ $1 }
  }
}

extension MaskedToken: CustomStringConvertible, CustomReflectable {
  /// Omits the content, so that it is not logged by mistake.
  package var description: String { "MaskedToken" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
