import JSON
import PrivacyMap
package import SpatialDatabase

/// The JSON of the claims of a device, derived from the verdicts.
struct VerificationJSON {
  let trust: Trust
  /// The day on which the device becomes stale: the stale day of its claim `present`.
  let staleOn: String
  /// The first day of the period after which other, unconfirmed claims become stale.
  let seenOn: Day
  let staleMonths: Int
  /// The verdicts of one person; nil to omit them.
  var mine: [Claim: Bool]?

  /// Writes an array with one object per claim.
  func write(to json: inout JSONWriter) {
    json.beginArray()
    // The same day for all unconfirmed claims.
    let unconfirmed = day(after: seenOn)
    for claim in trust.claims { write(claim, unconfirmed, to: &json) }
    json.endArray()
  }

  private func write(_ state: ClaimState, _ unconfirmed: String, to json: inout JSONWriter) {
    json.beginObject()
    json.member("claim", state.claim.rawValue)
    json.member("verdict", state.outcome.rawValue)
    json.key("basis")
    json.strings(state.bases.map(\.rawValue))
    json.member("confirmations", state.confirmations)
    json.member("disputes", state.disputes)
    json.key("last_at")
    json.optional(state.lastOn?.text)
    json.key("stale_on")
    json.string(
      state.claim == .present ? staleOn : state.lastConfirmedOn.map(day(after:)) ?? unconfirmed)
    if let mine {
      json.key("mine")
      json.optional(mine[state.claim].map { $0 ? "confirm" : "dispute" })
    }
    json.endObject()
  }

  private func day(after seen: Day) -> String { seen.adding(months: staleMonths).text }
}

extension VerificationStore {
  /// The claims of a device with the verdicts of one person, and the fields that derive from all verdicts; nil without the
  /// device.
  package func json(
    of rowid: Int64, for account: Int64, _ connection: borrowing Connection
  ) throws -> [UInt8]? {
    let words = try Self.words(of: rowid, connection)
    guard let found = try Self.derived(rowid, connection) else { return nil }
    let own = words.filter { $0.account == account }
    var json = JSONWriter()
    json.beginObject()
    json.key("claims")
    VerificationJSON(
      trust: Self.trust(words), staleOn: found.2,
      seenOn: Day(text: found.3) ?? Day(daysSinceEpoch: 0),
      staleMonths: vocabulary.category(found.4)?.staleMonths ?? 24,
      mine: Dictionary(own.map { ($0.verdict.claim, $0.verdict.confirms) }) { $1 }
    ).write(to: &json)
    json.member("status", found.0)
    json.key("last_confirmed")
    json.optional(found.1)
    json.member("stale_on", found.2)
    json.endObject()
    return json.bytes
  }
}

extension JSONWriter {
  /// Writes a text or null.
  package mutating func optional(_ text: String?) {
    if let text { string(text) } else { null() }
  }
}
