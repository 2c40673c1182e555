internal import Glibc
import Locking

/// The progress of webhooks beyond the state in the database: in memory, and in a file for the next start.
///
/// A call that was accepted must be remembered before the next one to the same host, so that a crash repeats at most
/// one. A transaction for each would wait for the disk, and requests for it. So calls are appended to a file, which
/// outlives the process, and the positions are written to the database together from time to time. The file is not
/// synchronised: after a power failure the calls of the last seconds are repeated, with the same ids.
final class CallJournal: Sendable {
  struct Position: Equatable, Sendable {
    /// All changes up to this number of the log were called, or did not match.
    var through: Int64
    /// Accepted calls that are not yet in the list of sent news.
    var calls = 0
  }

  private struct State {
    var positions: [Int64: Position] = [:]
    /// The numbers that are in the database.
    var recorded: [Int64: Int64] = [:]
    /// New calls go to one file while the calls in the other file are being recorded.
    var files: [JournalFile]
    var current = 0
  }

  private let state: Locked<State>
  /// The number of changes by which a position in the database may be behind.
  static let maxGap: Int64 = 5_000

  /// - Parameters:
  ///   - path: the beginning of the names of two files. Without them, a crash repeats the calls of some seconds.
  ///   - last: the last number of the log. Files with a greater one belong to a database that a backup replaced. They
  ///     are emptied, because the log will give the same numbers to other changes.
  init(path: String, last: Int64) {
    var files = [JournalFile(path + "-1"), JournalFile(path + "-2")]
    var positions: [Int64: Position] = [:]
    let calls = files.flatMap(\.calls)
    if calls.contains(where: { $0.number > last }) {
      for place in files.indices { files[place].clear() }
    } else {
      positions = Self.positions(calls)
    }
    state = Locked(State(positions: positions, files: files))
  }

  /// Without files: the calls are stored elsewhere, and `calls` are the calls that are not recorded yet.
  init(calls: [(watch: Int64, number: Int64)]) {
    state = Locked(
      State(positions: Self.positions(calls), files: [JournalFile(), JournalFile()]))
  }

  private static func positions(
    _ calls: [(watch: Int64, number: Int64)]
  ) -> [Int64: Position] {
    var positions: [Int64: Position] = [:]
    for (watch, number) in calls {
      positions[watch, default: Position(through: 0)].through.raise(to: number)
      positions[watch]?.calls += 1
    }
    return positions
  }

  deinit { state.withLock { for file in $0.files { file.end() } } }

  /// The number up to which the webhook of a watch was called; 0 if only the database knows.
  func through(_ watch: Int64) -> Int64 { state.withLock { $0.positions[watch]?.through ?? 0 } }

  /// Remembers that a call was accepted.
  func note(_ watch: Int64, _ number: Int64) {
    state.withLock { state in
      state.positions[watch, default: Position(through: 0)].through.raise(to: number)
      state.positions[watch]?.calls += 1
      state.files[state.current].append(watch, number)
    }
  }

  /// Remembers that no change up to a number is left to call. Comparing them again does no harm, so this is not in the
  /// file.
  func skip(_ watch: Int64, to number: Int64) {
    state.withLock {
      $0.positions[watch, default: Position(through: 0)].through.raise(to: number)
    }
  }

  /// The positions with calls that are not in the database, and positions that are far behind there, so that a start
  /// compares few changes again. ``end(_:gone:)`` follows once they are recorded.
  func begin() -> [Int64: Position] {
    state.withLock { state in
      let other = 1 - state.current
      if state.files[other].isEmpty { state.current = other }
      let recorded = state.recorded
      return state.positions.filter { watch, position in
        position.calls > 0 || position.through - recorded[watch, default: 0] > Self.maxGap
      }
    }
  }

  /// Forgets the recorded calls, and the watches that no longer exist.
  func end(_ recorded: [Int64: Position], gone: Set<Int64>) {
    state.withLock { state in
      for (watch, position) in recorded {
        state.positions[watch]?.calls -= position.calls
        state.recorded[watch] = position.through
      }
      for watch in gone {
        state.positions[watch] = nil
        state.recorded[watch] = nil
      }
      state.files[1 - state.current].clear()
    }
  }
}

/// Lines of a watch and a number.
private struct JournalFile {
  private let descriptor: Int32
  private(set) var isEmpty: Bool

  /// A journal that keeps nothing.
  init() { (descriptor, isEmpty) = (-1, true) }

  /// Opens or creates a file. If that fails, the journal keeps nothing.
  init(_ path: String) {
    descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
    isEmpty = descriptor < 0 || lseek(descriptor, 0, SEEK_END) == 0
  }

  /// The calls in the file. A line that a crash cut off is left out.
  var calls: [(watch: Int64, number: Int64)] {
    var text: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while descriptor >= 0 {
      let count = pread(descriptor, &piece, piece.count, off_t(text.count))
      guard count > 0 else { break }
      text += piece.prefix(count)
    }
    guard let end = text.lastIndex(of: 0x0A) else { return [] }
    return text[...end].split(separator: 0x0A).compactMap { line in
      let parts = line.split(separator: 0x20).compactMap {
        Int64(String(decoding: $0, as: UTF8.self))
      }
      return parts.count == 2 ? (parts[0], parts[1]) : nil
    }
  }

  mutating func append(_ watch: Int64, _ number: Int64) {
    guard descriptor >= 0 else { return }
    isEmpty = false
    let line = Array("\(watch) \(number)\n".utf8)
    _ = write(descriptor, line, line.count)
  }

  mutating func clear() {
    guard descriptor >= 0, !isEmpty else { return }
    isEmpty = ftruncate(descriptor, 0) == 0
  }

  func end() {
    if descriptor >= 0 { close(descriptor) }
  }
}

extension Int64 {
  fileprivate mutating func raise(to other: Int64) { self = Swift.max(self, other) }
}
