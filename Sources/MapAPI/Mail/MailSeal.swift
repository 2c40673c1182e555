import Foundation
import Glibc
internal import Locking
import Secrets

/// Encrypts the links of waiting mails that open something to whoever has them.
///
/// A row of `mail` is erased once the mail has left, but the write-ahead log and disk snapshots may
/// hold its bytes for longer. The key lies in a file of its own beside the database, `<database>.key`,
/// which no backup contains: neither the database nor its log nor a backup shows a usable link. A mail
/// that was accepted still goes out after a crash, because both files survive one.
final class MailSeal: Sendable {
  /// Where the key lies.
  let path: String
  private let known = Locked<SealingKey?>(nil)
  /// What a sealed link begins with; a link in the clear begins with a slash.
  private static let mark = "sealed:"

  /// The key beside a database; the file is made when the first link is sealed.
  init(besides database: String) { path = database + ".key" }

  /// Encrypts the link of a mail to an address.
  ///
  /// - Throws: ``DurableFile/Fault`` where the key can neither be read nor made.
  func seal(_ link: String, to address: String) throws -> String {
    Self.mark + (try key(makes: true)).seal(link, in: Self.context(address))
  }

  /// The link as it was before ``seal(_:to:)``; one in the clear is given back as it is.
  ///
  /// - Throws: ``HopelessJob`` where the key is gone or another one.
  func open(_ link: String, to address: String) throws -> String {
    guard link.hasPrefix(Self.mark) else { return link }
    let sealed = String(link.dropFirst(Self.mark.count))
    guard let opened = try? key(makes: false).open(sealed, in: Self.context(address)) else {
      throw HopelessJob(reason: "the link of a mail cannot be read: its key is not in \(path)")
    }
    return opened
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

  /// The key that is there; nil where there is none.
  private func read() throws -> SealingKey? {
    guard access(path, F_OK) == 0 else { return nil }
    return SealingKey(bytes: [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))))
  }

  /// Makes a key. Of several who do so at the same moment, in this process or others, one wins and all
  /// use its key: the finished file gets its name by `link`, which fails where there is one.
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
