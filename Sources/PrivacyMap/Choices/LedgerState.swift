/// The state of a choice (docs/reference/ledger.md). “Overdue” is not a state, because it follows from the
/// current day.
package enum LedgerState: String, CaseIterable, Sendable {
  case wanted, sent, acknowledged, extended, honoured, confirmed, contested, refused, complained,
    withdrawn

  /// The states in which an answer is pending.
  package static let running: [LedgerState] = [.sent, .acknowledged, .extended]

  /// Whether an answer is pending, so that it can become overdue.
  package var isRunning: Bool { Self.running.contains(self) }

  /// The possible next events, regardless of the actor. In a running state, ``LedgerEvent/complained`` is possible
  /// only when the answer is overdue.
  package var followers: [LedgerEvent] {
    switch self {
    case .wanted: [.sent, .withdrawn]
    case .sent: [.acknowledged, .extended, .honoured, .refused, .complained, .withdrawn]
    case .acknowledged: [.extended, .honoured, .refused, .complained, .withdrawn]
    case .extended: [.honoured, .refused, .complained, .withdrawn]
    case .honoured: [.confirmed, .contested]
    case .contested: [.honoured, .refused, .complained, .withdrawn]
    case .refused: [.honoured, .complained, .withdrawn]
    case .complained: [.honoured, .refused, .withdrawn]
    case .confirmed, .withdrawn: []
    }
  }
}

/// An event of a choice. Each event leads to the state of the same name.
package enum LedgerEvent: String, CaseIterable, Sendable {
  case sent, acknowledged, extended, honoured, confirmed, contested, refused, complained, withdrawn

  /// The state after this event.
  package var state: LedgerState {
    switch self {
    case .sent: .sent
    case .acknowledged: .acknowledged
    case .extended: .extended
    case .honoured: .honoured
    case .confirmed: .confirmed
    case .contested: .contested
    case .refused: .refused
    case .complained: .complained
    case .withdrawn: .withdrawn
    }
  }

  /// Whether `actor` may enter this event.
  package func isOpen(to actor: LedgerActor) -> Bool {
    switch actor {
    case .person: true
    case .operator: [.acknowledged, .extended, .honoured, .refused].contains(self)
    case .farol: self == .sent
    }
  }
}

/// The party that enters an event.
package enum LedgerActor: String, CaseIterable, Sendable {
  /// The person who makes the choice.
  case person
  /// The operator that received the request.
  case `operator`
  /// This instance, after it delivered a request.
  case farol
}

/// One append-only entry of a ledger.
package struct LedgerEntry: Equatable, Sendable {
  package let event: LedgerEvent
  package let at: Timestamp
  package let by: LedgerActor
  package let note: String?
  /// A code from `reasons` in `seed/rights/rights.json`, or free text.
  package let reason: String?
  package let channel: RequestChannel?
  /// The day on which the request was received, if known.
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

/// The reason why a ledger rejects an entry.
package enum LedgerRefusal: String, Error, CaseIterable, Sendable {
  /// The current state does not allow this event.
  case transition
  /// A complaint about a missing answer before the deadline.
  case notOverdue = "not_overdue"
  /// The actor may not enter this event.
  case actor
  /// An extension without a reason.
  case reason
  /// An extension announced after the first period.
  case late
  /// The law allows no extension.
  case notExtendable = "not_extendable"
  /// Earlier than the previous entry.
  case beforeLast = "before_last"
  /// More than a day in the future.
  case future
  /// The day of receipt is before the sending or in the future, or the event does not accept one.
  case received
}
