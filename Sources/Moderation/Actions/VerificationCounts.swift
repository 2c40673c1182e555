import Devices
import SpatialDatabase

/// Decides whether verdicts count, and updates their devices accordingly.
struct VerificationCounts: Sendable {
  let store: VerificationStore

  /// Makes a verdict count.
  func count(_ verdict: Int64, _ connection: borrowing Connection) throws {
    try set(1, verdict, connection)
  }

  /// Makes a verdict not count.
  func uncount(_ verdict: Int64, _ connection: borrowing Connection) throws {
    try set(0, verdict, connection)
  }

  private func set(
    _ counts: SQLValue, _ verdict: Int64, _ connection: borrowing Connection
  ) throws {
    if let device = try VerificationStore.setCounts(counts, of: verdict, connection) {
      try settle(device, connection)
    }
  }

  /// Recomputes the status of a device from the verdicts on it.
  func settle(_ device: Int64, _ connection: borrowing Connection) throws {
    try store.settle(device, connection)
  }
}
