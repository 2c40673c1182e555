import JSON
package import PrivacyMap
package import Service
package import SpatialDatabase
import WebServer

/// The device with the id in a path, for a caller who may see it.
package struct FoundDevice: Sendable {
  package let rowid: Int64
  package let id: DeviceID
  package let revision: Int64
  /// The account that added it; nil for an import or a deleted account.
  package let author: Int64?
  /// Visible only to its author and moderators.
  package let isHidden: Bool
  package let precision: Precision
}

extension FoundDevice {
  /// Finds the device with an id.
  ///
  /// A hidden device is found only for its author and moderators.
  ///
  /// - Throws: ``NotFound`` if the device never existed or `caller` may not know about it, a 410
  ///   ``Refusal`` if it was deleted.
  package init(_ text: String, for caller: Caller, _ connection: borrowing Connection) throws {
    guard let id = DeviceID(text: text) else { throw NotFound.device }
    let found = try connection.first(
      "SELECT rowid, revision, account_rowid, hidden, precision FROM device WHERE id = ?",
      [.text(id.text)]
    ) { row in
      FoundDevice(
        rowid: row.int(0), id: id, revision: row.int(1), author: row.optionalInt(2),
        isHidden: row.bool(3), precision: Precision(rawValue: row.text(4)) ?? .area)
    }
    guard let found else {
      if let tombstone = try Tombstone(id, connection) { throw Refusal.gone(tombstone) }
      throw NotFound.device
    }
    guard !found.isHidden || caller.maySee(authoredBy: found.author) else { throw NotFound.device }
    self = found
  }

  package typealias Facts = (name: String, category: String, isOfHousehold: Bool)

  static let factsQuery = """
    SELECT device.name, device.category, \(DeviceNeed.isOfHousehold) FROM \(DeviceStore.tables)
    WHERE device.id = ? AND device.hidden = 0
    """

  /// The name and category of a device on the map, and whether it belongs to a household, by its category or its
  /// operator; nil if the map has no device with this id.
  package static func facts(_ id: String, _ connection: borrowing Connection) throws -> Facts? {
    try connection.first(factsQuery, [.text(id)]) { ($0.text(0), $0.text(1), $0.bool(2)) }
  }

  /// Whether the caller may see restricted data and make decisions: the author or a moderator.
  package func isTrusted(to caller: Caller) -> Bool { caller.maySee(authoredBy: author) }
}

/// The public record of a deleted device.
package struct Tombstone: Sendable {
  let deletedAt: String
  /// The public role of the account that deleted it, or `author` or `import`.
  let role: String
  /// A code, never free text.
  let reason: String
  /// The id of the device that it was merged into.
  package let mergedInto: String?

  /// - Returns: nil when no such device was deleted.
  package init?(_ id: DeviceID, _ connection: borrowing Connection) throws {
    let found = try connection.first(
      "SELECT deleted_at, role, reason, merged_into FROM tombstone WHERE id = ?", [.text(id.text)]
    ) {
      (
        $0.text(0), Role(rawValue: $0.text(1))?.shown.rawValue ?? $0.text(1), $0.text(2),
        $0.optionalText(3)
      )
    }
    guard let found else { return nil }
    (deletedAt, role, reason, mergedInto) = found
  }
}

extension Refusal {
  /// 410, with the role that deleted the device and the reason.
  package static func gone(_ tombstone: Tombstone) -> Refusal {
    Refusal(
      .gone, tombstone.mergedInto == nil ? "error.gone" : "error.merged",
      type: "gone",
      members: [
        ("deleted_at", .string(tombstone.deletedAt)), ("deleted_by", .string(tombstone.role)),
        ("reason", .string(tombstone.reason)),
        ("merged_into", tombstone.mergedInto.map { .string($0) } ?? .null),
      ])
  }
}
