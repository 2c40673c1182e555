import Foundation
internal import Locking
package import Logging
import Metrics
package import PrivacyMap

/// The most recent log errors, in memory, for the overview for admins. A restart clears them.
///
/// Log messages contain no personal data, so this list does not either.
package final class RecentErrors: Sendable {
  /// One error message, with the number of its occurrences.
  struct Entry: Sendable, Equatable {
    /// The time of the last occurrence.
    var at: String
    let message: String
    var count: Int
  }

  /// Maximum number of distinct errors.
  static let capacity = 50
  /// Maximum length of a message in characters.
  private static let maxLength = 300

  private let entries = Locked<[Entry]>([])
  /// The total number of errors.
  let counted = Counter()
  private let now: @Sendable () -> Timestamp

  package init(now: @escaping @Sendable () -> Timestamp) { self.now = now }

  /// The newest first.
  var all: [Entry] { entries.withLock { $0 } }

  /// Stores an error. A repeated message increases its count.
  func note(_ message: String) {
    let message = String(message.prefix(Self.maxLength))
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

  /// A copy of a logger that also stores its errors here.
  package func watching(_ logger: Logger) -> Logger {
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
