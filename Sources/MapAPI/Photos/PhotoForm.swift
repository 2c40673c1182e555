import Secrets
import WebServer

/// A photo as it is sent: a form with the fields `image` and, where anything is said of it, `alt`.
struct PhotoForm: Sendable {
  let image: [UInt8]
  /// Nil where the field is missing.
  let alt: String?

  private static let fields: Set<String> = ["image", "alt"]

  /// Reads the form; what the file was called counts for nothing.
  ///
  /// - Throws: a 415 or 400 ``Refusal``, ``InvalidInput`` or ``PictureRefusal``.
  init(_ request: Request) throws {
    guard request.mediaType == "multipart/form-data" else {
      throw Refusal(
        .unsupportedMediaType, "error.media_type", ["types": "multipart/form-data"])
    }
    let form: MultipartForm
    let image, alt: MultipartForm.Part?
    do {
      form = try MultipartForm(request)
      image = try form.part("image")
      alt = try form.part("alt")
    } catch {
      throw Refusal(.badRequest, "error.form")
    }
    let unknown = form.parts.filter { !Self.fields.contains($0.name) }
    if !unknown.isEmpty {
      throw InvalidInput(
        unknown.map { (PlainText.clipped($0.name), Message("error.unknown_member")) },
        status: .badRequest)
    }
    guard let image else { throw InvalidInput("image", Message("error.missing_member")) }
    guard image.range.count <= Photos.longestPicture else { throw PictureRefusal.tooManyBytes }
    self.alt = try alt.map { try Self.text(form.bytes(of: $0)) }
    self.image = form.bytes(of: image)
  }

  private static func text(_ bytes: [UInt8]) throws -> String {
    guard let raw = String(validating: bytes, as: UTF8.self) else {
      throw InvalidInput("alt", Message("error.characters"))
    }
    // Browsers send line ends as two characters, and words about a picture have none.
    let text = PlainText.trimmed(raw.split(whereSeparator: \.isNewline).joined(separator: " "))
    if let message = PlainText.fault(text, 0...Photos.longestAlt, lines: false) {
      throw InvalidInput([("alt", message)], status: .unprocessableContent)
    }
    return text
  }

  /// What makes it the same photo when it is sent again; the form's own boundary is another each time.
  var content: [UInt8] { Digest.sha256(image) + Array((alt ?? "").utf8) }
}
