import Foundation
import Glibc
internal import Locking
package import PrivacyMap
import Secrets
package import SpatialDatabase

/// Encrypts the links in waiting mails that carry a token.
///
/// A row of `mail` is erased after the mail is sent, but the write-ahead log and disk snapshots may keep
/// its bytes for longer. The key is stored in a separate file next to the database, `<database>.key`,
/// which is never part of a backup. So neither the database, nor its log, nor a backup contains a usable
/// link. Both files survive a crash, so a mail that was queued before it is still sent.
///
/// Servers on one PostgreSQL database need the same key, which ``SharedKey`` checks.
package final class MailSeal: Sendable {
  /// The path of the key file.
  package let path: String
  private let shared: SharedKey?
  private let known = Locked<SealingKey?>(nil)
  /// Prefix of an encrypted link; an unencrypted link begins with a slash.
  private static let mark = "sealed:"

  /// Uses the key next to a database. The file is created when the first link is encrypted.
  package convenience init(besides database: String) { self.init(database, shared: nil) }

  /// The same for an open database. On PostgreSQL the key is compared with the other servers' key.
  package convenience init(of database: Database, now: @escaping @Sendable () -> Timestamp) {
    self.init(database.path, shared: SharedKey(database, now: now))
  }

  private init(_ database: String, shared: SharedKey?) {
    path = database + ".key"
    self.shared = shared
  }

  /// On PostgreSQL, reads or makes the key before the server starts, so that no server starts with another one.
  ///
  /// - Throws: an error whose description is a sentence for the administrator.
  package func prepare() throws {
    guard shared != nil else { return }
    _ = try key(makes: true)
  }

  /// Encrypts the link of a mail to an address.
  ///
  /// - Throws: ``DurableFile/Fault`` if the key can neither be read nor created.
  func seal(_ link: String, to address: String) throws -> String {
    Self.mark + (try key(makes: true)).seal(link, in: Self.context(address))
  }

  /// Decrypts a link encrypted by ``seal(_:to:)``; returns an unencrypted link unchanged.
  ///
  /// - Throws: ``HopelessJob`` if the key is missing or a different one; ``DatabaseFault``.
  func open(_ link: String, to address: String) throws -> String {
    guard link.hasPrefix(Self.mark) else { return link }
    let sealed = String(link.dropFirst(Self.mark.count))
    do {
      if let opened = try key(makes: false).open(sealed, in: Self.context(address)) {
        return opened
      }
      // The mail waits for the database.
    } catch let fault as DatabaseFault { throw fault } catch {}
    throw HopelessJob(reason: "the link of a mail cannot be read: its key is not in \(path)")
  }

  /// Encrypts a short text for other servers with the same key. `context` prevents its use for another purpose.
  ///
  /// - Throws: ``DurableFile/Fault`` if the key can neither be read nor created.
  package func seal(_ text: String, in context: String) throws -> String {
    try key(makes: true).seal(text, in: context)
  }

  /// Decrypts a text encrypted by ``seal(_:in:)``; nil if the key is missing or a different one.
  package func open(_ text: String, in context: String) -> String? {
    try? key(makes: false).open(text, in: context)
  }

  private static func context(_ address: String) -> String { "mail link\0\(address)" }

  private func key(makes: Bool) throws -> SealingKey {
    try known.withLock { known in
      if let known { return known }
      var found = try read()
      if found == nil, makes {
        try shared?.confirmFirst(path: path)
        found = try make()
      }
      guard let key = found else { throw DurableFile.Fault("used as a key", path) }
      try shared?.confirm(key, path: path)
      known = key
      return key
    }
  }

  /// The existing key; nil if there is no file.
  private func read() throws -> SealingKey? {
    guard access(path, F_OK) == 0 else { return nil }
    guard access(path, R_OK) == 0 else { throw DurableFile.Fault("read", path) }
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    guard let key = SealingKey(bytes: bytes) else {
      errno = EINVAL
      throw DurableFile.Fault("used as a key", path)
    }
    return key
  }

  /// Creates a key. If several callers or processes do so at once, one wins and all use its key: the
  /// finished file is named with `link`, which fails if the name exists.
  private func make() throws -> SealingKey? {
    let key = SealingKey()
    let draft = "\(path).\(UUID().uuidString).part"
    try DurableFile.write(key.bytes, to: draft)
    defer { unlink(draft) }
    guard link(draft, path) == 0 || errno == EEXIST else { throw DurableFile.Fault("made", path) }
    try DurableFile.sync((path as NSString).deletingLastPathComponent)
    return try read()
  }
}
