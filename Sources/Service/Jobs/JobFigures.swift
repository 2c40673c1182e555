internal import Locking
package import PrivacyMap

/// Counts job runs since the start, by kind and outcome.
package final class JobFigures: Sendable {
  /// The figures of one kind.
  package struct Kind {
    package var succeeded = 0
    package var failed = 0
    package var lastSuccess: Timestamp?
    package var lastDuration: Duration?
    /// Interval after a success until the next run; nil if the job is not repeated.
    package var every: Duration?
  }

  private let kinds = Locked<[String: Kind]>([:])

  package init() {}

  /// Registers kinds, so that they are reported before their first run.
  func expect(_ names: some Sequence<String>, repeated: [String: Duration]) {
    kinds.withLock { kinds in
      for name in names { kinds[name, default: Kind()].every = repeated[name] }
    }
  }

  func succeeded(_ name: String, took duration: Duration, at now: Timestamp) {
    kinds.withLock { kinds in
      kinds[name, default: Kind()].succeeded += 1
      kinds[name]?.lastSuccess = now
      kinds[name]?.lastDuration = duration
    }
  }

  /// Records a failed run. Unregistered kinds are counted together as `unknown`: the name comes from the database and
  /// may come from a later Farol version.
  func failed(_ name: String, took duration: Duration) {
    kinds.withLock { kinds in
      let name = kinds[name] == nil ? "unknown" : name
      kinds[name, default: Kind()].failed += 1
      kinds[name]?.lastDuration = duration
    }
  }

  /// All kinds, by name.
  package var all: [(key: String, value: Kind)] {
    kinds.withLock { $0 }.sorted { $0.key < $1.key }
  }
}
