import WebServer
import PrivacyMap
import Service
import SpatialDatabase

/// Decides whether a person may request a visit. The limits keep requests from being used to harass anyone.
struct VisitAsking: Sendable {
  let environment: Environment
  let store: VisitStore
  /// Requests of an account in a day.
  let asking: Throttle<Int64>
  /// Visits that a volunteer takes in a day without an offer. Each closes its device to requests for a while.
  let taking: Throttle<Int64>
  /// Settings of a volunteer that an account stores. The list of erasures gets an entry for each that ends.
  let settings: Throttle<Int64>

  static let perDay = 10
  static let perDayOfNew = 3
  static let takenPerDay = 30
  static let takenPerDayOfNew = 5
  /// Requests of an account that have not ended.
  static let maxOpen = 5
  static let maxOpenOfNew = 2

  init(environment: Environment, store: VisitStore, rates: RateLimits) {
    (self.environment, self.store) = (environment, store)
    asking = rates.limit("visits.asking", Self.perDay, per: .days(1))
    taking = rates.limit("visits.taking", Self.takenPerDay, per: .days(1))
    settings = rates.limit("visits.settings", 60, per: .seconds(3_600))
  }

  /// Checks everything except the number of requests a day.
  ///
  /// - Throws: a 409 ``Refusal`` or a 422 ``InvalidInput`` with one sentence.
  func check(
    _ device: VisitedDevice, _ reason: VisitReason, by principal: Principal,
    _ connection: borrowing Connection
  ) throws {
    try checkTarget(device, reason)
    guard device.author != principal.account else {
      throw InvalidInput.refused("device", "error.visit.own")
    }
    guard try store.open(about: device.rowid, connection) == nil else {
      throw Refusal(.conflict, "error.visit.exists", type: "visit-exists")
    }
    if let last = try store.lastVisit(to: device.rowid, connection)?.later(VisitRules.rest),
      last > environment.now()
    {
      throw Refusal(.conflict, "error.visit.rest", ["day": last.day.text], type: "visit-rest")
    }
    let maximum = principal.isNew ? Self.maxOpenOfNew : Self.maxOpen
    guard try store.openCount(.asker, principal.account, connection) < maximum else {
      throw Refusal(
        .conflict, "error.visit.too_many", ["maximum": "\(maximum)"], type: "too-many-visits")
    }
  }

  /// Private homes are never visited, and household devices only from the street.
  func checkTarget(_ device: VisitedDevice, _ reason: VisitReason) throws {
    guard !device.isInHome else {
      throw InvalidInput.refused("device", "error.visit.private")
    }
    guard !device.isOfHousehold || reason.isSeenFromStreet else {
      throw InvalidInput.refused("reason", "error.visit.street")
    }
  }

  /// Counts a request.
  ///
  /// - Throws: a 429.
  func spend(_ principal: Principal) throws {
    try asking.spend(principal.account, limit: principal.isNew ? Self.perDayOfNew : nil)
  }

  /// Counts a visit that a volunteer takes without an offer.
  ///
  /// - Throws: a 429.
  func spendTaking(_ principal: Principal) throws {
    try taking.spend(principal.account, limit: principal.isNew ? Self.takenPerDayOfNew : nil)
  }
}
