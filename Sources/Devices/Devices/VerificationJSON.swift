import JSON
import PrivacyMap

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

extension JSONWriter {
  /// Writes a text or null.
  package mutating func optional(_ text: String?) {
    if let text { string(text) } else { null() }
  }
}
