/// The state of a mapping day, by docs/reference/mapping-days.md.
package enum DayState: String, CaseIterable, Sendable {
  /// Its organiser still writes it.
  case draft
  /// A moderator decides about it.
  case waiting
  case approved, rejected
  case running, over, cancelled

  /// The state after an event; nil if the event is not possible in this state.
  package func after(_ event: DayEvent) -> DayState? {
    switch (self, event) {
    case (.draft, .submit), (.rejected, .submit): .waiting
    case (.waiting, .withdraw): .draft
    case (.waiting, .approve): .approved
    case (.waiting, .reject), (.waiting, .lapse): .rejected
    case (.approved, .start): .running
    case (.running, .end): .over
    case (.approved, .cancel), (.running, .cancel): .cancelled
    default: nil
    }
  }

  /// Whether every visitor sees the day.
  package var isPublic: Bool { Self.publicStates.contains(self) }

  /// Whether its organiser may change the plan, or delete it.
  var isOpenToChange: Bool { self == .draft || self == .rejected }

  /// Whether people may join.
  var takesParticipants: Bool { self == .approved || self == .running }

  static let publicStates: [DayState] = [.approved, .running, .over, .cancelled]
}

/// An event in the life of a mapping day.
package enum DayEvent: String, CaseIterable, Sendable {
  case submit, withdraw, approve, reject
  /// Its start passes without a decision.
  case lapse
  case start, end, cancel

  /// The people who may cause it, besides Farol itself.
  enum Actor: String, CaseIterable, Sendable { case organiser, moderator, farol }

  func isOpen(to actor: Actor) -> Bool {
    switch self {
    case .submit, .withdraw: actor == .organiser
    case .approve, .reject: actor == .moderator
    case .lapse, .start, .end: actor == .farol
    case .cancel: actor != .farol
    }
  }
}
