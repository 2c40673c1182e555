internal import Glibc

/// The lock for serving from a database file, held by one process at a time.
///
/// It is an advisory lock on `<path>.lock`, which the kernel releases when the process ends,
/// however it ends. The lock file is not deleted: otherwise two processes could lock two files of
/// the same name.
package struct InstanceLock: ~Copyable {
  private let descriptor: Int32

  /// - Throws: ``DatabaseFault/Kind/locked``, or `unreadable` if the lock file cannot be created.
  package init(besides path: String) throws(DatabaseFault) {
    let lockPath = path + ".lock"
    let descriptor = Glibc.open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw DatabaseFault(.unreadable, "\(lockPath) cannot be opened: \(systemError())")
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let reason = errno
      let owner = Self.owner(descriptor)
      Glibc.close(descriptor)
      guard reason == EWOULDBLOCK else {
        throw DatabaseFault(.unreadable, "\(lockPath) cannot be locked: \(systemError(reason))")
      }
      throw DatabaseFault(
        .locked, "Another Farol\(owner) is using \(path). Stop it first, or name another file.")
    }
    self.descriptor = descriptor
    // The process id, for the sentence above. The lock does not depend on it.
    let text = Array("\(getpid())\n".utf8)
    ftruncate(descriptor, 0)
    _ = text.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
  }

  /// ` (process 42)`, or empty if the file does not contain a process id.
  private static func owner(_ descriptor: Int32) -> String {
    let bytes = [UInt8](unsafeUninitializedCapacity: 24) { buffer, count in
      count = max(0, pread(descriptor, buffer.baseAddress, buffer.count, 0))
    }
    let digits = bytes.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return digits.isEmpty ? "" : " (process \(String(decoding: digits, as: UTF8.self)))"
  }

  deinit {
    Glibc.close(descriptor)  // also releases the lock
  }
}

/// The system's message for an error number.
func systemError(_ number: Int32 = errno) -> String { String(cString: strerror(number)) }
