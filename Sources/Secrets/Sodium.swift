private import CSodium

/// What every file here does with libsodium.
enum Sodium {
  /// libsodium made ready, once, before anything else of it is called.
  ///
  /// It fails only where the system has no source of random bytes. Nothing can be kept secret there,
  /// so the process ends rather than answer with something guessable.
  static let ready: Void = {
    precondition(sodium_init() >= 0, "libsodium cannot start: no source of random bytes")
  }()

  /// Bytes that nobody can guess, from the system's generator.
  static func randomBytes(_ count: Int) -> [UInt8] {
    ready
    var bytes = [UInt8](repeating: 0, count: count)
    randombytes_buf(&bytes, count)
    return bytes
  }

  /// A number below `bound`, each as likely as the next.
  static func randomNumber(below bound: UInt32) -> UInt32 {
    ready
    return randombytes_uniform(bound)
  }

  /// Overwrites bytes that are of no more use, in a way that the compiler may not leave out.
  static func wipe<Byte: FixedWidthInteger>(_ bytes: inout [Byte]) {
    bytes.withUnsafeMutableBytes { raw in
      if let start = raw.baseAddress { sodium_memzero(start, raw.count) }
    }
  }
}
