import PrivacyMap

/// The state of a request for a visit (docs/reference/visits.md).
package enum VisitState: String, CaseIterable, Sendable {
  /// A volunteer is looked for.
  case waiting
  /// One volunteer has been asked.
  case offered
  /// Every volunteer in reach had an offer, so anyone may take it.
  case open
  /// A volunteer goes now.
  case accepted
  /// A volunteer goes at a time.
  case planned
  /// A volunteer has reported an outcome.
  case done
  /// It ended without a visit.
  case closed

  /// Whether the request has ended.
  package var isOver: Bool { self == .done || self == .closed }
  /// Whether a volunteer has accepted it.
  package var isHeld: Bool { self == .accepted || self == .planned }

  /// The state after an event; nil if the event is not possible now.
  package func after(_ event: VisitEvent) -> VisitState? {
    switch (self, event) {
    case (.waiting, .offered), (.open, .offered): .offered
    case (.waiting, .opened): .open
    case (.offered, .accepted), (.open, .accepted): .accepted
    case (.offered, .planned), (.open, .planned), (.accepted, .planned), (.planned, .planned):
      .planned
    case (.offered, .declined), (.offered, .lapsed), (.offered, .lost): .waiting
    case (.accepted, .cancelled), (.accepted, .missed), (.accepted, .lost): .waiting
    case (.planned, .cancelled), (.planned, .missed), (.planned, .lost): .waiting
    case (.accepted, .reported), (.planned, .reported): .done
    case (.waiting, .closed), (.offered, .closed), (.open, .closed), (.accepted, .closed),
      (.planned, .closed):
      .closed
    default: nil
    }
  }
}

/// An event that changes the state of a request.
package enum VisitEvent: String, CaseIterable, Sendable {
  /// It is offered to a volunteer.
  case offered
  /// No volunteer is left to ask.
  case opened
  /// A volunteer goes now: of the offer, or of an open request.
  case accepted
  /// A volunteer reserves a time.
  case planned
  case declined
  /// The offer was not answered in time, which counts as declined.
  case lapsed
  /// The volunteer has stopped volunteering or has deleted the account.
  case lost
  /// The volunteer gives the visit back.
  case cancelled
  /// The volunteer did not report in time.
  case missed
  case reported
  /// Withdrawn by its asker or a moderator, expired, or its device is gone (``VisitEnd``).
  case closed
}

/// The state of an offer. An answer, its end or the end of the request is final.
package enum OfferState: String, CaseIterable, Sendable {
  case pending, accepted, declined, lapsed, withdrawn

  /// The state after an event of its request; nil if the event is not possible now.
  package func after(_ event: VisitEvent) -> OfferState? {
    guard self == .pending else { return nil }
    return switch event {
    case .accepted, .planned: .accepted
    case .declined: .declined
    case .lapsed: .lapsed
    case .lost, .closed: .withdrawn
    case .offered, .opened, .cancelled, .missed, .reported: nil
    }
  }
}

/// The current state of a volunteer. It follows from the availability, the offer and the visits, and is not stored.
package enum VolunteerState: String, CaseIterable, Sendable {
  case paused
  /// Outside the hours.
  case resting
  /// Available for an offer.
  case free
  /// Has an offer.
  case asked
  /// Goes to a device now, or has as many visits as possible.
  case visiting

  package init(isPaused: Bool, isAvailable: Bool, hasOffer: Bool, goes: Bool, visits: Int) {
    self =
      hasOffer
      ? .asked
      : goes || visits >= VisitRules.maxVisits
        ? .visiting : isPaused ? .paused : isAvailable ? .free : .resting
  }
}

/// The limits of visits; times in seconds.
package enum VisitRules {
  /// The time for the answer to an offer, unless the instance sets another.
  package static let usualAnswer: Int64 = 30 * 60
  /// The time for a visit that was accepted without a time.
  package static let visit: Int64 = Seconds.day
  /// The minimum and maximum time between reserving a planned visit and its start.
  package static let earliestPlan: Int64 = 2 * 3_600
  package static let latestPlan: Int64 = Seconds.days(14)
  /// The time between the reminder and a planned visit. Until the reminder it can be cancelled.
  package static let reminder: Int64 = 600
  /// The time after which a planned visit without a report is missed.
  package static let grace: Int64 = 2 * 3_600
  /// The time after which a request is open to all, although a volunteer may become available.
  package static let wait: Int64 = Seconds.day
  /// The seconds between two checks of a request for which no volunteer is available.
  package static let minPause: Int64 = 60
  package static let maxPause: Int64 = 1_800
  /// The time after which a request without a visit expires.
  package static let life: Int64 = Seconds.days(60)
  /// The time after a visit before the next request for the same device.
  package static let rest: Int64 = Seconds.days(7)
  /// Visits that a volunteer can have accepted at once.
  package static let maxVisits = 3
  /// The farthest that a volunteer goes, in kilometres.
  package static let farthest = 50
}
