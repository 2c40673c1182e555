import JSON
import PrivacyMap
import SpatialDatabase
import WebServer

/// The device that an address names, for somebody who may see it.
struct FoundDevice: Sendable {
  let rowid: Int64
  let id: DeviceID
  let revision: Int64
  /// Who added it; nil for an import or a person who is gone.
  let author: Int64?
  /// Out of sight of all but its author and moderators.
  let isHidden: Bool
  let precision: Precision

  /// Finds the device of an id.
  ///
  /// A hidden device is there for its author and moderators only.
  ///
  /// - Throws: ``NotFound`` where there never was such a device or `caller` may not know of it, a 410
  ///   ``Refusal`` where it was deleted.
  init(_ text: String, for caller: Caller, _ connection: borrowing Connection) throws {
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

  private init(
    rowid: Int64, id: DeviceID, revision: Int64, author: Int64?, isHidden: Bool,
    precision: Precision
  ) {
    self.rowid = rowid
    self.id = id
    self.revision = revision
    self.author = author
    self.isHidden = isHidden
    self.precision = precision
  }

  /// Whether somebody may know and decide what others may not: its author, or a moderator.
  func isTrusted(to caller: Caller) -> Bool { caller.maySee(authoredBy: author) }
}

/// What remains of a deleted device for everybody to know.
struct Tombstone: Sendable {
  let deletedAt: String
  /// The role of who deleted it.
  let role: String
  /// A code, never free text.
  let reason: String
  /// The id of the device that it was merged into.
  let mergedInto: String?

  /// - Returns: nil when no such device was deleted.
  init?(_ id: DeviceID, _ connection: borrowing Connection) throws {
    let found = try connection.first(
      "SELECT deleted_at, role, reason, merged_into FROM tombstone WHERE id = ?", [.text(id.text)]
    ) { ($0.text(0), $0.text(1), $0.text(2), $0.optionalText(3)) }
    guard let found else { return nil }
    (deletedAt, role, reason, mergedInto) = found
  }
}

extension Refusal {
  /// 410, with who deleted the device and why.
  static func gone(_ tombstone: Tombstone) -> Refusal {
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
