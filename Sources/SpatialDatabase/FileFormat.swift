internal import Glibc

/// Marks the file as Farol's and restricts its permissions.
enum FileFormat {
  /// `application_id`: the letters "Faro".
  static let applicationID: Int64 = 0x4661_726F

  /// Creates the file if it does not exist, readable only by its owner. SQLite gives its `-wal` and
  /// `-shm` files the same mode. For an existing file, it removes the permissions of other users.
  ///
  /// Call it before this process opens the file: closing a second descriptor would release SQLite's
  /// locks.
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

  /// The size of a file in bytes, or nil if it does not exist.
  static func size(_ path: String) -> Int? {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : nil
  }
}
