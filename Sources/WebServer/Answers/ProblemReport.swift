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
    var members: [(key: String, value: JSONValue)] = [
      ("type", .string(error.type ?? "about:blank")), ("title", .string(text.title)),
      ("status", .integer(Int64(error.status.code))), ("detail", .string(text.detail)),
      ("instance", .string(PercentEncoding.path(path))),
    ]
    if !text.fields.isEmpty {
      let fields = text.fields.map { field in
        ["field": .string(field.field), "detail": .string(field.detail)] as JSONValue
      }
      members.append(("errors", .array(fields)))
    }
    var writer = JSONWriter()
    writer.value(.object(JSONObject(members + error.members)))
    return writer.bytes
  }
}
