internal import Glibc
internal import Locking

/// Detects that the files at a path are no longer the opened ones: moved, deleted, replaced or truncated while in
/// use.
///
/// SQLite continues to use the open files, so its writes would be lost at the next start.
final class FileWatch: Sendable {
  /// The problem with the files.
  enum Finding: Equatable {
    /// The database was moved, deleted or replaced.
    case databaseGone
    /// The database has become shorter. Farol never shortens it.
    case databaseCut
    /// The log (`-wal`) was moved, deleted or replaced.
    case logGone
  }

  /// Identifies a file independently of its name.
  private struct Identity: Equatable {
    let device: dev_t
    let inode: ino_t
  }

  private struct State {
    var database: Identity?
    var log: Identity?
    /// The greatest size of the database so far, in bytes.
    var size: off_t = 0
  }

  private let path: String
  private let state = Locked(State())

  /// Starts watching a database that is open for writing.
  init(path: String) {
    self.path = path
    _ = finding()
  }

  /// The current problem; nil without one.
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
        // SQLite creates the log on first use of the connection.
        state.log = log?.identity
      }
      return nil
    }
  }

  /// A sentence for the administrator.
  func fault(_ finding: Finding) -> DatabaseFault {
    switch finding {
    case .databaseGone:
      DatabaseFault(
        .misplaced,
        """
        nothing is written any more: \(path) was moved, removed or replaced while it was in use. \
        Put the same file back, or restart Farol with the correct file
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
        use. Its content was saved into \(path); restart Farol
        """)
    }
  }

  private static func look(at path: String) -> (identity: Identity, size: off_t)? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return (Identity(device: status.st_dev, inode: status.st_ino), status.st_size)
  }
}
