package import JSON
package import WebServer

/// A refused request: 401, 403, 409, 410, 412, 428, 429 or similar. It has a message of the
/// catalogue and, where clients need to distinguish cases, a problem type.
package struct Refusal: TranslatedError {
  package let status: Status
  package let message: Message
  /// A relative reference that identifies the problem type, such as `/problems/suspended`.
  package let type: String?
  package let headers: Headers
  package let members: [(key: String, value: JSONValue)]
  package let fieldMessages: [(name: String, message: Message)]

  /// `key` is the catalogue key of the message.
  package init(
    _ status: Status, _ key: String, _ arguments: [String: String] = [:], type: String? = nil,
    field: String? = nil, headers: Headers = [:],
    members: [(key: String, value: JSONValue)] = []
  ) {
    self.status = status
    message = Message(key, arguments)
    self.type = type.map { "/problems/\($0)" }
    self.headers = headers
    self.members = members
    fieldMessages = field.map { [($0, Message(key, arguments))] } ?? []
  }

  package static let signedOut = Refusal(
    .unauthorized, "error.signed_out", headers: ["WWW-Authenticate": "Bearer"])
  package static let badToken = Refusal(
    .unauthorized, "error.bad_token",
    headers: ["WWW-Authenticate": "Bearer error=\"invalid_token\""])
  static let foreignOrigin = Refusal(.forbidden, "error.foreign_origin", type: "foreign-origin")
  static let csrf = Refusal(.forbidden, "error.csrf", type: "csrf-token")
  package static let unconfirmed = Refusal(.forbidden, "error.unconfirmed", type: "unconfirmed")
  package static let suspended = Refusal(.forbidden, "error.suspended", type: "suspended")
  package static let mustEnrol = Refusal(
    .forbidden, "error.second_factor_enrolment", type: "second-factor-enrolment-required")
  package static let role = Refusal(.forbidden, "error.role")
  /// 403: the token lacks a scope. The response names that scope (RFC 6750 §3.1).
  static func scope(_ needed: Scope) -> Refusal {
    Refusal(
      .forbidden, "error.scope", ["scope": needed.rawValue], type: "scope",
      headers: [
        "WWW-Authenticate": "Bearer error=\"insufficient_scope\", scope=\"\(needed.rawValue)\""
      ],
      members: [("scope", .string(needed.rawValue))])
  }
  /// 409: the account lost a right while the request waited, although it may still use the endpoint.
  static let lessPermitted = Refusal(.conflict, "error.less_permitted", type: "overtaken")
  package static let ownBrowser = Refusal(.forbidden, "error.own_browser", type: "session-required")

  /// 428: the write must state the version that it changes.
  package static let ifMatch = Refusal(.preconditionRequired, "error.if_match_missing")

  /// 503: the database cannot be written at the moment.
  package static let savingImpossible = Refusal(
    .serviceUnavailable, "error.saving_impossible", type: "saving-impossible",
    headers: ["Retry-After": "30"])
  /// 503: the connection to PostgreSQL ended during a commit, and whether the changes are stored is not known.
  static let outcomeUnknown = Refusal(
    .serviceUnavailable, "error.outcome_unknown", type: "outcome-unknown")
  /// 503: the database cannot be read.
  package static let readingImpossible = Refusal(
    .serviceUnavailable, "error.not_ready", headers: ["Retry-After": "5"])
  /// 503: a read exceeded its time limit.
  package static let tookTooLong = Refusal(
    .serviceUnavailable, "error.took_too_long", headers: ["Retry-After": "5"])
  /// 503: too many requests are queued.
  package static let busy = Refusal(
    .serviceUnavailable, "error.busy", headers: ["Retry-After": "5"])
}

extension Refusal {
  /// 409: the state assumed by the action has changed.
  package static func overtaken(_ key: String) -> Refusal {
    Refusal(.conflict, key, type: "overtaken")
  }
}
