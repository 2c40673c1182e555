import Foundation
internal import Locking
import Logging
import Metrics
import PrivacyMap

/// The last errors of the log, kept in memory for the overview of admins: a restart forgets them.
///
/// What is logged holds nothing of people, so nothing here does.
final class RecentErrors: Sendable {
  /// One error, however often it came.
  struct Entry: Sendable, Equatable {
    /// When it came last.
    var at: String
    let message: String
    var count: Int
  }

  /// Different errors kept.
  static let capacity = 50
  /// Characters of one.
  private static let longest = 300

  private let entries = Locked<[Entry]>([])
  /// All errors there were.
  let counted = Counter()
  private let now: @Sendable () -> Timestamp

  init(now: @escaping @Sendable () -> Timestamp) { self.now = now }

  /// The latest first.
  var all: [Entry] { entries.withLock { $0 } }

  /// Notes an error; the same one again is counted.
  func note(_ message: String) {
    let message = String(message.prefix(Self.longest))
    let at = now().text
    counted.add()
    entries.withLock { entries in
      var entry = Entry(at: at, message: message, count: 0)
      if let known = entries.firstIndex(where: { $0.message == message }) {
        entry.count = entries[known].count
        entries.remove(at: known)
      }
      entry.count += 1
      entries.insert(entry, at: 0)
      if entries.count > Self.capacity { entries.removeLast() }
    }
  }

  /// A logger that logs as another does and notes errors here.
  func watching(_ logger: Logger) -> Logger {
    var logger = logger
    logger.handler = Watch(inner: logger.handler, errors: self)
    return logger
  }

  private struct Watch: LogHandler {
    var inner: any LogHandler
    let errors: RecentErrors

    var logLevel: Logger.Level {
      get { inner.logLevel }
      set { inner.logLevel = newValue }
    }
    var metadata: Logger.Metadata {
      get { inner.metadata }
      set { inner.metadata = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { inner[metadataKey: key] }
      set { inner[metadataKey: key] = newValue }
    }

    func log(event: LogEvent) {
      if event.level >= .error {
        let error = event.metadata?["error"].map { ": \($0)" } ?? ""
        errors.note("\(event.message)\(error)")
      }
      inner.log(event: event)
    }
  }
}
