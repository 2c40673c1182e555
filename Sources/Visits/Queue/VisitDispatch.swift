package import PrivacyMap

/// A request that needs a volunteer.
package struct VisitCall: Sendable {
  /// The public point of the device.
  package let place: Coordinate
  /// The category of the device.
  package let kind: String

  package init(place: Coordinate, kind: String) { (self.place, self.kind) = (place, kind) }
}

/// A volunteer in the queue of a zone.
package struct VisitCandidate: Sendable {
  package let account: Int64
  package let zone: VisitCell
  /// Kilometres.
  package let radius: Int
  /// Categories; empty for any.
  package let kinds: [String]
  package let freeFrom: Timestamp?
  package let freeUntil: Timestamp?
  /// The number of further offers that the volunteer accepts today.
  package let offersLeft: Int
  /// Whether the volunteer has a pending offer or an accepted visit.
  package let isBusy: Bool
  /// Whether the volunteer already had an offer of this request, requested the visit, or added the device.
  package let isExcluded: Bool

  package init(
    account: Int64, zone: VisitCell, radius: Int, kinds: [String], freeFrom: Timestamp?,
    freeUntil: Timestamp?, offersLeft: Int, isBusy: Bool, isExcluded: Bool
  ) {
    (self.account, self.zone, self.radius, self.kinds) = (account, zone, radius, kinds)
    (self.freeFrom, self.freeUntil, self.offersLeft) = (freeFrom, freeUntil, offersLeft)
    (self.isBusy, self.isExcluded) = (isBusy, isExcluded)
  }

  /// Whether the request matches the settings of the volunteer, at any time.
  func isWilling(_ call: VisitCall) -> Bool {
    guard !isExcluded, kinds.isEmpty || kinds.contains(call.kind) else { return false }
    return zone == VisitCell(call.place)
      || zone.middle.distance(to: call.place) <= Double(radius) * 1_000
  }

  /// Whether the volunteer can get an offer now.
  func isAvailable(at now: Timestamp) -> Bool {
    guard let freeFrom, let freeUntil else { return false }
    return freeFrom <= now && now < freeUntil && offersLeft > 0 && !isBusy
  }
}

/// Reads the queues of volunteers.
package protocol VisitQueues {
  /// The zones that have volunteers, near a cell.
  func zones(near cell: VisitCell) throws -> [VisitCell]
  /// The queue of a zone, next volunteer first.
  func queue(of zone: VisitCell) throws -> [VisitCandidate]
}

/// Selects the volunteer for the next offer: the first available one of the nearest zone.
///
/// An offer moves its volunteer to the end of the zone’s queue, so volunteers take turns.
package enum VisitDispatch {
  package enum Choice: Sendable {
    case volunteer(VisitCandidate)
    /// No volunteer is available before this time; nil if the time is unknown.
    case later(Timestamp?)
    /// Every volunteer in reach had an offer.
    case nobody
  }

  /// The maximum number of zones in one search.
  static let maxZones = 400

  package static func next(
    for call: VisitCall, in queues: some VisitQueues, at now: Timestamp
  ) throws -> Choice {
    var isMore = false
    var earliest: Timestamp?
    for zone in nearest(try queues.zones(near: VisitCell(call.place)), to: call.place) {
      for candidate in try queues.queue(of: zone) where candidate.isWilling(call) {
        if candidate.isAvailable(at: now) { return .volunteer(candidate) }
        isMore = true
        if let from = candidate.freeFrom, from > now { earliest = min(earliest ?? from, from) }
      }
    }
    return isMore ? .later(earliest) : .nobody
  }

  /// The zones in reach, nearest first.
  static func nearest(_ zones: [VisitCell], to place: Coordinate) -> [VisitCell] {
    let limit = Double(VisitRules.farthest) * 1_000
    let own = VisitCell(place)
    return zones.map { ($0 == own ? 0 : $0.middle.distance(to: place), $0) }
      .filter { $0.0 <= limit }
      .sorted { ($0.0, $0.1.row, $0.1.column) < ($1.0, $1.1.row, $1.1.column) }
      .prefix(maxZones).map(\.1)
  }
}
