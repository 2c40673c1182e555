import Devices
import PrivacyMap
import SpatialDatabase

/// A row of `visit_request`.
struct StoredVisit: Sendable {
  let rowid: Int64
  let id: String
  /// Nil if the device was deleted.
  let device: Int64?
  let deviceID: String
  let reason: VisitReason
  /// Nil if Farol asks, or if the account was deleted.
  let asker: Int64?
  /// The account that has accepted or made the visit.
  let visitor: Int64?
  let state: VisitState
  let askedAt: Timestamp
  let stateAt: Timestamp
  let dueAt: Timestamp?
  let plannedFor: Timestamp?
  let isReminded: Bool
  let openedAt: Timestamp?
  /// The number of offers so far.
  let offers: Int64
  let outcome: VisitOutcome?
  let closedAt: Timestamp?
  let closedBecause: VisitEnd?

  /// Whether its volunteer took the device without a request: such a visit is created open, and the volunteer takes it
  /// at once.
  var isOwnIdea: Bool {
    asker == nil && reason.need != nil && offers == 0 && openedAt == askedAt
  }

  static let columns = """
    visit_request.rowid, visit_request.id, visit_request.device_rowid, visit_request.reason,
    visit_request.asker_rowid, visit_request.visitor_rowid, visit_request.state,
    visit_request.asked_at, visit_request.state_at, visit_request.due_at,
    visit_request.planned_for, visit_request.reminded_at, visit_request.opened_at,
    visit_request.offers, visit_request.outcome, visit_request.closed_at,
    visit_request.closed_because, visit_request.device_id
    """

  init(_ row: Row) {
    func time(_ column: Int) -> Timestamp? {
      row.optionalText(column).flatMap { Timestamp(text: $0) }
    }
    let never = Timestamp(secondsSinceEpoch: 0)
    rowid = row.int(0)
    id = row.text(1)
    device = row.optionalInt(2)
    reason = VisitReason(rawValue: row.text(3)) ?? .stillThere
    asker = row.optionalInt(4)
    visitor = row.optionalInt(5)
    state = VisitState(rawValue: row.text(6)) ?? .closed
    askedAt = time(7) ?? never
    stateAt = time(8) ?? never
    dueAt = time(9)
    plannedFor = time(10)
    isReminded = !row.isNull(11)
    openedAt = time(12)
    offers = row.int(13)
    outcome = row.optionalText(14).flatMap(VisitOutcome.init)
    closedAt = time(15)
    closedBecause = row.optionalText(16).flatMap(VisitEnd.init)
    deviceID = row.text(17)
  }
}

/// The device of a visit, as the room needs it.
struct VisitedDevice: Sendable {
  let rowid: Int64
  let id: String
  let name: String
  let category: String
  let place: Coordinate
  let author: Int64?
  let isHidden: Bool
  /// A household's device: volunteers look at it from the street, and neither enter nor ring.
  let isOfHousehold: Bool
  let isInHome: Bool

  static let columns = """
    device.rowid, device.id, device.name, device.category, device.longitude, device.latitude,
    device.account_rowid, device.hidden, \(DeviceNeed.isOfHousehold), \(DeviceNeed.isInHome)
    """
  /// The number of ``columns``.
  static let count = 10

  init(_ row: Row) {
    rowid = row.int(0)
    id = row.text(1)
    name = row.text(2)
    category = row.text(3)
    place = .clamped(longitude: row.double(4), latitude: row.double(5))
    author = row.optionalInt(6)
    isHidden = row.bool(7)
    isOfHousehold = row.bool(8)
    isInHome = row.bool(9)
  }
}
