/// What became of one choice: entries that are appended, and the state and days that follow.
package struct Ledger: Sendable {
  /// How long whoever is asked may take.
  package struct Terms: Sendable {
    /// From receipt to answer.
    package let first: Period
    /// How much longer with a reason, counted from the same day of receipt; nil: not at all.
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

  /// How far ahead of the clock an entry may lie: days begin earlier elsewhere.
  private static let grace: Int64 = 86_400

  package init(terms: Terms) {
    self.terms = terms
  }

  /// The ledger after `entries`, all of which it took before.
  package init(terms: Terms, taken entries: [LedgerEntry]) {
    self.terms = terms
    for entry in entries { take(entry) }
  }

  /// The last day of the first period.
  package var dueOn: Day? {
    receivedOn.map { terms.rule.end(of: terms.first, from: $0) }
  }

  /// The last day of the longer period, once it was said with a reason.
  package var extendedUntil: Day? {
    guard entries.contains(where: { $0.event == .extended }), let receivedOn,
      let more = terms.longer, let total = terms.first.adding(more)
    else { return nil }
    return terms.rule.end(of: total, from: receivedOn)
  }

  /// The last day on which an answer is in time.
  package var lastDay: Day? { extendedUntil ?? dueOn }

  /// Whether an answer is awaited and late on `day`.
  package func isOverdue(on day: Day) -> Bool {
    guard state.isRunning, let lastDay else { return false }
    return day > lastDay
  }

  /// What `actor` may say next on `day`.
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

  /// The moment that a day given without an hour stands for: its beginning, or the last entry's where
  /// that is later the same day.
  package func moment(of day: Day) -> Timestamp {
    let start = Timestamp(startOf: day)
    guard let last = entries.last?.at, last.day == day else { return start }
    return max(start, last)
  }

  /// Appends an entry.
  ///
  /// - Throws: ``LedgerRefusal`` when it cannot have happened; the ledger is then as before.
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
    // Compared without adding, which could overflow on a clock gone wild.
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
      // Whoever answers says when it came, or from when the time counts.
      receivedOn = day
    }
  }
}
