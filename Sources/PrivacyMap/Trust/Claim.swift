/// What a record of a device claims, each to be vouched for or disputed on its own.
package enum Claim: String, CaseIterable, Sendable {
  /// It is there.
  case present
  /// It is what its category says.
  case function
  /// It collects what is said.
  case data
  /// The operator named answers for it.
  case `operator`
}

/// What a verdict rests on.
package enum ClaimBasis: String, CaseIterable, Sendable {
  case seen, sign, document
  /// The operator said so.
  case `operator`
  /// Concluded from something else.
  case inferred

  /// Whether somebody looked, or has it from whoever must know: enough to take a device off the map.
  var isFirstHand: Bool { self != .inferred }
}

/// The latest word of one person on one claim.
package struct Verdict: Sendable {
  package let claim: Claim
  /// Whether it confirms the claim; else it disputes it.
  package let confirms: Bool
  package let basis: ClaimBasis
  package let madeAt: Timestamp

  package init(claim: Claim, confirms: Bool, basis: ClaimBasis, madeAt: Timestamp) {
    self.claim = claim
    self.confirms = confirms
    self.basis = basis
    self.madeAt = madeAt
  }
}

/// What all verdicts on one claim come to (docs/claims.md).
package struct ClaimState: Equatable, Sendable {
  package enum Outcome: String, CaseIterable, Sendable {
    case confirmed, disputed, open
  }

  package let claim: Claim
  package private(set) var outcome = Outcome.open
  /// People who confirm it.
  package private(set) var confirmations = 0
  package private(set) var disputes = 0
  /// What confirmations rest on, each once.
  package private(set) var bases: [ClaimBasis] = []
  /// The day (UTC) of the last word. No state holds a moment: it would lead to whoever was at work
  /// then.
  package private(set) var lastOn: Day?
  package private(set) var lastConfirmedOn: Day?
  /// Whether enough people who looked deny it, and nobody has confirmed it since.
  package private(set) var isDenied = false

  /// - Parameters:
  ///   - claim: which one.
  ///   - verdicts: those that count, one for each person, in the order they were given.
  init(_ claim: Claim, _ verdicts: [Verdict]) {
    self.claim = claim
    let words = verdicts.filter { $0.claim == claim }
    let confirming = words.filter(\.confirms)
    confirmations = confirming.count
    disputes = words.count - confirming.count
    bases = ClaimBasis.allCases.filter { basis in confirming.contains { $0.basis == basis } }
    lastOn = words.last?.madeAt.day
    lastConfirmedOn = confirming.last?.madeAt.day
    if Self.suffices(confirming), words.last?.confirms == true {
      outcome = .confirmed
    } else if disputes > 0 {
      outcome = .disputed
    }
    let sinceConfirmed = words.suffix(from: words.lastIndex { $0.confirms }.map { $0 + 1 } ?? 0)
    isDenied = Self.suffices(sinceConfirmed.filter(\.basis.isFirstHand))
  }

  /// Two independent people, or one with a document.
  private static func suffices(_ verdicts: [Verdict]) -> Bool {
    verdicts.count >= 2 || verdicts.contains { $0.basis == .document }
  }
}

/// How sure one can be of a device, from what people vouch for (docs/claims.md).
package struct Trust: Equatable, Sendable {
  /// One for each claim, in their order.
  package let claims: [ClaimState]

  /// - Parameter verdicts: those that count, one for each person and claim, in the order they were
  ///   given.
  package init(_ verdicts: [Verdict]) {
    claims = Claim.allCases.map { ClaimState($0, verdicts) }
  }

  private subscript(_ claim: Claim) -> ClaimState? { claims.first { $0.claim == claim } }

  /// The beginning of the day on which somebody last vouched for its being there.
  package var lastConfirmed: Timestamp? {
    self[.present]?.lastConfirmedOn.map { Timestamp(startOf: $0) }
  }

  /// The status that follows; `base` is what a moderator or a list said, where claims say nothing.
  package func status(base: DeviceStatus) -> DeviceStatus {
    let isGone = self[.present]?.isDenied ?? false
    if isGone { return self[.function]?.isDenied == true ? .notADevice : .removed }
    let isConfirmed = self[.present]?.outcome == .confirmed
    if base == .removed || base == .notADevice { return isConfirmed ? .confirmed : base }
    if claims.contains(where: { $0.outcome == .disputed }) { return .disputed }
    return isConfirmed ? .confirmed : base
  }
}
