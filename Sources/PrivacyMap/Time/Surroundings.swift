/// What a program takes from the world besides its input: the time and chance.
///
/// Both are handed in, so that tests can move the one and repeat the other.
package struct Surroundings: Sendable {
  /// The present moment.
  package var now: @Sendable () -> Timestamp
  /// So many bytes that nobody can foresee (128 bits or more of a cryptographic source).
  package var randomBytes: @Sendable (Int) -> [UInt8]

  package init(
    now: @escaping @Sendable () -> Timestamp,
    randomBytes: @escaping @Sendable (Int) -> [UInt8] = Surroundings.systemRandomBytes
  ) {
    self.now = now
    self.randomBytes = randomBytes
  }

  /// Bytes of the operating system's generator.
  package static let systemRandomBytes: @Sendable (Int) -> [UInt8] = { count in
    var generator = SystemRandomNumberGenerator()
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 8)
    // Eight at a time, as each question is one to the kernel.
    while bytes.count < count {
      withUnsafeBytes(of: generator.next()) {
        bytes.append(contentsOf: $0.prefix(count - bytes.count))
      }
    }
    return bytes
  }

  /// A new device's identity.
  package func newDeviceID() -> DeviceID {
    DeviceID(madeAt: now(), random: randomBytes(10))
  }
}
