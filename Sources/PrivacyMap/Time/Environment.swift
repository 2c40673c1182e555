/// The external inputs of the program: the clock and the random source.
///
/// Both are injected, so that tests can control the time and repeat the random bytes.
package struct Environment: Sendable {
  /// The current time.
  package var now: @Sendable () -> Timestamp
  /// Returns the given number of unpredictable bytes (128 bits or more from a cryptographic
  /// source).
  package var randomBytes: @Sendable (Int) -> [UInt8]

  package init(
    now: @escaping @Sendable () -> Timestamp,
    randomBytes: @escaping @Sendable (Int) -> [UInt8] = Environment.systemRandomBytes
  ) {
    self.now = now
    self.randomBytes = randomBytes
  }

  /// Bytes of the operating system's random generator.
  package static let systemRandomBytes: @Sendable (Int) -> [UInt8] = { count in
    var generator = SystemRandomNumberGenerator()
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 8)
    // Eight bytes at a time, because each call goes to the kernel.
    while bytes.count < count {
      withUnsafeBytes(of: generator.next()) {
        bytes.append(contentsOf: $0.prefix(count - bytes.count))
      }
    }
    return bytes
  }

  /// A new device identifier.
  package func newDeviceID() -> DeviceID { newID(madeAt: now()) }

  /// A new identifier that contains this time. Of objects that a person made at a moment that is not public, it is the
  /// start of the day or the week, because anyone can read it in the identifier.
  package func newID(madeAt moment: Timestamp) -> DeviceID {
    DeviceID(madeAt: moment, random: randomBytes(10))
  }
}
