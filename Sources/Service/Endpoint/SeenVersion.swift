package import JSON
import Secrets
import WebServer

/// The version of content that one person decides about while another can still change it.
///
/// The content is shown with a version, and the decision names it, so that no content is approved
/// unseen.
package enum SeenVersion {
  /// Sixteen hexadecimal digits: a hash of the content shown.
  package static func of(_ shown: JSONValue) -> String {
    Hexadecimal.text(of: Digest.sha256(Array(shown.text.utf8)).prefix(8))
  }

  /// The content, with its version as a member.
  package static func named(_ shown: JSONObject) -> JSONObject {
    var named = shown
    named["version"] = .string(of(.object(shown)))
    return named
  }

  /// - Throws: a 412 ``Refusal`` with the current content if `named` is not its version.
  package static func check(_ named: String, is shown: JSONValue) throws {
    let version = of(shown)
    guard named != version else { return }
    throw Refusal(
      .preconditionFailed, "error.decision_stale", type: "stale",
      members: [("current", shown), ("version", .string(version))])
  }
}

extension Endpoint.Answer {
  package static let stale = refusal(
    412, "Changed since the `version` in the request; `current` and `version` show the new state.")
}

extension RequestBody {
  /// The version in a decision, as it was shown.
  package mutating func version(isRequired: Bool = true) -> String? {
    text("version", 1...64, isRequired: isRequired)
  }
}
