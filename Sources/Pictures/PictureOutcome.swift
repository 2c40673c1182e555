/// The outcome of a picture upload.
package enum PictureOutcome: String, CaseIterable, Sendable {
  case drawn
  case notAnImage = "not_an_image"
  case tooManyBytes = "too_many_bytes"
  case tooManyPixels = "too_many_pixels"
  case damaged
  case tooCostly = "too_costly"
  /// `farol-image` is missing or failed.
  case failed

  /// The outcome of a failed attempt to process a picture.
  init(_ error: any Error) {
    let refusal = (error as? PictureRefusal)?.rawValue ?? ""
    self = PictureOutcome(rawValue: refusal) ?? .failed
  }
}
