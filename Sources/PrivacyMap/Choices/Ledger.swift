/// The history of one choice: append-only entries, and the state and deadlines derived from them.
package struct Ledger: Sendable {
  /// The time limits for the answer of the recipient.
  package struct Terms: Sendable {
    /// From receipt to answer.
    package let first: Period
    /// Additional time if the recipient gives a reason, counted from the same day of receipt. Nil:
    /// no extension is possible.
    package let longer: Period?
    package let rule: DeadlineRule

    package init(first: Period, longer: Period?, rule: DeadlineRule) {
      self.first = first
      self.longer = longer
      self.rule = rule
    }
  }

  package let terms: Terms
  package private(set) var entries: [LedgerEntry] = []
  package private(set) var state = LedgerState.wanted
  /// When the request was sent.
  package private(set) var sentOn: Day?
  /// When the first period began.
  package private(set) var receivedOn: Day?

  /// The maximum number of seconds between the clock and a later entry, because the day starts earlier in other time
  /// zones.
  private static let grace: Int64 = Seconds.day

  package init(terms: Terms) {
    self.terms = terms
  }

  /// Rebuilds a ledger from stored entries, which have been validated before.
  package init(terms: Terms, taken entries: [LedgerEntry]) {
    self.terms = terms
    for entry in entries { take(entry) }
  }

  /// The last day of the first period.
  package var dueOn: Day? {
    receivedOn.map { terms.rule.end(of: terms.first, from: $0) }
  }

  /// The last day of the extended period, once the recipient has announced the extension with a
  /// reason.
  package var extendedUntil: Day? {
    guard entries.contains(where: { $0.event == .extended }), let receivedOn,
      let more = terms.longer, let total = terms.first.adding(more)
    else { return nil }
    return terms.rule.end(of: total, from: receivedOn)
  }

  /// The last day on which an answer is on time.
  package var lastDay: Day? { extendedUntil ?? dueOn }

  /// Whether an answer is pending and overdue on `day`.
  package func isOverdue(on day: Day) -> Bool {
    guard state.isRunning, let lastDay else { return false }
    return day > lastDay
  }

  /// The last decision of the recipient: done or refused.
  package var answer: LedgerEntry? {
    entries.last { $0.event == .honoured || $0.event == .refused }
  }

  /// The events that `actor` may enter next on `day`.
  package func next(on day: Day, for actor: LedgerActor = .person) -> [LedgerEvent] {
    state.followers.filter { event in
      guard event.isOpen(to: actor) else { return false }
      switch event {
      case .complained: return !state.isRunning || isOverdue(on: day)
      case .extended: return terms.longer != nil && (dueOn.map { day <= $0 } ?? false)
      default: return true
      }
    }
  }

  /// The time that represents a day without a time of day: the start of the day, or the time of the last entry if
  /// that is later on the same day.
  package func moment(of day: Day) -> Timestamp {
    let start = Timestamp(startOf: day)
    guard let last = entries.last?.at, last.day == day else { return start }
    return max(start, last)
  }

  /// Appends an entry.
  ///
  /// - Throws: ``LedgerRefusal`` when the entry is not valid. The ledger then remains unchanged.
  package mutating func apply(_ entry: LedgerEntry, now: Timestamp) throws(LedgerRefusal) {
    guard state.followers.contains(entry.event) else { throw .transition }
    guard entry.event.isOpen(to: entry.by) else { throw .actor }
    try checkTime(entry, now: now)
    if entry.event == .complained, state.isRunning, !isOverdue(on: entry.at.day) {
      throw .notOverdue
    }
    if entry.event == .extended { try checkExtension(entry) }
    if let day = entry.receivedOn { try checkReceipt(day, entry, now: now) }
    take(entry)
  }

  private func checkTime(_ entry: LedgerEntry, now: Timestamp) throws(LedgerRefusal) {
    if let last = entries.last, entry.at < last.at { throw .beforeLast }
    // Subtracts instead of adding: an addition could overflow if the clock is far off.
    if entry.at > now, entry.at.secondsSinceEpoch - now.secondsSinceEpoch > Self.grace {
      throw .future
    }
  }

  private func checkExtension(_ entry: LedgerEntry) throws(LedgerRefusal) {
    guard terms.longer != nil else { throw .notExtendable }
    guard entry.reason?.isEmpty == false else { throw .reason }
    guard let dueOn, entry.at.day <= dueOn else { throw .late }
  }

  private func checkReceipt(
    _ day: Day, _ entry: LedgerEntry, now: Timestamp
  ) throws(LedgerRefusal) {
    let sent = entry.event == .sent ? entry.at.day : sentOn
    guard entry.event == .sent || entry.event == .acknowledged, let sent, day >= sent,
      day <= now.day.adding(days: 1)
    else { throw .received }
  }

  private mutating func take(_ entry: LedgerEntry) {
    entries.append(entry)
    state = entry.event.state
    if entry.event == .sent {
      sentOn = entry.at.day
      receivedOn =
        entry.receivedOn
        ?? entry.at.day.adding(days: entry.channel?.assumedDaysToReceipt ?? 0)
    } else if let day = entry.receivedOn {
      // The answer states the day of receipt, or the day from which the period counts.
      receivedOn = day
    }
  }
}
