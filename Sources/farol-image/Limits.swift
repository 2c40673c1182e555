internal import Confinement

/// Resource limits for one picture.
enum Limits {
  /// Maximum size of a file: 10 MiB.
  static let bytes = 10 * 1_024 * 1_024
  /// Maximum number of pixels according to the header.
  static let pixels = 50_000_000
  /// Seconds of processor time. The server allows the same elapsed time.
  static let seconds: UInt = 4
  /// Writable memory of this program, in bytes. Libraries need about 40 MB more, so the total stays
  /// below 200 MB.
  static let memory: UInt = 160 * 1_024 * 1_024
  /// Address space in bytes, used or not.
  static let addresses: UInt = 2 * 1_024 * 1_024 * 1_024
  /// Maximum number of open files: the three standard streams, and the libraries one by one.
  static let files: UInt = 16
  /// Maximum number of parts to black out in one run.
  static let blackOuts = 64
  /// Allowed length of the longest side, in pixels.
  static let sides = 16...4_096

  static let confinement = Confinement(
    seconds: seconds, memory: memory, addresses: addresses, files: files, isTimed: true)
}
