/// Why a file is not taken as a photo. The raw value is what the server reads on standard error.
enum Refusal: String, Error {
  /// The first bytes are of no kind that is taken, whatever the file was called.
  case notAnImage = "not_an_image"
  /// More bytes than ``Limits/bytes``.
  case tooManyBytes = "too_many_bytes"
  /// More pixels than ``Limits/pixels``, as the head says, or more than fit the memory.
  case tooManyPixels = "too_many_pixels"
  /// Cut short, or damaged so that it cannot be read.
  case damaged = "damaged"
}

/// What went wrong on our side: wrong use, or a machine that refuses what is needed.
struct Failure: Error {
  var sentence: String
}
