package import JSON
package import PrivacyMap
import Service
package import SpatialDatabase

/// A person as shown to moderators and admins: contributions and decisions, but no address.
package struct PersonJSON {
  package let now: Timestamp
  private let store = PersonStore()

  package init(now: Timestamp) {
    self.now = now
  }

  package func value(_ account: Int64, _ connection: borrowing Connection) throws -> JSONValue? {
    guard let person = try store.person(account, connection) else { return nil }
    let role = Role(rawValue: person.role) ?? .contributor
    let joined = Timestamp(text: person.createdAt) ?? now
    let isYoung = now.secondsSinceEpoch - joined.secondsSinceEpoch < Principal.probation
    let isNew = isYoung || person.acceptedEdits < Principal.acceptedEdits
    let until = person.suspendedUntil.flatMap { Timestamp(text: $0) }
    let isSuspended = person.isSuspended && (until.map { $0 > now } ?? true)
    let flags = try FlagStore.counts(about: account, connection)
    let counts = try store.contributions(of: account, connection)
    return [
      "id": .string(person.id), "username": .string(person.username),
      "role": .string(role.rawValue), "joined_on": .string(joined.day.text),
      "confirmed": .bool(person.isConfirmed), "new": .bool(role < .moderator && isNew),
      "suspended": isSuspended
        ? [
          "until": until.map { .string($0.text) } ?? .null,
          "reason": .optional(person.suspendedReason),
        ] : .null,
      "flags": [
        "received": .integer(flags.received), "open": .integer(flags.open),
        "upheld": .integer(flags.upheld), "dismissed": .integer(flags.dismissed),
        "anonymous": .integer(flags.anonymous),
      ],
      "contributions": .object(JSONObject(counts.map { ($0, .integer($1)) })),
      "decisions": .array(
        try store.decisions(about: person.id, connection).map { decision in
          [
            "id": .string(decision.id), "action": .string(decision.action),
            "reason": .string(decision.reason), "at": .string(decision.madeAt),
            "undone_at": .optional(decision.undoneAt),
          ]
        }),
    ]
  }
}

extension JSONValue {
  /// A column's text, or null.
  package static func text(_ row: Row, _ column: Int) -> JSONValue {
    row.optionalText(column).map { .string($0) } ?? .null
  }

  package static func optional(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

  /// A GeoJSON point, or null.
  package static func point(_ point: (longitude: Double, latitude: Double)?) -> JSONValue {
    guard let point else { return .null }
    return ["type": "Point", "coordinates": [.double(point.longitude), .double(point.latitude)]]
  }
}
