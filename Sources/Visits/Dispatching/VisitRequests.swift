package import PrivacyMap
package import SpatialDatabase

/// Requests for visits that other rooms make, in their own transactions.
///
///     try VisitRequests(environment: environment).ask(
///       devices: ids, reason: .mappingDay, by: organiser, connection)
package struct VisitRequests: Sendable {
  private let environment: Environment

  /// Devices of one call; further ones are left out.
  package static let maximum = 500

  package init(environment: Environment) { self.environment = environment }

  /// Requests visits to public devices, given by their ids. Skips devices in private homes, devices with an open
  /// request, and devices visited within a week. Offers to volunteers start with the next run of the job.
  ///
  /// - Returns: the number of new requests.
  @discardableResult
  package func ask(
    devices: [String], reason: VisitReason, by asker: Int64?, _ connection: borrowing Connection
  ) throws -> Int {
    let workflow = VisitWorkflow(environment: environment, mails: nil)
    let store = workflow.store
    var count = 0
    for text in devices.prefix(Self.maximum) {
      guard let id = DeviceID(text: text),
        let row = try connection.integer(
          "SELECT rowid FROM device WHERE id = ? AND hidden = 0", [.text(id.text)]),
        let device = try store.device(row, connection), !device.isInHome,
        !device.isOfHousehold || reason.isSeenFromStreet,
        try store.open(about: row, connection) == nil,
        try store.lastVisit(to: row, connection).map({
          $0.later(VisitRules.rest) <= environment.now()
        }) ?? true
      else { continue }
      _ = try store.add(about: device, reason, by: asker, connection)
      count += 1
    }
    if count > 0 { try workflow.dispatchSoon(connection) }
    return count
  }
}
