/// A finished answer: all header fields except Content-Length and Date, and the payload.
struct Answer: Sendable {
  var status: Status
  var headers: Headers
  var payload: Payload
  /// The route template, for the log.
  var route: String?

  enum Payload: Sendable {
    case empty
    /// A range of an array. The array is shared, not copied.
    case bytes([UInt8], Range<Int>)
    case stream(@Sendable (inout BodyWriter) throws -> Void, gzip: Bool)
    case pull(@Sendable () throws -> [UInt8]?, length: Int?)
    case pushed(PushedBody)

    static func all(_ bytes: [UInt8]) -> Payload { .bytes(bytes, 0..<bytes.count) }

    /// Nil if it is known only at the end.
    var length: Int? {
      switch self {
      case .empty: 0
      case .bytes(_, let range): range.count
      case .pull(_, let length): length
      case .stream, .pushed: nil
      }
    }
  }

  /// Finishes a handler's response to `request`.
  init(_ response: Response, for request: Request, isPublic: Bool, security: SecurityPolicy) {
    var work = Finishing(response: response, request: request)
    work.run()
    status = work.response.status
    headers = work.response.headers
    payload = work.payload
    route = request.route
    let hasBody = payload.length != 0
    // The fields of a 304 replace those that the browser has stored (RFC 9111 §3.2). The policy for
    // other types is stricter and would break a cached page, so a 304 carries the policy for pages.
    let mediaType =
      status == .notModified ? "text/html" : hasBody ? headers["Content-Type"] ?? "" : ""
    if status != .notModified, request.method.isRead || status.isError {
      headers.setDefault("Cache-Control", "no-cache")
    }
    security.apply(to: &headers, mediaType: mediaType, isPublic: isPublic)
  }

  /// The response returned by ``Router/respond(to:)``.
  func response(isHead: Bool) -> Response {
    var response = Response(status, headers: headers)
    if let length = payload.length, status != .noContent, status != .notModified {
      response.headers["Content-Length"] = String(length)
    }
    if isHead { return response }
    switch payload {
    case .empty: break
    case .bytes(let bytes, let range): response.body = .bytes(Array(bytes[range]))
    case .stream(let write, false): response.body = .stream(write)
    case .stream(let write, true): response.body = .stream(BodyWriter.gzipped(write))
    case .pull(let next, let length): response.body = .pull(next, length: length)
    case .pushed(let body): response.body = .pushed(body)
    }
    return response
  }
}
