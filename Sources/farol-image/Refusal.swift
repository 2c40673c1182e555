/// The reason for rejecting a photo. The server reads the raw value from standard error.
enum Refusal: String, Error {
  /// The first bytes match no accepted kind, regardless of the file name.
  case notAnImage = "not_an_image"
  /// More bytes than ``Limits/bytes``.
  case tooManyBytes = "too_many_bytes"
  /// More pixels than ``Limits/pixels`` according to the header, or more than fit into memory.
  case tooManyPixels = "too_many_pixels"
  /// Truncated, or too damaged to be read.
  case damaged = "damaged"
}

/// A failure of the program: invalid usage, or the system denies a required operation.
struct Failure: Error {
  var sentence: String
}
