internal import Foundation
import PrivacyMap
import Secrets

/// One call of a webhook, as Standard Webhooks 1.0.0 specifies it.
struct WebhookCall: Sendable {
  /// The same for every attempt, so that the receiver recognises a repetition.
  let id: String
  /// The time of this attempt.
  let time: Timestamp
  let body: [UInt8]
  let key: [UInt8]

  /// The header lines.
  var headers: [String] {
    [
      "Content-Type: application/geo+json", "webhook-id: \(id)",
      "webhook-timestamp: \(time.secondsSinceEpoch)", "webhook-signature: v1,\(signature)",
    ]
  }

  /// HMAC-SHA-256 of id, time and body, separated by dots, in base64.
  private var signature: String {
    let signed = Array("\(id).\(time.secondsSinceEpoch).".utf8) + body
    return Data(Digest.hmacSHA256(key: key, message: signed)).base64EncodedString()
  }

  /// The seconds before each further attempt, as in Standard Webhooks, up to a day in all.
  static let pauses: [Int64] = [5, 300, 1_800, 7_200, 18_000, 36_000]
  /// The seconds of failure after which a webhook is switched off.
  static let failurePeriod: Int64 = Seconds.day

  /// The pause after this many failures in succession.
  static func pause(after failures: Int) -> Int64 {
    pauses[min(max(failures - 1, 0), pauses.count - 1)]
  }
}
