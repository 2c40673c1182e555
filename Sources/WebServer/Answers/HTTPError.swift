package import JSON

/// One field of a request that was refused, and why, in words for a person.
package struct FieldError: Equatable, Sendable {
  /// The parameter or JSON member, such as `bbox` or `operator.name`.
  package var field: String
  package var detail: String

  /// How many an answer tells at most: an answer is not to be many times as long as its request.
  package static let most = 20
  /// The member that says that there are more.
  package static var more: (key: String, value: JSONValue) { ("more_errors", true) }

  package init(field: String, detail: String) {
    self.field = field
    self.detail = detail
  }
}

/// An error that says how it is answered. Any other error becomes a bare 500 and a line in the log.
package protocol HTTPError: Error {
  var status: Status { get }
  /// What kind of problem it is; nil for the status's reason phrase.
  var title: String? { get }
  /// One sentence about this occurrence; it must hold no SQL, file path or stack.
  var detail: String { get }
  /// The fields that are wrong, for bad input.
  var fields: [FieldError] { get }
  /// Fields to add to the answer, such as Retry-After.
  var headers: Headers { get }
  /// A URI that names the kind of problem; nil for `about:blank` (RFC 9457 §4.2.1).
  var type: String? { get }
  /// Further members of the JSON body (RFC 9457 §3.2).
  var members: [(key: String, value: JSONValue)] { get }
}

extension HTTPError {
  package var title: String? { nil }
  package var fields: [FieldError] { [] }
  package var headers: Headers { [:] }
  package var type: String? { nil }
  package var members: [(key: String, value: JSONValue)] { [] }
}

/// An ``HTTPError`` made on the spot.
package struct Problem: HTTPError {
  package var status: Status
  package var title: String?
  package var detail: String
  package var fields: [FieldError]
  package var headers: Headers
  package var type: String?
  package var members: [(key: String, value: JSONValue)]

  package init(
    _ status: Status, _ detail: String, title: String? = nil, fields: [FieldError] = [],
    headers: Headers = [:], type: String? = nil, members: [(key: String, value: JSONValue)] = []
  ) {
    self.status = status
    self.title = title
    self.detail = detail
    self.fields = fields
    self.headers = headers
    self.type = type
    self.members = members
  }

  /// A 400 about one parameter or member.
  package static func badField(_ field: String, _ detail: String) -> Problem {
    Problem(.badRequest, detail, fields: [FieldError(field: field, detail: detail)])
  }
}

/// The words of a problem, which the application may translate.
package struct ProblemText: Sendable {
  package var title: String
  package var detail: String
  package var fields: [FieldError]

  package init(title: String, detail: String, fields: [FieldError] = []) {
    self.title = title
    self.detail = detail
    self.fields = fields
  }

  /// The error's own words.
  package init(_ error: any HTTPError) {
    self.init(
      title: error.title ?? error.status.reasonPhrase, detail: error.detail, fields: error.fields)
  }
}
