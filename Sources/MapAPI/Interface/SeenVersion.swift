import JSON
import Secrets
import WebServer

/// The version of something that one person decides about while another can still change it.
///
/// What the deciding person is shown carries a version, and the decision names it, so that nothing is
/// approved that nobody has looked at.
enum SeenVersion {
  /// Sixteen hexadecimal digits that follow from all that is shown.
  static func of(_ shown: JSONValue) -> String {
    Digest.sha256(Array(shown.text.utf8)).prefix(8)
      .map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  /// What is shown, with its version as a member.
  static func named(_ shown: JSONObject) -> JSONObject {
    var named = shown
    named["version"] = .string(of(.object(shown)))
    return named
  }

  /// - Throws: a 412 ``Refusal`` with what is shown now where that is not what `named` names.
  static func check(_ named: String, is shown: JSONValue) throws {
    let version = of(shown)
    guard named != version else { return }
    throw Refusal(
      .preconditionFailed, "error.decision_stale", type: "stale",
      members: [("current", shown), ("version", .string(version))])
  }
}

extension Endpoint.Answer {
  static let stale = refusal(
    412, "It has changed since the `version` that was named; `current` and `version` are of now.")
}

extension RequestBody {
  /// The version of what a decision is about, as it was shown.
  mutating func version(isRequired: Bool = true) -> String? {
    text("version", 1...64, isRequired: isRequired)
  }
}
