/// A response status (RFC 9110 §15).
package struct Status: Hashable, Sendable {
  /// Three digits.
  package var code: Int
  package init(_ code: Int) { self.code = code }

  package static let ok = Status(200)
  package static let created = Status(201)
  package static let accepted = Status(202)
  package static let noContent = Status(204)
  package static let partialContent = Status(206)
  package static let seeOther = Status(303)
  package static let notModified = Status(304)
  package static let badRequest = Status(400)
  package static let unauthorized = Status(401)
  package static let forbidden = Status(403)
  package static let notFound = Status(404)
  package static let methodNotAllowed = Status(405)
  package static let notAcceptable = Status(406)
  package static let conflict = Status(409)
  package static let gone = Status(410)
  package static let preconditionFailed = Status(412)
  package static let contentTooLarge = Status(413)
  package static let uriTooLong = Status(414)
  package static let unsupportedMediaType = Status(415)
  package static let rangeNotSatisfiable = Status(416)
  package static let unprocessableContent = Status(422)
  package static let preconditionRequired = Status(428)
  package static let tooManyRequests = Status(429)
  package static let internalServerError = Status(500)
  package static let serviceUnavailable = Status(503)

  /// The reason phrase from RFC 9110 §15 and RFC 6585. It is also the default title of a problem.
  package var reasonPhrase: String { Self.phrases[code] ?? "Status \(code)" }

  package var isError: Bool { code >= 400 }

  private static let phrases: [Int: String] = [
    200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 206: "Partial Content",
    301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
    307: "Temporary Redirect", 308: "Permanent Redirect",
    400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
    405: "Method Not Allowed", 406: "Not Acceptable", 409: "Conflict", 410: "Gone",
    412: "Precondition Failed", 413: "Content Too Large", 414: "URI Too Long",
    415: "Unsupported Media Type", 416: "Range Not Satisfiable", 422: "Unprocessable Content",
    428: "Precondition Required", 429: "Too Many Requests",
    431: "Request Header Fields Too Large",
    500: "Internal Server Error", 501: "Not Implemented", 503: "Service Unavailable",
  ]
}
