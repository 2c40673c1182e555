import WebServer
import Devices
import PrivacyMap
import Service
import SpatialDatabase

/// Changes the state of requests and offers. Each method runs in a transaction, so that no two servers decide about the
/// same request.
struct VisitWorkflow: Sendable {
  let environment: Environment
  let store: VisitStore
  let offers: OfferStore
  let volunteers: VolunteerStore
  /// Nil while an account is erased, because erasure sends no mail about visits.
  let mails: VisitMails?
  /// The seconds for the answer to an offer.
  let answer: Int64

  init(
    environment: Environment, mails: VisitMails?, answer: Int64 = VisitRules.usualAnswer
  ) {
    self.environment = environment
    store = VisitStore(environment: environment)
    offers = OfferStore(environment: environment)
    volunteers = VolunteerStore(environment: environment)
    self.mails = mails
    self.answer = answer
  }

  private var now: Timestamp { environment.now() }

  /// 409: the state of the request does not allow this.
  static let over = Refusal(.conflict, "error.visit.over", type: "visit-over")
  static let offerOver = Refusal(.conflict, "error.visit.offer_over", type: "offer-over")
  static let taken = Refusal(.conflict, "error.visit.taken", type: "visit-taken")

  /// Stores the state after an event, and ends a pending offer that the event answers.
  ///
  /// - Throws: ``over`` if the event is not possible.
  @discardableResult
  private func apply(
    _ event: VisitEvent, to visit: StoredVisit, _ change: VisitStore.Change,
    _ connection: borrowing Connection
  ) throws -> VisitState {
    guard let state = visit.state.after(event) else { throw Self.over }
    if visit.state == .offered, let offer = try offers.pending(about: visit.rowid, connection),
      let ending = offer.state.after(event)
    {
      try offers.end(offer, as: ending, connection)
    }
    try store.put(state, change, of: visit, connection)
    return state
  }

  /// Lets the dispatch look for a volunteer at once.
  func dispatchSoon(_ connection: borrowing Connection) throws {
    try JobRunner.schedule(VisitClock.soon, key: VisitClock.soon, due: now, connection)
  }

  /// Offers a request to a volunteer, unless either has changed since the volunteer was found.
  ///
  /// - Returns: whether the volunteer got the offer.
  func offer(
    _ row: Int64, to account: Int64, _ connection: borrowing Connection
  ) throws -> Bool {
    guard let visit = try store.one(row: row, connection), visit.state.after(.offered) != nil,
      let volunteer = try volunteers.one(account, connection),
      let device = try presentDevice(of: visit, connection),
      try StoredQueues(
        connection: copy connection, visit: visit, author: device.author, now: now
      ).mayAsk(account, about: VisitCall(place: device.place, kind: device.category))
    else { return false }
    let end = now.later(answer)
    try apply(.offered, to: visit, VisitStore.Change(dueAt: end), connection)
    let offer = try offers.add(row, to: account, until: end, connection)
    try volunteers.moveToEnd(account, connection)
    if volunteer.settings.sendsMail {
      try mails?.offer(offer, of: visit, about: device, to: account, until: end, connection)
    }
    return true
  }

  /// Opens a request to all: no volunteer is left.
  func open(_ visit: StoredVisit, next due: Timestamp, _ connection: borrowing Connection) throws {
    try apply(.opened, to: visit, VisitStore.Change(dueAt: due), connection)
  }

  /// Accepts an offer, for now or for a time.
  func accept(
    _ offer: StoredOffer, at time: Timestamp?, _ connection: borrowing Connection
  ) throws -> StoredVisit {
    guard offer.state == .pending, offer.endsAt > now,
      let visit = try store.one(row: offer.visit, connection), visit.state == .offered,
      try presentDevice(of: visit, connection) != nil
    else { throw Self.offerOver }
    return try hold(visit, by: offer.account, at: time, connection)
  }

  /// Takes a request that is open to all.
  func take(
    _ visit: StoredVisit, by account: Int64, at time: Timestamp?,
    _ connection: borrowing Connection
  ) throws -> StoredVisit {
    guard !visit.state.isOver else { throw Self.over }
    guard visit.state == .open else { throw Self.taken }
    guard visit.asker != account else {
      throw Refusal(.conflict, "error.visit.own_request", type: "own-request")
    }
    guard try presentDevice(of: visit, connection) != nil else { throw Self.over }
    try offers.noteTaken(visit.rowid, by: account, connection)
    return try hold(visit, by: account, at: time, connection)
  }

  /// - Throws: a 409 ``Refusal`` if the account has as many visits as possible.
  private func hold(
    _ visit: StoredVisit, by account: Int64, at time: Timestamp?,
    _ connection: borrowing Connection
  ) throws -> StoredVisit {
    guard try store.openCount(.visitor, account, connection) < VisitRules.maxVisits else {
      throw Refusal(
        .conflict, "error.visit.too_many_visits", ["maximum": "\(VisitRules.maxVisits)"],
        type: "too-many-visits")
    }
    let change = try holding(account, at: time)
    try apply(time == nil ? .accepted : .planned, to: visit, change, connection)
    try volunteers.renew(account, connection)
    return try store.one(visit.id, connection)
  }

  private func holding(_ account: Int64, at time: Timestamp?) throws -> VisitStore.Change {
    guard let time else {
      return VisitStore.Change(dueAt: now.later(VisitRules.visit), visitor: account)
    }
    guard time >= now.later(VisitRules.earliestPlan), time <= now.later(VisitRules.latestPlan)
    else {
      throw InvalidInput.refused("planned_for", "error.visit.time")
    }
    return VisitStore.Change(
      dueAt: time.later(-VisitRules.reminder), visitor: account, plannedFor: time)
  }

  /// Declines an offer. The request goes to the next volunteer.
  func decline(_ offer: StoredOffer, _ connection: borrowing Connection) throws {
    guard offer.state == .pending, let visit = try store.one(row: offer.visit, connection),
      visit.state == .offered
    else { throw Self.offerOver }
    try volunteers.renew(offer.account, connection)
    try volunteers.moveToEnd(offer.account, connection)
    try giveBack(visit, .declined, connection)
    try wake(for: offer.account, connection)
  }

  /// Ends an offer that was not answered in time, unless it was answered meanwhile.
  func lapse(_ visit: StoredVisit, _ connection: borrowing Connection) throws {
    guard visit.state == .offered else { return }
    let offer = try offers.pending(about: visit.rowid, connection)
    if let offer {
      guard offer.endsAt <= now else { return try store.look(at: visit, offer.endsAt, connection) }
      try volunteers.moveToEnd(offer.account, connection)
    }
    try giveBack(visit, .lapsed, connection)
  }

  /// Returns a request to the queue after its volunteer gave it back, missed it, or stopped. A visit that the volunteer
  /// started without a request ends instead; otherwise an account could fill the queue with requests.
  func giveBack(
    _ visit: StoredVisit, _ event: VisitEvent, _ connection: borrowing Connection
  ) throws {
    if visit.isOwnIdea, visit.state.isHeld {
      return try close(visit, .withdrawn, silent: visit.visitor, connection)
    }
    try apply(event, to: visit, VisitStore.Change(dueAt: now), connection)
    try dispatchSoon(connection)
  }

  /// Reserves another time for a visit that its volunteer holds.
  func plan(
    _ visit: StoredVisit, at time: Timestamp, _ connection: borrowing Connection
  ) throws -> StoredVisit {
    guard let visitor = visit.visitor else { throw Self.over }
    try apply(.planned, to: visit, try holding(visitor, at: time), connection)
    return try store.one(visit.id, connection)
  }

  /// Gives a visit back. For a planned visit this is possible until its reminder.
  func cancel(_ visit: StoredVisit, _ connection: borrowing Connection) throws {
    if let planned = visit.plannedFor, now >= planned.later(-VisitRules.reminder) {
      throw Refusal(.conflict, "error.visit.too_late", type: "visit-too-late")
    }
    try giveBack(visit, .cancelled, connection)
    if let visitor = visit.visitor { try wake(for: visitor, connection) }
  }

  /// Closes a visit with its outcome, and notifies the person who requested it.
  func report(
    _ visit: StoredVisit, _ outcome: VisitOutcome, _ connection: borrowing Connection
  ) throws -> StoredVisit {
    try apply(
      .reported, to: visit,
      VisitStore.Change(
        visitor: visit.visitor, plannedFor: visit.plannedFor, outcome: outcome), connection)
    let device = try presentDevice(of: visit, connection)
    try mails?.done(visit, about: device, outcome, connection)
    if let visitor = visit.visitor {
      try volunteers.renew(visitor, connection)
      try wake(for: visitor, connection)
    }
    return try store.one(visit.id, connection)
  }

  /// Ends a request without a visit. `silent` is the account that knows it, because it has ended the request.
  func close(
    _ visit: StoredVisit, _ end: VisitEnd, note: String? = nil, silent: Int64? = nil,
    _ connection: borrowing Connection
  ) throws {
    try apply(
      .closed, to: visit, VisitStore.Change(visitor: visit.visitor, end: end), connection)
    let notified = [visit.asker, visit.visitor].filter { $0 != silent }
    let device = try presentDevice(of: visit, connection)
    try mails?.ended(visit, about: device, end, note: note, to: notified, connection)
  }

  /// The device of a request; nil if it can no longer be visited. The request is then closed with the reason, and mails
  /// do not repeat the name.
  func presentDevice(
    of visit: StoredVisit, _ connection: borrowing Connection
  ) throws -> VisitedDevice? {
    guard let device = try store.device(visit.device, connection) else { return nil }
    return device.isHidden || device.isInHome ? nil : device
  }

  /// The reason why the device of a request can no longer be visited; nil if it can.
  func obstacle(_ visit: StoredVisit, _ connection: borrowing Connection) throws -> VisitEnd? {
    guard let device = try store.device(visit.device, connection) else {
      let tombstone = try DeviceID(text: visit.deviceID).flatMap { try Tombstone($0, connection) }
      return tombstone?.mergedInto == nil ? .deviceDeleted : .deviceMerged
    }
    return device.isHidden ? .deviceHidden : device.isInHome ? .devicePrivate : nil
  }

  /// Schedules an early check of the requests for which a volunteer is now available.
  func wake(for account: Int64, _ connection: borrowing Connection) throws {
    guard let volunteer = try volunteers.one(account, connection),
      volunteer.isAvailable(at: now)
    else { return }
    let settings = volunteer.settings
    try store.wake(rows: settings.cell.rows(within: settings.radius), connection)
    try dispatchSoon(connection)
  }

  /// Ends everything that a volunteer holds: the offer goes to the next, and accepted visits return to the queue.
  func leave(_ account: Int64, _ connection: borrowing Connection) throws {
    if let offer = try offers.pending(of: account, connection),
      let visit = try store.one(row: offer.visit, connection), visit.state == .offered
    {
      try giveBack(visit, .lost, connection)
    }
    for visit in try store.requests(
      .visitor, account, onlyOpen: true, limit: VisitRules.maxVisits, connection)
    where visit.state.isHeld {
      try giveBack(visit, .lost, connection)
    }
  }
}
