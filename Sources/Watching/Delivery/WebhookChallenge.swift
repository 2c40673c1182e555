import JSON
import PrivacyMap
import Secrets
import Service

/// The first call of a webhook, with which its server proves that it wants the calls. Until then Farol sends it no
/// other call: an account could otherwise name the address of a stranger.
///
/// The server answers with the text of the challenge, alone or as the member `challenge` of a JSON object. It is signed
/// like every call, so the server can see that the request is of the watch whose secret it knows.
struct WebhookChallenge: Sendable {
  static let event = "webhook.challenge"

  /// A new one for each attempt, so that the id is, too.
  let id: String
  let text: String

  init(id: String) {
    self.id = id
    text = SecretToken().text
  }

  /// The body of the call. It does not have the label of the watch, which is for a proven server only.
  func body(of watch: String, at time: Timestamp) -> [UInt8] {
    let members: JSONObject = [
      "event": .string(Self.event), "challenge": .string(text), "timestamp": .string(time.text),
      "watch": ["id": .string(watch)],
    ]
    return Array(JSONValue.object(members).text.utf8)
  }

  /// Whether an answer has the text.
  func isMet(by answer: [UInt8]) -> Bool {
    let said =
      (try? JSONValue(parsing: answer))?["challenge"]?.stringValue
      ?? PlainText.trimmed(String(decoding: answer, as: UTF8.self))
    return said == text
  }
}
