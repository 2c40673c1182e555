/// A claim about a device. People confirm or dispute each claim separately.
package enum Claim: String, CaseIterable, Sendable {
  /// The device exists at this place.
  case present
  /// The device is of its stated category.
  case function
  /// The device collects the stated data.
  case data
  /// The named operator is responsible for the device.
  case `operator`
}

/// The evidence for a verdict.
package enum ClaimBasis: String, CaseIterable, Sendable {
  case seen, sign, document
  /// A statement of the operator.
  case `operator`
  /// Concluded from other facts.
  case inferred

  /// Whether the evidence is first-hand: an observation or an authoritative source. Only first-hand verdicts can
  /// remove a device from the map.
  var isFirstHand: Bool { self != .inferred }
}

/// The latest verdict of one person on one claim.
package struct Verdict: Sendable {
  package let claim: Claim
  /// True for a confirmation, false for a dispute.
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

/// The combined result of all verdicts on one claim (docs/explanation/claims.md).
package struct ClaimState: Equatable, Sendable {
  package enum Outcome: String, CaseIterable, Sendable {
    case confirmed, disputed, open
  }

  package let claim: Claim
  package private(set) var outcome = Outcome.open
  /// The number of people who confirm the claim.
  package private(set) var confirmations = 0
  package private(set) var disputes = 0
  /// The evidence of the confirmations, without duplicates.
  package private(set) var bases: [ClaimBasis] = []
  /// The day (UTC) of the last verdict. The state stores no time of day, because that could
  /// identify the person who was active at that time.
  package private(set) var lastOn: Day?
  package private(set) var lastConfirmedOn: Day?
  /// Whether enough people with first-hand evidence dispute the claim, without a later
  /// confirmation.
  package private(set) var isDenied = false

  /// - Parameters:
  ///   - claim: the claim to evaluate.
  ///   - verdicts: the verdicts that count, one per person, in chronological order.
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

  /// Whether the verdicts suffice: two independent people, or one person with a document.
  private static func suffices(_ verdicts: [Verdict]) -> Bool {
    verdicts.count >= 2 || verdicts.contains { $0.basis == .document }
  }
}

/// The trust in a device, derived from the verdicts of people (docs/explanation/claims.md).
package struct Trust: Equatable, Sendable {
  /// One state per claim, in the order of the claims.
  package let claims: [ClaimState]

  /// - Parameter verdicts: the verdicts that count, one per person and claim, in chronological order.
  package init(_ verdicts: [Verdict]) {
    claims = Claim.allCases.map { ClaimState($0, verdicts) }
  }

  /// Without verdicts.
  package static let none = Trust([])

  private subscript(_ claim: Claim) -> ClaimState? { claims.first { $0.claim == claim } }

  /// The start of the day on which the presence of the device was last confirmed.
  package var lastConfirmed: Timestamp? {
    self[.present]?.lastConfirmedOn.map { Timestamp(startOf: $0) }
  }

  /// The resulting status. `base` is the status from a moderator or a source list, used where
  /// claims decide nothing.
  package func status(base: DeviceStatus) -> DeviceStatus {
    let isGone = self[.present]?.isDenied ?? false
    if isGone { return self[.function]?.isDenied == true ? .notADevice : .removed }
    let isConfirmed = self[.present]?.outcome == .confirmed
    if base == .removed || base == .notADevice { return isConfirmed ? .confirmed : base }
    if claims.contains(where: { $0.outcome == .disputed }) { return .disputed }
    return isConfirmed ? .confirmed : base
  }
}
