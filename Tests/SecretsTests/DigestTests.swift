import Secrets
import Testing

@Suite struct DigestTests {
  @Test func `SHA-256 of the empty text and of abc matches FIPS 180-4`() {
    #expect(
      Digest.sha256([])
        == bytes("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"))
    #expect(
      Digest.sha256(Array("abc".utf8))
        == bytes("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"))
  }

  /// RFC 4231 §4.2, §4.3 and §4.7: keys shorter and longer than a block.
  static let vectors: [(key: [UInt8], message: [UInt8], code: [UInt8])] = [
    (
      [UInt8](repeating: 0x0B, count: 20), Array("Hi There".utf8),
      bytes("b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
    ),
    (
      Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
      bytes("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    ),
    (
      [UInt8](repeating: 0xAA, count: 131),
      Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
      bytes("60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
    ),
  ]

  @Test(arguments: vectors)
  func `HMAC-SHA-256 equals the values of RFC 4231`(key: [UInt8], message: [UInt8], code: [UInt8]) {
    #expect(Digest.hmacSHA256(key: key, message: message) == code)
  }

  @Test func `an empty key and an empty message have an HMAC`() {
    #expect(
      Digest.hmacSHA256(key: [], message: [])
        == bytes("b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"))
  }

  @Test func `equal fingerprints compare as equal, and one different bit as unequal`() {
    let digest = Digest.sha256([1, 2, 3])
    var other = digest
    #expect(Digest.equal(digest, other))
    other[31] ^= 1
    #expect(!Digest.equal(digest, other))
    other[31] ^= 1
    other[0] ^= 0x80
    #expect(!Digest.equal(digest, other))
  }

  @Test func `fingerprints of different lengths are unequal`() {
    #expect(!Digest.equal([1, 2, 3], [1, 2]))
    #expect(!Digest.equal([], [0]))
    #expect(Digest.equal([], []))
  }
}
