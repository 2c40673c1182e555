import JSON
import PrivacyMap
import SpatialDatabase
import WebServer

/// Merges a device into another that describes the same thing. External ids, photos and verdicts move;
/// the rest stays under a tombstone that names the other device.
extension Moderation {
  func merge(
    _ subject: Subject, _ request: ActRequest, _ caller: Caller,
    _ connection: borrowing Connection
  ) throws -> Decision {
    guard let one = subject.device, let id = DeviceID(text: subject.target.id) else {
      throw NotFound.device
    }
    let principal = try caller.signedIn()
    let other = try mergeTarget(request.into ?? "", caller, connection)
    let named = try named(one, connection)
    var decision = Decision(
      author: subject.author, device: named, flags: .of(subject.target),
      notice: .author(sentence: "merge"))
    let stored = try StoredDevice(rowid: other.rowid, connection)
    let moved = try Moved(from: one, to: other, connection)
    try moved.move(to: other.rowid, connection)
    decision.undo = moved.json(into: other.id.text)
    decision.reviews = try cases.reviews(.onDevice(one), connection)
    try record("merge", on: other.rowid, stored, connection)
    try claims.settle(other.rowid, connection)
    let why = DeviceRemoval.Reason(
      role: principal.role.rawValue, account: principal.account, code: "merged",
      note: request.reason, mergedInto: other.id.text)
    decision.finish = { [map] connection in
      _ = try DeviceRemoval(writer: map.writer).remove(one, id, why, purge: false, connection)
    }
    return decision
  }

  /// Moves back what a merge moved. The device itself has been restored already.
  func takeBackMerge(
    _ act: Act, _ subject: Subject, _ connection: borrowing Connection
  ) throws {
    guard let one = subject.device else { throw NotFound.device }
    let other = try act.undo["into"]?.stringValue.flatMap { id in
      try connection.integer("SELECT rowid FROM device WHERE id = ?", [.text(id)])
    }
    guard let other else { throw Refusal.overtaken("error.act.overtaken") }
    let stored = try StoredDevice(rowid: other, connection)
    let moved = Moved(act.undo)
    try moved.moveBack(from: other, to: one, connection)
    if moved.hasPhotos { try record("undo", on: other, stored, connection) }
    for rowid in [one, other] { try claims.settle(rowid, connection) }
  }

  private func mergeTarget(
    _ id: String, _ caller: Caller, _ connection: borrowing Connection
  ) throws -> FoundDevice {
    let found: FoundDevice
    do { found = try FoundDevice(id, for: caller, connection) } catch is any TranslatedError {
      throw InvalidInput(
        [("target.into", Message("error.merge_into_nothing"))], status: .unprocessableContent)
    }
    guard !found.isHidden else { throw Refusal.overtaken("error.act.into_hidden") }
    return found
  }

  /// Adds a revision to the device that took part in a merge or its undo. Only its photos change;
  /// `stored` is its state before.
  private func record(
    _ kind: String, on rowid: Int64, _ stored: StoredDevice?, _ connection: borrowing Connection
  ) throws {
    guard let stored else { return }
    var edit = DeviceEdit(stored: stored, wanted: [], merging: .replacing)
    edit.photos = try KeptPhoto.all(of: rowid, connection)
    edit.dropUnchanged()
    try map.writer.apply(
      edit, to: rowid, stored, by: DeviceWriter.Author(kind: kind, moderates: true),
      kind: "changed", connection)
  }
}

/// The rows moved by a merge, by their keys, so that the merge can be undone.
private struct Moved {
  /// External ids: namespace and key.
  private var keys: [[String]] = []
  private var photos: [Int64] = []
  private var verdicts: [Int64] = []

  var hasPhotos: Bool { !photos.isEmpty }

  /// Collects the movable rows. A verdict moves unless the other device has one from the same person or
  /// that person is its author.
  init(
    from one: Int64, to other: FoundDevice, _ connection: borrowing Connection
  ) throws {
    keys = try connection.rows(
      "SELECT namespace, key FROM device_key WHERE device_rowid = ?", [.integer(one)]
    ) { [$0.text(0), $0.text(1)] }
    photos = try connection.rows(
      "SELECT rowid FROM photo WHERE device_rowid = ? ORDER BY position, rowid", [.integer(one)]
    ) { $0.int(0) }
    verdicts = try connection.rows(
      """
      SELECT rowid FROM verdict WHERE device_rowid = ? AND account_rowid IS NOT ?
        AND NOT EXISTS (SELECT 1 FROM verdict AS own WHERE own.device_rowid = ?
          AND own.claim = verdict.claim AND own.account_rowid = verdict.account_rowid)
      """, [.integer(one), SQLValue(other.author), .integer(other.rowid)]
    ) { $0.int(0) }
  }

  init(_ json: JSONValue) {
    keys = (json["keys"]?.arrayValue ?? []).map { pair in
      (pair.arrayValue ?? []).compactMap(\.stringValue)
    }
    photos = Self.rowids(json["photos"])
    verdicts = Self.rowids(json["verdicts"])
  }

  private static func rowids(_ json: JSONValue?) -> [Int64] {
    (json?.arrayValue ?? []).compactMap { $0.intValue.map { Int64($0) } }
  }

  func json(into id: String) -> JSONValue {
    [
      "into": .string(id),
      "keys": .array(keys.map { .array($0.map { .string($0) }) }),
      "photos": .array(photos.map { .integer($0) }),
      "verdicts": .array(verdicts.map { .integer($0) }),
    ]
  }

  func move(to other: Int64, _ connection: borrowing Connection) throws {
    for key in keys {
      try connection.execute(
        "UPDATE device_key SET device_rowid = ? WHERE namespace = ? AND key = ?",
        [.integer(other)] + key.map { .text($0) })
    }
    let last =
      try connection.integer(
        "SELECT max(position) FROM photo WHERE device_rowid = ?", [.integer(other)]) ?? 0
    for (place, photo) in photos.enumerated() {
      try connection.execute(
        "UPDATE photo SET device_rowid = ?, position = ? WHERE rowid = ?",
        [.integer(other), .integer(last + 1 + Int64(place)), .integer(photo)])
    }
    for verdict in verdicts {
      try connection.execute(
        "UPDATE verdict SET device_rowid = ? WHERE rowid = ?", [.integer(other), .integer(verdict)])
    }
    try follow(to: other, connection)
  }

  func moveBack(
    from other: Int64, to one: Int64, _ connection: borrowing Connection
  ) throws {
    for key in keys where key.count == 2 {
      try connection.execute(
        """
        UPDATE device_key SET device_rowid = ? WHERE namespace = ? AND key = ? AND device_rowid = ?
        """, [.integer(one)] + key.map { .text($0) } + [.integer(other)])
    }
    for (place, photo) in photos.enumerated() {
      try connection.execute(
        "UPDATE photo SET device_rowid = ?, position = ? WHERE rowid = ? AND device_rowid = ?",
        [.integer(one), .integer(Int64(place) + 1), .integer(photo), .integer(other)])
    }
    for verdict in verdicts {
      // A person who has given a new verdict on the restored device keeps the new one.
      try connection.execute(
        "UPDATE OR IGNORE verdict SET device_rowid = ? WHERE rowid = ? AND device_rowid = ?",
        [.integer(one), .integer(verdict), .integer(other)])
    }
    try follow(to: one, connection)
  }

  /// Moves open flags and reviews along with their photos and verdicts.
  private func follow(to device: Int64, _ connection: borrowing Connection) throws {
    for photo in photos {
      try connection.execute(
        "UPDATE review SET device_rowid = ? WHERE photo_rowid = ?",
        [.integer(device), .integer(photo)])
      try connection.execute(
        """
        UPDATE flag SET device_rowid = ?
        WHERE target_type = 'photo' AND target_id = (SELECT id FROM photo WHERE rowid = ?)
        """, [.integer(device), .integer(photo)])
    }
    for verdict in verdicts {
      try connection.execute(
        "UPDATE review SET device_rowid = ? WHERE verdict_rowid = ?",
        [.integer(device), .integer(verdict)])
    }
  }
}
