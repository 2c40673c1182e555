import JSON
import PrivacyMap

/// What follows from the verdicts on a device, as the interface shows it.
struct ClaimJSON {
  let trust: Trust
  /// The day the device itself goes stale, which is that of its being there.
  let staleOn: String
  /// From when the other claims are counted where nobody has confirmed them.
  let seenOn: Day
  let staleMonths: Int
  /// What one person says; nil to leave it out.
  var mine: [Claim: Bool]?

  /// An array with one object for each claim.
  func write(to json: inout JSONWriter) {
    json.beginArray()
    for claim in trust.claims { write(claim, to: &json) }
    json.endArray()
  }

  private func write(_ state: ClaimState, to json: inout JSONWriter) {
    json.beginObject()
    json.member("claim", state.claim.rawValue)
    json.member("verdict", state.outcome.rawValue)
    json.key("basis")
    json.strings(state.bases.map(\.rawValue))
    json.key("confirmations")
    json.integer(state.confirmations)
    json.key("disputes")
    json.integer(state.disputes)
    json.key("last_at")
    json.optional(state.lastOn?.text)
    json.key("stale_on")
    json.string(state.claim == .present ? staleOn : day(state).text)
    if let mine {
      json.key("mine")
      json.optional(mine[state.claim].map { $0 ? "confirm" : "dispute" })
    }
    json.endObject()
  }

  private func day(_ state: ClaimState) -> Day {
    (state.lastConfirmedOn ?? seenOn).adding(months: staleMonths)
  }
}

extension JSONWriter {
  /// A text, or null.
  mutating func optional(_ text: String?) {
    if let text { string(text) } else { null() }
  }
}
