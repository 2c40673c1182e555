import JSON
import PrivacyMap
import SpatialDatabase

/// The batches of an act that changes more devices than one transaction may hold.
///
/// The act and its line in the log are committed with the first batch, together with a row of `job`
/// that says how far the act has come. Each further batch reads and moves that row in its own
/// transaction. The request that asked for the act works through the batches. Where it dies, the job
/// becomes due a minute after the last batch and finishes them. Both may run at once: no batch is done
/// twice.
struct ActBatches: Sendable {
  /// Which way an act is carried out.
  enum Direction: String, Sendable {
    case perform, undo
  }

  /// How far an act has come.
  private struct Progress {
    let direction: Direction
    /// The row of the last device that is done.
    var last: Int64 = 0

    init(_ direction: Direction) { self.direction = direction }

    /// - Returns: nil where a payload is not one of ours.
    init?(payload: JSONValue) {
      guard let direction = payload["direction"]?.stringValue.flatMap(Direction.init(rawValue:)),
        let last = payload["last"]?.intValue
      else { return nil }
      self.direction = direction
      self.last = Int64(last)
    }

    func payload(of act: Act) -> String {
      var json = JSONWriter()
      json.value([
        "act": .string(act.id), "direction": .string(direction.rawValue), "last": .integer(last),
      ])
      return String(decoding: json.bytes, as: UTF8.self)
    }
  }

  /// The kind of job.
  static let job = "finish_act"
  /// Devices in one transaction: other writers wait no longer than a moment.
  static let size = 100
  /// Seconds without a batch after which the job goes on with an act.
  static let patience: Int64 = 60

  let moderation: Moderation

  private var now: Timestamp { moderation.map.surroundings.now() }

  private static func key(of act: Act) -> String { "\(job) \(act.id)" }

  /// Begins an act, or turns one that is under way round, in the transaction that logs it.
  func begin(
    _ direction: Direction, _ act: Act, _ connection: borrowing Connection
  ) throws {
    // The row stays the same one: whoever works through the act finds the new direction in it.
    try connection.execute(
      """
      INSERT INTO job (kind, key, payload, due_at) VALUES (?, ?, ?, ?)
      ON CONFLICT (key) DO UPDATE SET payload = excluded.payload, due_at = excluded.due_at,
        attempts = 0, failed_at = NULL, last_error = NULL
      """,
      [
        .text(Self.job), .text(Self.key(of: act)), .text(Progress(direction).payload(of: act)),
        .text(due.text),
      ])
  }

  private var due: Timestamp {
    Timestamp(secondsSinceEpoch: now.secondsSinceEpoch + Self.patience)
  }

  /// Works through what is left of an act, one transaction a batch; `noting` is told what became of each
  /// device.
  func finish(_ act: Act, noting: (RevisionUndo.Outcome) -> Void = { _ in }) throws {
    while try moderation.map.write({ try step(act, noting: noting, $0) }) {}
  }

  /// Does one batch, in the caller's transaction.
  ///
  /// - Returns: whether there may be more.
  func step(
    _ act: Act, noting: (RevisionUndo.Outcome) -> Void = { _ in },
    _ connection: borrowing Connection
  ) throws -> Bool {
    let payload = try connection.text(
      "SELECT payload FROM job WHERE key = ?", [.text(Self.key(of: act))])
    guard let payload, let json = try? JSONValue(parsing: [UInt8](payload.utf8)),
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
      // A job that runs is deleted by who runs it.
      try connection.execute(
        "DELETE FROM job WHERE key = ? AND leased_until IS NULL", [.text(Self.key(of: act))])
      return false
    }
    progress.last = last
    try connection.execute(
      "UPDATE job SET payload = ?, due_at = ? WHERE key = ?",
      [.text(progress.payload(of: act)), .text(due.text), .text(Self.key(of: act))])
    return true
  }

  /// Finishes an act whose request has died.
  @Sendable func work(_ payload: String) throws {
    let json = try JSONValue(parsing: [UInt8](payload.utf8))
    guard let id = json["act"]?.stringValue else {
      throw HopelessJob(reason: "the payload names no act")
    }
    try finish(try moderation.map.database.read { try moderation.acts.act(id, $0) })
  }
}
