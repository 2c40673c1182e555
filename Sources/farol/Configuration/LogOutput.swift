import Foundation
internal import Locking
import Metrics

/// Standard error, the destination of the log.
///
/// A failing log never blocks the program. If the disk is full or the reader has closed, lines are
/// dropped. If the reader is slow or suspended, lines are buffered up to ``capacity``, and a
/// separate thread writes them once the reader continues.
enum LogOutput {
  /// The number of lines that were not written completely.
  static let dropped = Counter()

  /// Size of the buffer in bytes, for some 8,000 lines.
  private static let capacity = 1 << 20

  /// The buffered lines.
  private struct Held {
    var bytes: [UInt8] = []
    /// The number of these bytes that have been written.
    var written = 0
    /// Whether a thread is writing the rest.
    var isDraining = false
  }

  private static let held = Locked(Held())

  /// Writes a line with a line end.
  ///
  /// It never waits for a reader. Most lines are written immediately, so that they are not lost if
  /// the program ends a moment later.
  static func write(_ line: [UInt8]) {
    var line = line
    line.append(UInt8(ascii: "\n"))
    let startsDraining = held.withLock { held -> Bool in
      var rest = line[...]
      if held.bytes.isEmpty {
        switch pass(&rest) {
        case .done: return false
        case .broken:
          dropped.add()
          return false
        case .full: break
        }
      }
      // A line that has been started must be completed, or the next one would appear in its middle.
      guard rest.count < line.count || held.bytes.count - held.written + rest.count <= capacity
      else {
        dropped.add()
        return false
      }
      held.bytes += rest
      defer { held.isDraining = true }
      return !held.isDraining
    }
    if startsDraining { Thread.detachNewThread(drain) }
  }

  /// At the end of the program, gives a slow reader some time to read the buffered lines.
  static func finish(within timeout: Duration) {
    let deadline = ContinuousClock.now + timeout
    while held.withLock({ !$0.bytes.isEmpty }), ContinuousClock.now < deadline { usleep(5_000) }
  }

  /// Writes the buffered lines until the buffer is empty.
  private static func drain() {
    while true {
      var output = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
      poll(&output, 1, -1)
      let isDone = held.withLock { held -> Bool in
        var rest = held.bytes[held.written...]
        let outcome = pass(&rest)
        guard outcome != .full else {
          held.written = rest.startIndex
          // Not removed after every piece: that would take longer than writing.
          if held.written > capacity / 2 {
            held.bytes.removeFirst(held.written)
            held.written = 0
          }
          return false
        }
        dropped.add(rest.count { $0 == UInt8(ascii: "\n") })
        held = Held()
        return true
      }
      if isDone { return }
      // A socket may report free space that is too small for this piece.
      usleep(1_000)
    }
  }

  private enum Outcome { case done, full, broken }

  /// The type of standard error.
  private enum Kind { case file, socket, other }

  private static let kind: Kind = {
    var status = stat()
    guard fstat(STDERR_FILENO, &status) == 0 else { return .other }
    return switch status.st_mode & S_IFMT {
    case S_IFREG: .file
    case S_IFSOCK: .socket
    default: .other
    }
  }()

  /// Writes as much as possible without blocking.
  ///
  /// Does not change the mode of standard error: it may be the terminal of a shell, which does not
  /// expect it to be non-blocking.
  private static func pass(_ rest: inout ArraySlice<UInt8>) -> Outcome {
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { bytes in
        switch kind {
        case .file: Foundation.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
        case .socket:
          send(STDERR_FILENO, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
        case .other: writeWhereThereIsRoom(bytes)
        }
      }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if count < 0, errno == EAGAIN || errno == EWOULDBLOCK {
        return .full
      } else if count == 0 || errno != EINTR {
        return .broken
      }
    }
    return .done
  }

  /// For a pipe or a terminal: a write of up to `PIPE_BUF` bytes does not block if poll(2) reports space (pipe(7)),
  /// because only one thread of this program writes at a time.
  private static func writeWhereThereIsRoom(_ bytes: UnsafeRawBufferPointer) -> Int {
    var output = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
    guard poll(&output, 1, 0) > 0 else {
      errno = EAGAIN
      return -1
    }
    return Foundation.write(STDERR_FILENO, bytes.baseAddress, min(bytes.count, 4_096))
  }
}
