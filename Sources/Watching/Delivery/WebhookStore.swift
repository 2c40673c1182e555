import Devices
import JSON
import PrivacyMap
import SafeFetch
import Service
import SpatialDatabase

/// Selects the webhooks that are due, and writes the bodies of their calls.
struct WebhookStore: Sendable {
  let environment: Environment
  let store: WatchStore
  let mails: WatchMails
  let features: DeviceFeatures
  let secrets: WatchSecrets
  let news: WatchNews

  /// The maximum number of calls of a watch before others at the same host are called.
  static let maxCalls = 10

  /// The next calls of a watch, oldest first.
  struct Pending: Sendable {
    let watch: StoredWatch
    let address: WebhookAddress
    /// The random part of the secret.
    let key: [UInt8]
    /// The calls; empty if all changes were sent.
    let calls: [Call]
    /// All matching changes up to this number are in ``calls``.
    let through: Int64
    /// Whether ``calls`` is complete.
    let isWhole: Bool
    /// Whether the database has a time of the next call: after a failure, or for a test.
    let isScheduled: Bool
  }

  /// The next step for a webhook.
  enum Turn: Sendable {
    case calls(Pending)
    /// Nothing now: it waits after a failure, or has ended.
    case rest
    /// It was removed, but is scheduled.
    case stop
  }

  /// The maximum number of scheduled webhooks that are read at a time.
  private static let portion = 500

  enum Call: Sendable {
    case challenge(WebhookChallenge)
    case test(id: String)
    case change(WatchNews.Reported)

    /// In the log; nil for a challenge or a test.
    var number: Int64? {
      switch self {
      case .challenge, .test: nil
      case .change(let reported): reported.number
      }
    }
  }

  /// The scheduled webhooks that are due, each with its host.
  func due(_ connection: borrowing Connection) throws -> [(watch: Int64, host: String)] {
    let query: Database.Item = (
      "SELECT rowid, webhook FROM watch WHERE call_due_at <= ? ORDER BY call_due_at LIMIT ?",
      [.text(environment.now().text), SQLValue(Self.portion)]
    )
    // The whole result, which is short, and not in pieces.
    try connection.expect([query])
    return try connection.rows(query.sql, query.arguments) {
      ($0.int(0), $0.optionalText(1).flatMap(WebhookAddress.init)?.host ?? "")
    }
  }

  /// The next calls of a watch whose changes up to `position` were called.
  func turn(
    of row: Int64, after position: Int64, _ connection: borrowing Connection
  ) throws -> Turn {
    let state = try connection.first(
      "SELECT called_through, test_id, call_due_at, webhook_ended_at FROM watch WHERE rowid = ?",
      [.integer(row)]
    ) { ($0.int(0), $0.optionalText(1), $0.optionalText(2), $0.optionalText(3)) }
    guard let (called, test, dueAt, endedAt) = state else { return .rest }
    if let dueAt, dueAt > environment.now().text { return .rest }
    guard let watch = try store.one(row: row, connection), !watch.settings.isPaused,
      let address = watch.settings.webhook.flatMap(WebhookAddress.init),
      let key = watch.keys.webhook, endedAt == nil
    else { return dueAt == nil ? .rest : .stop }
    func pending(_ calls: [Call], through: Int64, isWhole: Bool) -> Turn {
      .calls(
        Pending(
          watch: watch, address: address, key: key, calls: calls, through: through,
          isWhole: isWhole, isScheduled: dueAt != nil))
    }
    let through = max(called, position)
    if watch.webhookProvenAt == nil {
      let challenge = WebhookChallenge(id: environment.newDeviceID().text)
      return pending([.challenge(challenge)], through: through, isWhole: false)
    }
    if let test { return pending([.test(id: test)], through: through, isWhole: false) }
    let found = try news.later(
      watch, than: through, listed: Self.maxCalls, counted: nil, connection)
    return pending(
      found.reported.map { .change($0) }, through: found.through, isWhole: found.isWhole)
  }

  /// A call with its signature, made now.
  func signed(
    _ call: Call, of pending: Pending, _ connection: borrowing Connection
  ) throws -> WebhookCall {
    let (id, body) =
      switch call {
      case .challenge(let challenge):
        (challenge.id, challenge.body(of: pending.watch.id, at: environment.now()))
      case .test(let id): (id, content(nil, WatchEvent.test, [], environment.now().text, pending))
      case .change(let reported):
        (
          reported.id(of: pending.watch),
          content(
            feature(reported.device, connection), reported.event.rawValue, reported.properties,
            reported.happenedAt, pending, id: reported.device)
        )
      }
    return WebhookCall(
      id: id, time: environment.now(), body: body, key: secrets.signingKey(pending.key))
  }

  /// The JSON text of the feature of a device; nil if it is not public.
  private func feature(_ device: String, _ connection: borrowing Connection) -> [UInt8]? {
    guard let found = try? FoundDevice(device, for: .nobody, connection) else { return nil }
    return try? features.feature(of: found, connection).bytes
  }

  /// The feature of the device as in other responses, with the members `event`, `timestamp`, `changed` and `watch`. A
  /// device that is no longer public has neither geometry nor properties.
  private func content(
    _ feature: [UInt8]?, _ event: String, _ properties: [String], _ happenedAt: String,
    _ pending: Pending, id: String? = nil
  ) -> [UInt8] {
    let members: JSONObject = [
      "event": .string("device.\(event)"), "timestamp": .string(happenedAt),
      "changed": .array(properties.map { .string($0) }),
      "watch": [
        "id": .string(pending.watch.id), "label": .string(pending.watch.settings.label),
      ],
    ]
    let none: JSONObject = [
      "type": "Feature", "id": id.map { .string($0) } ?? .null, "geometry": .null,
      "properties": [:],
    ]
    // Both are objects with members, so they are joined at their braces.
    let body = feature ?? Array(JSONValue.object(none).text.utf8)
    return body.dropLast() + [UInt8(ascii: ",")] + JSONValue.object(members).text.utf8.dropFirst()
  }

  /// Records that the server of a webhook met the challenge, unless its owner has changed the address meanwhile.
  func prove(_ watch: StoredWatch, _ connection: borrowing Connection) throws {
    try connection.execute(
      """
      UPDATE watch SET webhook_proven_at = ?, calls_failed = 0, failing_since = NULL,
        call_due_at = CASE WHEN test_id IS NULL THEN NULL ELSE call_due_at END
      WHERE rowid = ? AND webhook_key = ?
      """,
      [.text(environment.now().text), .integer(watch.rowid), SQLValue(watch.keys.webhook)])
  }

  /// Records that a scheduled call was accepted, so that further ones need no schedule.
  func succeed(_ call: Call, of row: Int64, _ connection: borrowing Connection) throws {
    if call.number == nil {
      try store.noteSent("webhook", of: row, matches: 1, outcome: "sent", connection)
    }
    try connection.execute(
      """
      UPDATE watch SET called_through = max(called_through, ?), calls_failed = 0,
        failing_since = NULL, test_id = CASE WHEN ? THEN NULL ELSE test_id END, call_due_at = NULL
      WHERE rowid = ?
      """,
      [.integer(call.number ?? 0), SQLValue(call.number == nil), .integer(row)])
  }

  /// Records webhook delivery progress.
  ///
  /// - Returns: false if there is no such watch.
  func record(
    _ position: CallJournal.Position, of row: Int64, _ connection: borrowing Connection
  ) throws -> Bool {
    try connection.execute(
      "UPDATE watch SET called_through = max(called_through, ?) WHERE rowid = ?",
      [.integer(position.through), .integer(row)])
    guard connection.changedRowCount == 1 else { return false }
    if position.calls > 0 {
      try store.noteSent(
        "webhook", of: row, matches: position.calls, outcome: "sent", connection)
      try connection.execute(
        "DELETE FROM webhook_call WHERE watch_rowid = ? AND number <= ?",
        [.integer(row), .integer(position.through)])
    }
    return true
  }

  /// Schedules no call, because the webhook was removed.
  func stop(_ watch: Int64, _ connection: borrowing Connection) throws {
    try connection.execute(
      "UPDATE watch SET call_due_at = NULL WHERE rowid = ?", [.integer(watch)])
  }

  /// Schedules a call again. It was not tried, so the receiver is not at fault.
  func putOff(
    _ watch: Int64, by seconds: Int64 = 1, _ connection: borrowing Connection
  ) throws {
    let next = environment.now().secondsSinceEpoch + seconds
    try connection.execute(
      "UPDATE watch SET call_due_at = ? WHERE rowid = ?",
      [.text(Timestamp(secondsSinceEpoch: next).text), .integer(watch)])
  }

  /// Puts the next attempt off. After a day of failures the webhook is switched off, and its owner gets a mail.
  func fail(_ row: Int64, _ connection: borrowing Connection) throws {
    let now = environment.now()
    let state = try connection.first(
      "SELECT calls_failed, failing_since FROM watch WHERE rowid = ?", [.integer(row)]
    ) { (Int($0.int(0)) + 1, $0.optionalText(1).flatMap { Timestamp(text: $0) }) }
    guard let (failures, start) = state, let watch = try store.one(row: row, connection)
    else { return }
    let since = start ?? now
    let isOver = now.secondsSinceEpoch - since.secondsSinceEpoch >= WebhookCall.failurePeriod
    let last = since.secondsSinceEpoch + WebhookCall.failurePeriod
    let next = min(now.secondsSinceEpoch + WebhookCall.pause(after: failures), last)
    try store.noteSent(
      "webhook", of: row, matches: 1, outcome: isOver ? "ended" : "failed", connection)
    try connection.execute(
      """
      UPDATE watch SET calls_failed = ?, failing_since = ?, call_due_at = ?, webhook_ended_at = ?
      WHERE rowid = ?
      """,
      [
        SQLValue(failures), .text(since.text),
        isOver ? .null : .text(Timestamp(secondsSinceEpoch: next).text),
        isOver ? .text(now.text) : .null, .integer(row),
      ])
    if isOver { try mails.tell(.watchWebhookEnded, about: watch, connection) }
  }
}
