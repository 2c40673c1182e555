private import CSodium

/// The functions of libsodium that are used by several files.
enum Sodium {
  /// Initialises libsodium once; evaluate it before any other call of the library.
  ///
  /// It fails only if the system has no source of random bytes. No secret would be safe then, so the process ends
  /// instead of producing guessable values.
  static let ready: Void = {
    precondition(sodium_init() >= 0, "libsodium cannot start: no source of random bytes")
  }()

  /// Unpredictable bytes from the system's generator.
  static func randomBytes(_ count: Int) -> [UInt8] {
    ready
    var bytes = [UInt8](repeating: 0, count: count)
    randombytes_buf(&bytes, count)
    return bytes
  }

  /// A uniformly distributed number below `bound`.
  static func randomNumber(below bound: UInt32) -> UInt32 {
    ready
    return randombytes_uniform(bound)
  }

  /// Overwrites bytes that are no longer needed, in a way that the compiler must not remove.
  static func wipe<Byte: FixedWidthInteger>(_ bytes: inout [Byte]) {
    bytes.withUnsafeMutableBytes { raw in
      if let start = raw.baseAddress { sodium_memzero(start, raw.count) }
    }
  }
}
