import Import
import JSON
import Service
import WebServer

/// A form with one file, named `file`, and text fields.
struct FileForm {
  /// The text fields by name.
  let fields: JSONObject
  /// The file within the body; nil if the form has no file.
  let file: ByteSource?

  /// The number of bytes of the file to read at a time.
  private static let piece = 128 << 10

  /// Bytes of a text field that are read; a longer text is cut, so that its check fails.
  private static let maxLength = 8_000

  /// - Parameters:
  ///   - request: the request with the form.
  ///   - maxLengths: fields whose text may have more bytes. One byte more is read, so that the caller can refuse it.
  /// - Throws: a 415 if the body is not a form, a 400 if the form is malformed or a name occurs
  ///   twice.
  init(_ request: Request, maxLengths: [String: Int] = [:]) throws {
    guard request.mediaType == "multipart/form-data" else {
      throw Refusal(
        .unsupportedMediaType, "error.media_type", ["types": "multipart/form-data"])
    }
    let form: MultipartForm
    do { form = try MultipartForm(request) } catch {
      throw Refusal(.badRequest, "error.form")
    }
    var fields = JSONObject()
    for part in form.parts where part.name != "file" {
      guard fields[part.name] == nil else { throw Refusal(.badRequest, "error.form") }
      let bytes = form.bytes(of: part).prefix(
        maxLengths[part.name].map { $0 + 1 } ?? Self.maxLength)
      fields[part.name] = .string(String(decoding: bytes, as: UTF8.self))
    }
    self.fields = fields
    file = (try? form.part("file")).map { Self.source($0, of: form) }
  }

  private static func source(
    _ part: MultipartForm.Part, of form: MultipartForm
  ) -> ByteSource {
    let body = form.body
    let range = part.range
    return ByteSource(name: name(part.fileName), size: range.count) { number in
      let start = range.lowerBound + number * piece
      guard start < range.upperBound else { return nil }
      return body[start..<min(start + piece, range.upperBound)]
    }
  }

  /// A file name without its folder and without misleading characters.
  private static func name(_ text: String?) -> String {
    let last = (text ?? "").split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? ""
    let name = String(last.unicodeScalars.prefix(120))
    return PlainText.fault(name, 1...120, lines: false) == nil ? name : "list"
  }
}
