import JSON
package import PrivacyMap
import Secrets
package import SpatialDatabase

/// A secret of the instance, generated at its first start and stored in its settings.
package enum InstanceSecret {
  /// The uses of secrets.
  package enum Purpose: String {
    /// Digests of networks from which an account has signed in.
    case networks = "network_key"
    /// Reply links for operators, and verification files for web sites.
    case replies = "reply_key"
    /// Links in the mails of watches, secret addresses of their feeds, and keys of webhooks.
    case watches = "watch_key"
    /// Digests of the accounts, networks and addresses that rate limits count.
    case limits = "limit_key"
    /// Envelope senders of mails.
    case bounces = "bounce_key"
  }

  /// 32 bytes, the same at every start.
  package static func read(
    _ purpose: Purpose, _ connection: borrowing Connection, now: Timestamp
  ) throws -> [UInt8] {
    let made = SecretToken()
    let setting = StoredSetting(purpose.rawValue)
    let first = setting.first(.string(made.text), at: now)
    try connection.execute(first.sql, first.arguments)
    let text = try setting.text(connection)
    return (text.flatMap { SecretToken(text: $0) } ?? made).digest
  }
}
