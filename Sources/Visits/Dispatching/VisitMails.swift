import Accounts
import Devices
import PrivacyMap
import Service
import SpatialDatabase

/// The mails about visits. Each is queued in the transaction of the change that it reports. None names the other side,
/// and none has a position.
struct VisitMails: Sendable {
  let environment: Environment
  let catalogue: Catalogue
  let names: DeviceNames
  let queue: MailQueue

  init(environment: Environment, catalogue: Catalogue, names: DeviceNames) {
    (self.environment, self.catalogue, self.names) = (environment, catalogue, names)
    queue = MailQueue(now: environment.now)
  }

  /// To a volunteer: the offer of a request. It is discarded if it was not sent before the offer ends.
  func offer(
    _ offer: String, of visit: StoredVisit, about device: VisitedDevice, to account: Int64,
    until end: Timestamp, _ connection: borrowing Connection
  ) throws {
    let seconds = end.secondsSinceEpoch - environment.now().secondsSinceEpoch
    try queue.tell(
      account, .visitOffer, link: "/visits#offer=\(offer)", expires: end, connection
    ) {
      [
        "device": try name(device, $0, connection), "minutes": "\((seconds + 59) / 60)",
        "reason": catalogue.text(Message("mail.visit.reason.\(visit.reason.rawValue)"), in: $0),
        "street": device.isOfHousehold
          ? "\n\n" + catalogue.text(Message("mail.visit.street"), in: $0) : "",
      ]
    }
  }

  /// To a volunteer: the planned visit begins soon.
  func remind(
    _ visit: StoredVisit, about device: VisitedDevice, _ connection: borrowing Connection
  ) throws {
    guard let visitor = visit.visitor, let planned = visit.plannedFor else { return }
    try queue.tell(
      visitor, .visitReminder, link: page(visit), expires: planned.later(VisitRules.grace),
      connection
    ) { ["device": try name(device, $0, connection)] }
  }

  /// To the person who asked: a volunteer has been there.
  func done(
    _ visit: StoredVisit, about device: VisitedDevice?, _ outcome: VisitOutcome,
    _ connection: borrowing Connection
  ) throws {
    guard let asker = visit.asker else { return }
    try queue.tell(asker, .visitDone, link: page(visit), connection) {
      [
        "device": try name(device, $0, connection),
        "outcome": catalogue.text(Message("mail.visit.outcome.\(outcome.rawValue)"), in: $0),
      ]
    }
  }

  /// To the people of a request: it has ended without a visit.
  func ended(
    _ visit: StoredVisit, about device: VisitedDevice?, _ end: VisitEnd, note: String?,
    to accounts: [Int64?], _ connection: borrowing Connection
  ) throws {
    for account in accounts.compactMap({ $0 }) {
      try queue.tell(account, .visitEnded, link: page(visit), connection) {
        let sentence = catalogue.text(Message("mail.visit.end.\(end.rawValue)"), in: $0)
        return [
          "device": try name(device, $0, connection),
          "reason": [sentence, note].compactMap { $0 }.joined(separator: "\n\n"),
        ]
      }
    }
  }

  private func name(
    _ device: VisitedDevice?, _ language: String, _ connection: borrowing Connection
  ) throws -> String {
    guard let device else { return "–" }
    return try names.shown(of: device.id, in: language, connection) ?? device.name
  }

  private func page(_ visit: StoredVisit) -> String { "/visits#visit=\(visit.id)" }
}
