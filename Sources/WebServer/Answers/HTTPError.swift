package import JSON

/// An invalid field of a request, with a reason for a human reader.
package struct FieldError: Equatable, Sendable {
  /// The name of the parameter or JSON member, such as `bbox` or `operator.name`.
  package var field: String
  package var detail: String

  /// The maximum number of field errors in a response, so that a response is not many times longer
  /// than its request.
  package static let maximum = 20
  /// The member that indicates further errors.
  package static var more: (key: String, value: JSONValue) { ("more_errors", true) }

  package init(field: String, detail: String) {
    self.field = field
    self.detail = detail
  }
}

/// An error with its own HTTP response. Any other error becomes a 500 without details and a log
/// entry.
package protocol HTTPError: Error {
  var status: Status { get }
  /// The kind of problem. Nil means the reason phrase of the status.
  var title: String? { get }
  /// One sentence about this occurrence. It must not contain SQL, file paths or stack traces.
  var detail: String { get }
  /// The invalid fields of the request.
  var fields: [FieldError] { get }
  /// Header fields to add to the response, such as Retry-After.
  var headers: Headers { get }
  /// A URI that identifies the kind of problem. Nil means `about:blank` (RFC 9457 §4.2.1).
  var type: String? { get }
  /// Additional members of the JSON body (RFC 9457 §3.2).
  var members: [(key: String, value: JSONValue)] { get }
}

extension HTTPError {
  package var title: String? { nil }
  package var fields: [FieldError] { [] }
  package var headers: Headers { [:] }
  package var type: String? { nil }
  package var members: [(key: String, value: JSONValue)] { [] }
}

/// A general-purpose ``HTTPError``.
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

/// The texts of a problem, which the application may translate.
package struct ProblemText: Sendable {
  package var title: String
  package var detail: String
  package var fields: [FieldError]

  package init(title: String, detail: String, fields: [FieldError] = []) {
    self.title = title
    self.detail = detail
    self.fields = fields
  }

  /// The untranslated texts of the error.
  package init(_ error: any HTTPError) {
    self.init(
      title: error.title ?? error.status.reasonPhrase, detail: error.detail, fields: error.fields)
  }
}
