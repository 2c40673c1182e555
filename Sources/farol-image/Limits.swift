/// What one picture may cost.
enum Limits {
  /// Bytes of a file that is taken: 10 MiB.
  static let bytes = 10 * 1_024 * 1_024
  /// Pixels a file may say it has.
  static let pixels = 50_000_000
  /// Seconds of the processor. The server allows the same on the clock.
  static let seconds: UInt = 4
  /// Bytes of memory this program may write to. Libraries come on top, about 40 MB of them, so
  /// that all stays below 200 MB.
  static let memory: UInt = 160 * 1_024 * 1_024
  /// Bytes of addresses, used or not.
  static let addresses: UInt = 2 * 1_024 * 1_024 * 1_024
  /// Files open at once: three are given, libraries are opened one by one.
  static let files: UInt = 16
  /// Parts that can be blacked out in one go.
  static let blackOuts = 64
  /// Pixels on the long side that can be asked for.
  static let sides = 16...4_096
}
