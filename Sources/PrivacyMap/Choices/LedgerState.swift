/// Where a choice stands (docs/ledger.md). That it is overdue is no state of its own: it follows from
/// the day.
package enum LedgerState: String, CaseIterable, Sendable {
  case wanted, sent, acknowledged, extended, honoured, refused, complained, withdrawn

  /// Whether an answer is awaited, so that it can be overdue.
  package var isRunning: Bool {
    switch self {
    case .sent, .acknowledged, .extended: true
    default: false
    }
  }

  /// What may happen next, whoever does it; ``LedgerEvent/complained`` from a running state only when
  /// it is overdue.
  package var followers: [LedgerEvent] {
    switch self {
    case .wanted: [.sent, .withdrawn]
    case .sent: [.acknowledged, .extended, .honoured, .refused, .complained, .withdrawn]
    case .acknowledged: [.extended, .honoured, .refused, .complained, .withdrawn]
    case .extended: [.honoured, .refused, .complained, .withdrawn]
    case .refused: [.honoured, .complained, .withdrawn]
    case .complained: [.honoured, .refused, .withdrawn]
    case .honoured, .withdrawn: []
    }
  }
}

/// What happens to a choice; it is then in the state of the same name.
package enum LedgerEvent: String, CaseIterable, Sendable {
  case sent, acknowledged, extended, honoured, refused, complained, withdrawn

  /// The state after it.
  package var state: LedgerState {
    switch self {
    case .sent: .sent
    case .acknowledged: .acknowledged
    case .extended: .extended
    case .honoured: .honoured
    case .refused: .refused
    case .complained: .complained
    case .withdrawn: .withdrawn
    }
  }

  /// Whether `actor` may say that it happened.
  package func isOpen(to actor: LedgerActor) -> Bool {
    switch actor {
    case .person: true
    case .operator: [.acknowledged, .extended, .honoured, .refused].contains(self)
    case .farol: self == .sent
    }
  }
}

/// Who says that something happened.
package enum LedgerActor: String, CaseIterable, Sendable {
  /// Whose choice it is.
  case person
  /// Who was asked.
  case `operator`
  /// The instance, which delivered a request.
  case farol
}

/// One line of a ledger: appended, never changed.
package struct LedgerEntry: Equatable, Sendable {
  package let event: LedgerEvent
  package let at: Timestamp
  package let by: LedgerActor
  package let note: String?
  /// A code of `reasons` in `seed/rights/rights.json`, or a text.
  package let reason: String?
  package let channel: RequestChannel?
  /// The day on which the request was received, where somebody knows it.
  package let receivedOn: Day?

  package init(
    _ event: LedgerEvent, at: Timestamp, by: LedgerActor = .person, note: String? = nil,
    reason: String? = nil, channel: RequestChannel? = nil, receivedOn: Day? = nil
  ) {
    self.event = event
    self.at = at
    self.by = by
    self.note = note
    self.reason = reason
    self.channel = channel
    self.receivedOn = receivedOn
  }
}

/// Why a ledger does not take an entry.
package enum LedgerRefusal: String, Error, CaseIterable, Sendable {
  /// No such step from where it stands.
  case transition
  /// Complaining of silence before the time for the answer is over.
  case notOverdue = "not_overdue"
  /// Not for whoever says it.
  case actor
  /// An extension without a reason.
  case reason
  /// An extension said after the first period.
  case late
  /// The law gives no more time for this.
  case notExtendable = "not_extendable"
  /// Earlier than the entry before.
  case beforeLast = "before_last"
  /// More than a day ahead.
  case future
  /// A day of receipt before the sending, to come, or with an event that tells nothing of it.
  case received
}
