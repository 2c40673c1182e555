import Devices
import JSON
import PrivacyMap
import Service
import SpatialDatabase

/// Carries out moderation actions that change more devices than one transaction may hold, in batches.
///
/// The action and its log entry are committed with the first batch, together with a row of `job` that
/// records the progress. Each further batch reads and updates that row in its own transaction. The
/// request that started the action works through the batches. If it dies, the job becomes due a minute
/// after the last batch and finishes them. Both may run at once: no batch is done twice.
struct ModerationActionBatches: Sendable {
  /// Whether the action is performed or undone.
  enum Direction: String, Sendable {
    case perform, undo
  }

  /// The progress of an action.
  private struct Progress {
    let direction: Direction
    /// The row of the last device processed.
    var last: Int64 = 0

    init(_ direction: Direction) { self.direction = direction }

    /// - Returns: nil if the payload is invalid.
    init?(payload: JSONValue) {
      guard let direction = payload["direction"]?.stringValue.flatMap(Direction.init(rawValue:)),
        let last = payload["last"]?.intValue
      else { return nil }
      self.direction = direction
      self.last = Int64(last)
    }

    func payload(of act: ModerationActionRecord) -> String {
      let payload: JSONValue = [
        "act": .string(act.id), "direction": .string(direction.rawValue), "last": last.json,
      ]
      return payload.text
    }
  }

  /// The kind of job.
  static let job = "finish_act"
  /// Maximum of devices per transaction. A turn of the writer usually ends earlier.
  static let size = 100
  /// Seconds without progress after which the job continues an action.
  static let timeout: Int64 = 60

  let moderation: Moderation

  private var now: Timestamp { moderation.map.environment.now() }

  private static func key(of act: ModerationActionRecord) -> String { "\(job) \(act.id)" }

  /// Starts an action, or reverses the direction of one in progress, in the transaction that logs it.
  func begin(
    _ direction: Direction, _ act: ModerationActionRecord, _ connection: borrowing Connection
  ) throws {
    // Reuses the existing row, so that the request or job working on the action reads the new direction.
    try StoredJobs.put(
      Self.job, payload: Progress(direction).payload(of: act), key: Self.key(of: act), due: due,
      connection)
  }

  private var due: Timestamp {
    now.later(Self.timeout)
  }

  /// Works through the remaining batches, one transaction each. Calls `noting` with the outcome for each
  /// device. The action is logged, so it is completed even if its moderator's session ends meanwhile.
  func finish(_ act: ModerationActionRecord, noting: (RevisionUndo.Outcome) -> Void = { _ in })
    throws
  {
    try WriteCondition.regardlessOfCaller {
      while try moderation.map.write({ try step(act, noting: noting, $0) }) {}
    }
  }

  /// Processes one batch, in the caller's transaction.
  ///
  /// - Returns: whether there may be more batches.
  func step(
    _ act: ModerationActionRecord, noting: (RevisionUndo.Outcome) -> Void = { _ in },
    _ connection: borrowing Connection
  ) throws -> Bool {
    guard let payload = try StoredJobs.payload(of: Self.key(of: act), connection),
      let json = try? JSONValue(parsing: [UInt8](payload.utf8)),
      var progress = Progress(payload: json)
    else { return false }
    let last =
      switch progress.direction {
      case .perform:
        try PersonRevert(moderation: moderation).batch(
          of: act, after: progress.last, noting: noting, connection)
      case .undo:
        try moderation.takeBackRevisions(
          of: act, after: progress.last, limit: Self.size, noting: noting, connection)
      }
    guard let last else {
      try StoredJobs.cancel(Self.key(of: act), connection)
      return false
    }
    progress.last = last
    try StoredJobs.postpone(
      Self.key(of: act), payload: progress.payload(of: act), until: due, connection)
    return true
  }

  /// Finishes an action whose request died.
  @Sendable func work(_ payload: String) throws {
    let json = try JSONValue(parsing: [UInt8](payload.utf8))
    guard let id = json["act"]?.stringValue else {
      throw HopelessJob(reason: "the payload contains no action id")
    }
    try finish(try moderation.map.database.read { try moderation.acts.act(id, $0) })
  }
}
