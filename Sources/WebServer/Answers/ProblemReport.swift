internal import JSON

/// An error response in the common format: `application/problem+json` (RFC 9457) with `type`,
/// `title`, `status`, `detail`, `instance` and, for invalid input, `errors: [{"field", "detail"}]`.
struct ProblemReport {
  static let mediaType = "application/problem+json"

  var error: any HTTPError
  var text: ProblemText
  /// The decoded path of the request, without its query.
  var path: String

  var response: Response {
    var response = Response(error.status, headers: error.headers, body: .bytes(json))
    response.headers["Content-Type"] = Self.mediaType
    response.headers.setDefault("Cache-Control", "no-store")
    return response
  }

  private var json: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("type")
    writer.string(error.type ?? "about:blank")
    writer.key("title")
    writer.string(text.title)
    writer.key("status")
    writer.integer(error.status.code)
    writer.key("detail")
    writer.string(text.detail)
    writer.key("instance")
    writer.string(PercentEncoding.path(path))
    if !text.fields.isEmpty {
      writer.key("errors")
      writer.beginArray()
      for field in text.fields {
        writer.beginObject()
        writer.key("field")
        writer.string(field.field)
        writer.key("detail")
        writer.string(field.detail)
        writer.endObject()
      }
      writer.endArray()
    }
    for member in error.members {
      writer.key(member.key)
      writer.value(member.value)
    }
    writer.endObject()
    return writer.bytes
  }
}
