import Pictures
import Secrets
import Service
import WebServer

/// An uploaded photo: a form with the fields `image` and, optionally, `alt`.
struct PhotoForm: Sendable {
  let image: [UInt8]
  /// Nil if the field is missing.
  let alt: String?

  private static let fields: Set<String> = ["image", "alt"]

  /// Reads the form; the file name is ignored.
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
    guard image.range.count <= Photos.maxPictureSize else { throw PictureRefusal.tooManyBytes }
    self.alt = try alt.map { try Self.text(form.bytes(of: $0)) }
    self.image = form.bytes(of: image)
  }

  private static func text(_ bytes: [UInt8]) throws -> String {
    guard let raw = String(validating: bytes, as: UTF8.self) else {
      throw InvalidInput("alt", Message("error.characters"))
    }
    // Browsers send line ends as two characters; a description must be a single line.
    let text = PlainText.trimmed(raw.split(whereSeparator: \.isNewline).joined(separator: " "))
    if let message = PlainText.fault(text, 0...Photos.maxAltLength, lines: false) {
      throw InvalidInput([("alt", message)], status: .unprocessableContent)
    }
    return text
  }

  /// Identifies repeated uploads of the same photo; the form's boundary differs each time.
  var content: [UInt8] { Digest.sha256(image) + Array((alt ?? "").utf8) }
}
