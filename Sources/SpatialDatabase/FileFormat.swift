internal import Glibc

/// The file itself: what marks it as Farol's, and who may read it.
enum FileFormat {
  /// `application_id`: the letters "Faro".
  static let applicationID: Int64 = 0x4661_726F

  /// Makes the file if there is none, for its owner alone; SQLite gives its `-wal` and `-shm` the
  /// same mode. A file that others may read is closed to them.
  ///
  /// Call it before this process has the file open: closing a second descriptor would drop
  /// SQLite's locks.
  static func makePrivate(_ path: String) throws(DatabaseFault) {
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw DatabaseFault(.unreadable, "\(path) cannot be opened: \(systemError())")
    }
    defer { Glibc.close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw DatabaseFault(.unreadable, "\(path) is not a file")
    }
    guard status.st_mode & 0o077 == 0 || fchmod(descriptor, 0o600) == 0 else {
      throw DatabaseFault(
        .unreadable, "\(path) can be read by others and that cannot be changed: \(systemError())")
    }
  }

  /// Bytes of a file, or nil when there is none.
  static func size(_ path: String) -> Int? {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : nil
  }
}
