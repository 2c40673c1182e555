import Foundation
import Glibc
internal import Locking
import Secrets

/// Encrypts the links in waiting mails that carry a token.
///
/// A row of `mail` is erased after the mail is sent, but the write-ahead log and disk snapshots may keep
/// its bytes for longer. The key is stored in a separate file next to the database, `<database>.key`,
/// which is never part of a backup. So neither the database, nor its log, nor a backup contains a usable
/// link. Both files survive a crash, so a mail that was queued before it is still sent.
package final class MailSeal: Sendable {
  /// The path of the key file.
  package let path: String
  private let known = Locked<SealingKey?>(nil)
  /// Prefix of an encrypted link; an unencrypted link begins with a slash.
  private static let mark = "sealed:"

  /// Uses the key next to a database. The file is created when the first link is encrypted.
  package init(besides database: String) { path = database + ".key" }

  /// Encrypts the link of a mail to an address.
  ///
  /// - Throws: ``DurableFile/Fault`` if the key can neither be read nor created.
  func seal(_ link: String, to address: String) throws -> String {
    Self.mark + (try key(makes: true)).seal(link, in: Self.context(address))
  }

  /// Decrypts a link encrypted by ``seal(_:to:)``; returns an unencrypted link unchanged.
  ///
  /// - Throws: ``HopelessJob`` if the key is missing or a different one.
  func open(_ link: String, to address: String) throws -> String {
    guard link.hasPrefix(Self.mark) else { return link }
    let sealed = String(link.dropFirst(Self.mark.count))
    guard let opened = try? key(makes: false).open(sealed, in: Self.context(address)) else {
      throw HopelessJob(reason: "the link of a mail cannot be read: its key is not in \(path)")
    }
    return opened
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
      let key = try read() ?? (makes ? make() : nil)
      guard let key else { throw DurableFile.Fault("used as a key", path) }
      known = key
      return key
    }
  }

  /// The existing key, or nil.
  private func read() throws -> SealingKey? {
    guard access(path, F_OK) == 0 else { return nil }
    return SealingKey(bytes: [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))))
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
