internal import Foundation
import Secrets

/// The secrets of watches: links and keys that follow from a random key of the watch and a key of the instance.
struct WatchSecrets: Sendable {
  /// The key of the instance.
  let key: [UInt8]

  /// The path that ends the mails of a watch without signing in.
  func unsubscribePath(_ keys: WatchKeys) -> String {
    "\(Self.unsubscribe)?token=\(SealedName(keys.mail, for: Self.mails, key: key).text)"
  }

  /// The key in a token of ``unsubscribePath(_:)``; nil if this instance did not make it.
  func mailKey(_ token: String) -> [UInt8]? {
    SealedName(text: token, for: Self.mails, key: key)?.name
  }

  /// The secret in the address of a feed.
  func feedToken(_ feed: [UInt8]) -> String { SealedName(feed, for: Self.feeds, key: key).text }

  /// The key in a secret of a feed; nil if this instance did not make it.
  func feedKey(_ token: String) -> [UInt8]? {
    SealedName(text: token, for: Self.feeds, key: key)?.name
  }

  /// The 32 bytes with which calls of a webhook are signed.
  func signingKey(_ webhook: [UInt8]) -> [UInt8] {
    Digest.hmacSHA256(key: key, message: Array("watch webhook".utf8) + [0] + webhook)
  }

  /// The secret as Standard Webhooks writes it: `whsec_` and base64.
  func signingSecret(_ webhook: [UInt8]) -> String {
    "whsec_" + Data(signingKey(webhook)).base64EncodedString()
  }

  static let unsubscribe = "/api/watches/unsubscribe"
  private static let mails = "watch mails"
  private static let feeds = "watch feed"
}
