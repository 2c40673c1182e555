internal import Glibc
internal import Locking

/// Notices when the files at a path are no longer those that were opened: moved, removed, replaced or
/// cut while they are in use.
///
/// SQLite goes on with the files it holds, and what it writes there is lost with the next start.
final class FileWatch: Sendable {
  /// What is wrong with the files.
  enum Finding: Equatable {
    /// The database was moved, removed or replaced.
    case databaseGone
    /// The database has become shorter, which Farol never makes it.
    case databaseCut
    /// The log (`-wal`) was moved, removed or replaced.
    case logGone
  }

  /// A file, whatever its name.
  private struct Identity: Equatable {
    let device: dev_t
    let inode: ino_t
  }

  private struct State {
    var database: Identity?
    var log: Identity?
    /// Bytes that the database had at most.
    var size: off_t = 0
  }

  private let path: String
  private let state = Locked(State())

  /// Begins to watch a database that is open to write.
  init(path: String) {
    self.path = path
    _ = finding()
  }

  /// What is wrong now; nil where all is well.
  func finding() -> Finding? {
    let database = Self.look(at: path)
    let log = Self.look(at: path + "-wal")
    return state.withLock { state in
      if let known = state.database {
        guard database?.identity == known else { return .databaseGone }
      } else {
        state.database = database?.identity
      }
      let size = database?.size ?? 0
      guard size >= state.size else { return .databaseCut }
      state.size = size
      if let known = state.log {
        guard log?.identity == known else { return .logGone }
      } else {
        // SQLite makes it with the first use of the connection.
        state.log = log?.identity
      }
      return nil
    }
  }

  /// A sentence for the operator.
  func fault(_ finding: Finding) -> DatabaseFault {
    switch finding {
    case .databaseGone:
      DatabaseFault(
        .misplaced,
        """
        nothing is written any more: \(path) was moved, removed or replaced while it was in use. \
        Put the same file back, or start Farol anew on the file that is to be served
        """)
    case .databaseCut:
      DatabaseFault(
        .corrupt,
        "nothing is written any more: \(path) was cut short while it was in use. Restore a backup")
    case .logGone:
      DatabaseFault(
        .misplaced,
        """
        nothing is written any more: \(path)-wal was moved, removed or replaced while it was in \
        use. What it held was saved into \(path); start Farol anew
        """)
    }
  }

  private static func look(at path: String) -> (identity: Identity, size: off_t)? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return (Identity(device: status.st_dev, inode: status.st_ino), status.st_size)
  }
}
