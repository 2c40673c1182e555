package import PrivacyMap
import Secrets
import Service
package import SpatialDatabase
package import WebServer

/// The `Idempotency-Key` of a request: repeating the request does not repeat its effect
/// (draft-ietf-httpapi-idempotency-key-header).
package struct IdempotencyKey: Sendable {
  /// At most 100 printable ASCII characters.
  let text: String
  /// SHA-256 of method, path and content: the same key with another request is an error.
  let digest: [UInt8]

  /// The lifetime of a stored result, in seconds.
  package static let lifetime: Int64 = Seconds.day

  /// - Returns: nil if the request has no key.
  /// - Throws: ``InvalidInput`` if the key is too long or has other characters.
  init?(_ request: Request) throws { try self.init(request, content: request.body) }

  /// The key of a request with the given `content`, for bodies whose bytes differ on each attempt.
  package init?(_ request: Request, content: [UInt8]) throws {
    guard let text = request.headers["Idempotency-Key"] else { return nil }
    guard (1...100).contains(text.utf8.count), text.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
    else { throw InvalidInput("Idempotency-Key", Message("error.idempotency_key")) }
    self.text = text
    digest = Digest.sha256(
      Array("\(request.method.rawValue) \(request.path)\n".utf8) + content)
  }

  /// The device that an earlier request with this key added; nil if there was no such request.
  ///
  /// - Throws: a 422 if the key was used for another request.
  package func device(
    of account: Int64, now: Timestamp, _ connection: borrowing Connection
  ) throws -> String? {
    let oldest = now.later(-Self.lifetime)
    let known = try connection.first(
      """
      SELECT digest, device_id FROM idempotency
      WHERE account_rowid = ? AND key = ? AND made_at > ?
      """, [.integer(account), .text(text), .text(oldest.text)]
    ) { ($0.blob(0), $0.text(1)) }
    guard let known else { return nil }
    guard known.0 == digest else { throw Refusal.keyOfAnother }
    return known.1
  }

  /// Stores the result of the request, and deletes results older than a day.
  package func keep(
    _ device: DeviceID, of account: Int64, now: Timestamp, _ connection: borrowing Connection
  ) throws {
    let oldest = now.later(-Self.lifetime)
    try connection.execute(
      "DELETE FROM idempotency WHERE made_at <= ?", [.text(oldest.text)])
    try connection.execute(
      """
      INSERT INTO idempotency (account_rowid, key, digest, status, device_id, made_at)
      VALUES (?, ?, ?, 201, ?, ?)
      """,
      [
        .integer(account), .text(text), .blob(digest), .text(device.text), .text(now.text),
      ])
  }
}

extension Refusal {
  /// 422: the key was used for another request.
  static let keyOfAnother = Refusal(
    .unprocessableContent, "error.idempotency_key_reused", type: "idempotency-key-reused",
    field: "Idempotency-Key")
}
