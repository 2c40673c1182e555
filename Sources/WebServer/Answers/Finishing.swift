internal import Compression

/// The steps from a handler's response to the answer that is sent: content encoding, conditional requests, ranges.
struct Finishing {
  var response: Response
  var payload = Answer.Payload.empty
  private let method: Method
  private let path: String
  private let asked: Headers

  init(response: Response, request: borrowing Request) {
    self.response = response
    method = request.method
    path = request.path
    asked = request.headers
  }

  mutating func run() {
    let encoding = chooseEncoding()
    if let tag = response.etag {
      let sent = encoding == .gzip || encoding == .asGiven ? tag.compressed : tag
      response.headers["ETag"] = sent.headerValue
    }
    if let date = response.lastModified { response.headers["Last-Modified"] = date.headerValue }
    guard meetsConditions(encoding) else { return }
    load(encoding)
    if response.status == .ok, mayBeSentInParts {
      response.headers.setDefault("Accept-Ranges", "bytes")
      if encoding == .plain { cutRange() }
    }
  }

  private enum Encoding {
    case plain
    /// Compress now, or use the file's stored gzip form.
    case gzip
    /// The handler's bytes are already gzip.
    case asGiven
    /// The handler's bytes are already gzip, but the client does not accept it.
    case undo
  }

  private mutating func chooseEncoding() -> Encoding {
    if response.headers["Content-Encoding"] == "gzip" {
      response.headers.merge("Vary", "Accept-Encoding")
      return ContentCoding.acceptsGzip(asked) ? .asGiven : .undo
    }
    guard gains else { return .plain }
    response.headers.merge("Vary", "Accept-Encoding")
    guard ContentCoding.acceptsGzip(asked), !wantsRange else { return .plain }
    return .gzip
  }

  /// Whether any client would benefit from compression.
  private var gains: Bool {
    guard response.mayCompress, !response.headers.contains("Content-Encoding") else { return false }
    switch response.body {
    case .empty, .pull, .kept, .pushed: return false
    case .file(let file): return file.gzip != nil
    case .bytes(let bytes) where bytes.count < ContentCoding.minWorthwhileSize: return false
    case .bytes, .stream:
      return response.headers["Content-Type"].map(ContentCoding.isWorthwhile) ?? false
    }
  }

  /// Evaluates the conditions of the request, which apply only to a success. A stream of changes is not
  /// a version of anything.
  ///
  /// - Returns: false if the response is 304 or 412 instead.
  private mutating func meetsConditions(_ encoding: Encoding) -> Bool {
    guard response.status == .ok || response.status == .noContent, method.isRead else {
      return true
    }
    if case .pushed = response.body { return true }
    let isPart = method == .get && mayBeSentInParts && asked.contains("Range")
    switch Preconditions(asked).outcome(response.etag, response.lastModified, isExact: isPart) {
    case .perform: return true
    case .notModified:
      response.status = .notModified
      response.headers["Content-Type"] = nil
      response.headers["Content-Encoding"] = nil
    case .failed(let field):
      var headers: Headers = ["Cache-Control": "no-store"]
      for name in ["ETag", "Last-Modified", "Vary"] { headers[name] = response.headers[name] }
      report(
        Problem(
          .preconditionFailed, "This is not the version that \(field) asks for.", headers: headers))
    }
    return false
  }

  /// Replaces the response by a problem.
  private mutating func report(_ problem: Problem) {
    response = ProblemReport(error: problem, text: ProblemText(problem), path: path).response
    payload = .all(response.body.bytes ?? [])
  }

  private mutating func load(_ encoding: Encoding) {
    switch (response.body, encoding) {
    case (.empty, _):
      payload = .empty
    case (.file(let file), .gzip):
      payload = .all(file.gzip ?? file.bytes)
    case (.file(let file), _):
      payload = .all(file.bytes)
    case (.bytes(let bytes), .gzip):
      payload = .all(Gzip.compress(bytes, level: ContentCoding.level))
    case (.bytes(let bytes), .undo):
      undo(bytes)
      return
    case (.bytes(let bytes), _):
      payload = .all(bytes)
    case (.stream(let write), _):
      payload = .stream(write, gzip: encoding == .gzip)
    case (.pull(let next, let length), _):
      payload = .pull(next, length: length)
    case (.kept(let file), _):
      payload = .pull(file.pieces(of: 0..<file.count), length: file.count)
    case (.pushed(let body), _):
      payload = .pushed(body)
    }
    if encoding == .gzip { response.headers["Content-Encoding"] = "gzip" }
  }

  /// Bytes that turn out not to be gzip are sent with the handler's label.
  private mutating func undo(_ bytes: [UInt8]) {
    do throws(InvalidGzip) {
      payload = .all(try Gzip.decompress(bytes, limit: Self.maxUnpackedSize))
      response.headers["Content-Encoding"] = nil
    } catch {
      payload = .all(bytes)
    }
  }

  /// In bytes. Bodies that the server compressed itself are far smaller.
  private static let maxUnpackedSize = 64 << 20

  private var mayBeSentInParts: Bool {
    switch response.body {
    case .file, .kept: true
    case .bytes: response.acceptsRanges
    case .empty, .stream, .pull, .pushed: false
    }
  }

  /// Ranges apply only to GET, and only if If-Range is absent or matches the current version. They are parts of the
  /// uncompressed form.
  private var wantsRange: Bool {
    method == .get && response.status == .ok && mayBeSentInParts && asked.contains("Range")
      && Preconditions(asked).permitRange(response.etag, response.lastModified)
  }

  private mutating func cutRange() {
    guard wantsRange, let text = asked["Range"], let length = payload.length else { return }
    switch ByteRange(text, length: length) {
    case .ignored:
      return
    case .part(let range):
      response.status = .partialContent
      response.headers["Content-Range"] =
        "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(length)"
      if case .kept(let file) = response.body {
        payload = .pull(file.pieces(of: range), length: range.count)
      } else if case .bytes(let bytes, _) = payload {
        payload = .bytes(bytes, range)
      }
    case .unsatisfiable:
      report(
        Problem(
          .rangeNotSatisfiable, "The range lies outside the \(length) bytes there are.",
          headers: ["Content-Range": "bytes */\(length)"]))
    }
  }
}
