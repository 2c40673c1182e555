package import Service
package import WebServer

/// The reasons for refusing a picture: a sentence for each; the invalid field is `image`.
package enum PictureRefusal: String, TranslatedError, CaseIterable {
  // The codes of `farol-image` (docs/explanation/photos.md).
  case notAnImage = "not_an_image"
  case tooManyBytes = "too_many_bytes"
  case tooManyPixels = "too_many_pixels"
  case damaged
  /// Processing exceeded the limit of time or memory.
  case tooCostly = "too_costly"

  package var status: Status {
    switch self {
    case .notAnImage: .unsupportedMediaType
    case .tooManyBytes: .contentTooLarge
    case .tooManyPixels, .damaged, .tooCostly: .unprocessableContent
    }
  }

  package var message: Message {
    switch self {
    case .notAnImage: Message("error.picture.not_an_image")
    case .tooManyBytes: Message("error.picture.too_many_bytes")
    case .tooManyPixels: Message("error.picture.too_many_pixels")
    case .damaged: Message("error.picture.damaged")
    case .tooCostly: Message("error.picture.too_costly")
    }
  }
  package var fieldMessages: [(name: String, message: Message)] { [("image", message)] }
}
