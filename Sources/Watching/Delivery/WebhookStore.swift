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

  /// The maximum number of calls for a watch before others at the same host are called.
  static let mostCalls = 10

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
  }

  enum Call: Sendable {
    case test(id: String)
    case change(WatchNews.Told)

    /// In the log; nil for a test.
    var number: Int64? {
      switch self {
      case .test: nil
      case .change(let told): told.number
      }
    }
  }

  /// The watch whose webhook has been due for longest and its host, except those of `busy` hosts.
  func due(
    except busy: Set<String>, _ connection: borrowing Connection
  ) throws -> (watch: Int64, host: String)? {
    try connection.first(
      """
      SELECT rowid, webhook FROM watch WHERE call_due_at <= ? AND NOT EXISTS (
        SELECT 1 FROM json_each(?) AS busy WHERE webhook LIKE 'https://' || busy.value
          OR webhook LIKE 'https://' || busy.value || '/%'
          OR webhook LIKE 'https://' || busy.value || '?%')
      ORDER BY call_due_at LIMIT 1
      """, [.text(environment.now().text), .text(JSONText.strings(busy.sorted()))]
    ) { row in
      let address = row.optionalText(1).flatMap(WebhookAddress.init)
      return (row.int(0), address?.host ?? "")
    }
  }

  /// The next calls of a watch; nil if it has no webhook.
  func pending(of row: Int64, _ connection: borrowing Connection) throws -> Pending? {
    guard let watch = try store.one(row: row, connection), !watch.settings.isPaused,
      let address = watch.settings.webhook.flatMap(WebhookAddress.init),
      let key = watch.keys.webhook
    else { return nil }
    let (through, test) =
      try connection.first(
        "SELECT called_through, test_id FROM watch WHERE rowid = ?", [.integer(row)]
      ) { ($0.int(0), $0.optionalText(1)) } ?? (0, nil)
    if let test {
      return Pending(
        watch: watch, address: address, key: key, calls: [.test(id: test)], through: through,
        isWhole: false)
    }
    let found = try news.later(
      watch, than: through, listed: Self.mostCalls, counted: nil, connection)
    return Pending(
      watch: watch, address: address, key: key, calls: found.told.map { .change($0) },
      through: found.through, isWhole: found.isWhole)
  }

  /// A call with its signature, made now.
  func signed(
    _ call: Call, of pending: Pending, _ connection: borrowing Connection
  ) throws -> WebhookCall {
    let (id, body) =
      switch call {
      case .test(let id): (id, content(nil, WatchEvent.test, [], environment.now().text, pending))
      case .change(let told):
        (
          told.id(of: pending.watch),
          content(
            try feature(told.device, connection), told.event.rawValue, told.properties,
            told.happenedAt, pending, id: told.device)
        )
      }
    return WebhookCall(
      id: id, time: environment.now(), body: body, key: secrets.signingKey(pending.key))
  }

  private func feature(
    _ device: String, _ connection: borrowing Connection
  ) throws -> JSONObject? {
    guard let found = try? FoundDevice(device, for: .nobody, connection) else { return nil }
    return try? JSONValue(parsing: try features.feature(of: found, connection).bytes).objectValue
  }

  /// The feature of the device as everywhere else, with the members `event`, `timestamp` and `watch`. A device that is
  /// no longer public has neither geometry nor properties.
  private func content(
    _ feature: JSONObject?, _ event: String, _ properties: [String], _ happenedAt: String,
    _ pending: Pending, id: String? = nil
  ) -> [UInt8] {
    var object =
      feature ?? [
        "type": "Feature", "id": id.map { .string($0) } ?? .null, "geometry": .null,
        "properties": [:],
      ]
    object["event"] = .string("device.\(event)")
    object["timestamp"] = .string(happenedAt)
    object["changed"] = .array(properties.map { .string($0) })
    object["watch"] = [
      "id": .string(pending.watch.id), "label": .string(pending.watch.settings.label),
    ]
    return Array(JSONValue.object(object).text.utf8)
  }

  /// Records that a call was accepted.
  func succeed(_ call: Call, of pending: Pending, _ connection: borrowing Connection) throws {
    let row = pending.watch.rowid
    try store.noteSent("webhook", of: row, matches: 1, outcome: "sent", connection)
    try connection.execute(
      """
      UPDATE watch SET called_through = max(called_through, ?), calls_failed = 0,
        failing_since = NULL, test_id = CASE WHEN ? THEN NULL ELSE test_id END, call_due_at = ?
      WHERE rowid = ?
      """,
      [
        .integer(call.number ?? 0), SQLValue(call.number == nil), .text(environment.now().text),
        .integer(row),
      ])
  }

  /// Records that all changes were sent, unless further ones may match.
  func rest(_ pending: Pending, _ connection: borrowing Connection) throws {
    let row = pending.watch.rowid
    var isDue = !pending.isWhole
    for key in news.keys(of: pending.watch) where !isDue {
      isDue =
        try connection.integer(Self.further, [.integer(key), .integer(pending.through)]) != nil
    }
    try connection.execute(
      """
      UPDATE watch SET called_through = max(called_through, ?),
        call_due_at = CASE WHEN ? OR test_id IS NOT NULL THEN call_due_at END
      WHERE rowid = ?
      """, [.integer(pending.through), SQLValue(isDue), .integer(row)])
  }

  static let further = "SELECT 1 FROM watch_change_key WHERE key = ? AND number > ? LIMIT 1"

  /// Schedules no call, because the webhook was removed.
  func stop(_ watch: Int64, _ connection: borrowing Connection) throws {
    try connection.execute(
      "UPDATE watch SET call_due_at = NULL WHERE rowid = ?", [.integer(watch)])
  }

  /// Schedules a call again in one second. It was not tried, so the receiver is not at fault.
  func putOff(_ watch: Int64, _ connection: borrowing Connection) throws {
    let next = environment.now().secondsSinceEpoch + 1
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
    let isOver = now.secondsSinceEpoch - since.secondsSinceEpoch >= WebhookCall.patience
    let last = since.secondsSinceEpoch + WebhookCall.patience
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
