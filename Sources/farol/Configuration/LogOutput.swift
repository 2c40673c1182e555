import Foundation
internal import Locking
import Metrics

/// Standard error, where the log goes.
///
/// A log that cannot be written stops nobody. Where its disk is full or nobody reads it any more,
/// lines are left out; where its reader is slow or has stopped, they are held for it, up to
/// ``capacity``, and written by a thread of their own once it reads on.
enum LogOutput {
  /// Lines that could not be written, or not to their end.
  static let dropped = Counter()

  /// Bytes that are held for a reader; some 8,000 lines.
  private static let capacity = 1 << 20

  /// What waits for the reader.
  private struct Held {
    var bytes: [UInt8] = []
    /// How many of them were written.
    var written = 0
    /// Whether a thread writes the rest.
    var isDraining = false
  }

  private static let held = Locked(Held())

  /// Writes a line, and the end of the line.
  ///
  /// It waits for no reader: most lines are written here and now, so that they are not lost where
  /// the program ends the moment after.
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
      // A line that has begun goes on, or the next one would stand in its middle.
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

  /// Gives a reader that is slow so long to take what is held, at the end of the program.
  static func finish(within patience: Duration) {
    let deadline = ContinuousClock.now + patience
    while held.withLock({ !$0.bytes.isEmpty }), ContinuousClock.now < deadline { usleep(5_000) }
  }

  /// Writes what is held, until nothing is.
  private static func drain() {
    while true {
      var output = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
      poll(&output, 1, -1)
      let isDone = held.withLock { held -> Bool in
        var rest = held.bytes[held.written...]
        let outcome = pass(&rest)
        guard outcome != .full else {
          held.written = rest.startIndex
          // Not moved with every piece: that would take longer than writing.
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
      // A socket may say that it has room for more than nothing, and not for this.
      usleep(1_000)
    }
  }

  private enum Outcome { case done, full, broken }

  /// What standard error is.
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

  /// Writes as much as there is room for now.
  ///
  /// Standard error stays as it was given to us: it may be the terminal of a shell, which would be
  /// surprised to find it not blocking.
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

  /// To a pipe or a terminal: what is no longer than `PIPE_BUF` does not wait where poll(2) sees room
  /// (pipe(7)), as only one thread of ours writes at a time.
  private static func writeWhereThereIsRoom(_ bytes: UnsafeRawBufferPointer) -> Int {
    var output = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
    guard poll(&output, 1, 0) > 0 else {
      errno = EAGAIN
      return -1
    }
    return Foundation.write(STDERR_FILENO, bytes.baseAddress, min(bytes.count, 4_096))
  }
}
