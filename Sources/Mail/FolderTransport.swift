internal import Glibc
import PrivacyMap

/// A transport that writes each mail to a file, `20261121T120000Z-1f….eml`, that mail programs can open.
///
/// For trying Farol out. The mails contain links that open accounts, so only the owner can read the
/// folder and its files.
package struct FolderTransport: MailTransport {
  /// The path of the folder, created with the first mail.
  package let directory: String

  package init(directory: String) {
    self.directory = directory
  }

  package func send(_ message: MailMessage) throws(MailFailure) {
    guard mkdir(directory, 0o700) == 0 || errno == EEXIST else { throw Self.failure("made") }
    let time = message.date.text.filter { $0 != "-" && $0 != ":" }
    let chance = String(UInt64.random(in: .min ... .max), radix: 16)
    let name = time + "-" + String(repeating: "0", count: 16 - chance.count) + chance
    let (new, whole) = ("\(directory)/.\(name).new", "\(directory)/\(name).eml")
    let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw Self.failure("written to") }
    let isWritten = Self.write(message.mime(), to: descriptor)
    guard close(descriptor) == 0, isWritten, rename(new, whole) == 0 else {
      let failure = Self.failure("written to")
      unlink(new)
      throw failure
    }
  }

  /// Writes all bytes and syncs them to the disk; returns whether that succeeded.
  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      written += count
    }
    return fsync(descriptor) == 0
  }

  private static func failure(_ deed: String) -> MailFailure {
    MailFailure("the folder for mail cannot be \(deed): \(String(cString: strerror(errno)))")
  }
}
