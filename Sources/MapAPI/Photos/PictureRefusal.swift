import WebServer

/// Why a file is not taken as a photo: a sentence for each, `image` being the field at fault.
enum PictureRefusal: String, TranslatedError, CaseIterable {
  // The words of `farol-image` (docs/photos.md).
  case notAnImage = "not_an_image"
  case tooManyBytes = "too_many_bytes"
  case tooManyPixels = "too_many_pixels"
  case damaged
  /// It took more time or memory than a picture may take.
  case tooCostly = "too_costly"

  package var status: Status {
    switch self {
    case .notAnImage: .unsupportedMediaType
    case .tooManyBytes: .contentTooLarge
    case .tooManyPixels, .damaged, .tooCostly: .unprocessableContent
    }
  }

  var message: Message {
    switch self {
    case .notAnImage: Message("error.picture.not_an_image")
    case .tooManyBytes: Message("error.picture.too_many_bytes")
    case .tooManyPixels: Message("error.picture.too_many_pixels")
    case .damaged: Message("error.picture.damaged")
    case .tooCostly: Message("error.picture.too_costly")
    }
  }
  var fieldMessages: [(name: String, message: Message)] { [("image", message)] }
}
