import JSON
import PrivacyMap
import WebServer

/// Why somebody does not get what they ask for: 401, 403, 409, 410, 412, 428, 429 and their like, each
/// with a sentence in the catalogue and, where programs tell kinds apart, a type.
struct Refusal: TranslatedError {
  let status: Status
  let message: Message
  /// A relative reference that names the kind, such as `/problems/suspended`.
  let type: String?
  let headers: Headers
  let members: [(key: String, value: JSONValue)]
  let fieldMessages: [(name: String, message: Message)]

  /// `key` is the sentence's in the catalogue.
  init(
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

  static let signedOut = Refusal(
    .unauthorized, "error.signed_out", headers: ["WWW-Authenticate": "Bearer"])
  static let badToken = Refusal(
    .unauthorized, "error.bad_token",
    headers: ["WWW-Authenticate": "Bearer error=\"invalid_token\""])
  static let foreignOrigin = Refusal(.forbidden, "error.foreign_origin", type: "foreign-origin")
  static let csrf = Refusal(.forbidden, "error.csrf", type: "csrf-token")
  static let unconfirmed = Refusal(.forbidden, "error.unconfirmed", type: "unconfirmed")
  static let suspended = Refusal(.forbidden, "error.suspended", type: "suspended")
  static let mustEnrol = Refusal(
    .forbidden, "error.second_factor_enrolment", type: "second-factor-enrolment-required")
  static let role = Refusal(.forbidden, "error.role")
  /// 403: the token lacks a scope, which the answer names (RFC 6750 §3.1).
  static func scope(_ needed: Scope) -> Refusal {
    Refusal(
      .forbidden, "error.scope", ["scope": needed.rawValue], type: "scope",
      headers: [
        "WWW-Authenticate": "Bearer error=\"insufficient_scope\", scope=\"\(needed.rawValue)\""
      ],
      members: [("scope", .string(needed.rawValue))])
  }
  static let ownBrowser = Refusal(.forbidden, "error.own_browser", type: "session-required")

  /// 428: a write that must name the version it changes.
  static let ifMatch = Refusal(.preconditionRequired, "error.if_match_missing")

  /// 503: nothing can be saved just now.
  static let savingImpossible = Refusal(
    .serviceUnavailable, "error.saving_impossible", type: "saving-impossible",
    headers: ["Retry-After": "30"])
  /// 503: the database does not answer.
  static let readingImpossible = Refusal(
    .serviceUnavailable, "error.not_ready", headers: ["Retry-After": "5"])
  /// 503: a read that its time limit ended.
  static let tookTooLong = Refusal(
    .serviceUnavailable, "error.took_too_long", headers: ["Retry-After": "5"])
  /// 503: too much waits already.
  static let busy = Refusal(
    .serviceUnavailable, "error.busy", headers: ["Retry-After": "5"])
}
