import Devices
import Import
import JSON
import Pictures
import PrivacyMap
import Service
import SpatialDatabase
import WebServer

/// Merges a device into another that describes the same thing. External ids, photos and verdicts move;
/// the rest stays under a tombstone that names the other device.
extension Moderation {
  func merge(
    _ subject: Subject, _ request: ModerationActionRequest, _ caller: Caller,
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
    let store = MergeStore()
    let moved = try store.rows(of: one, movableTo: other, connection)
    try store.move(moved, from: one, to: other.rowid, connection)
    decision.undo = moved.json(into: other.id.text)
    decision.reviews = try cases.reviews(.onDevice(one), connection)
    try record(.merge, on: other.rowid, stored, connection)
    try claims.settle(other.rowid, connection)
    let why = DeviceRemoval.Reason(
      role: principal.role.rawValue, account: principal.account, code: "merged",
      note: request.reason, mergedInto: other.id.text)
    decision.finish = { [map] connection in
      _ = try DeviceRemoval(writer: map.writer).remove(one, id, why, purge: false, connection)
    }
    return decision
  }

  /// Moves back the rows that a merge moved. The device itself has been restored already.
  func takeBackMerge(
    _ act: ModerationActionRecord, _ subject: Subject, _ connection: borrowing Connection
  ) throws {
    guard let one = subject.device else { throw NotFound.device }
    let other = try act.undo["into"]?.stringValue.flatMap { id in
      try SubjectStore().rowid(ofDevice: id, connection)
    }
    guard let other else { throw Refusal.overtaken("error.act.overtaken") }
    let stored = try StoredDevice(rowid: other, connection)
    let moved = MovedRows(act.undo)
    try MergeStore().moveBack(moved, from: other, to: one, connection)
    if moved.hasPhotos { try record(.undo, on: other, stored, connection) }
    for rowid in [one, other] { try claims.settle(rowid, connection) }
  }

  private func mergeTarget(
    _ id: String, _ caller: Caller, _ connection: borrowing Connection
  ) throws -> FoundDevice {
    let found: FoundDevice
    do { found = try FoundDevice(id, for: caller, connection) } catch is any TranslatedError {
      throw InvalidInput.refused("target.into", "error.merge_into_nothing")
    }
    guard !found.isHidden else { throw Refusal.overtaken("error.act.into_hidden") }
    return found
  }

  /// Adds a revision to the device that took part in a merge or its undo. Only its photos change;
  /// `stored` is its state before.
  private func record(
    _ kind: RevisionKind, on rowid: Int64, _ stored: StoredDevice?,
    _ connection: borrowing Connection
  ) throws {
    guard let stored else { return }
    var edit = DeviceEdit(of: stored)
    edit.photos = try KeptPhoto.all(of: rowid, connection)
    edit.dropUnchanged()
    try map.writer.apply(
      edit, to: rowid, by: DeviceWriter.Author(kind: kind, moderates: true),
      kind: .changed, connection)
  }
}

/// The rows moved by a merge, by their keys, so that the merge can be undone.
struct MovedRows {
  /// External ids.
  var keys: [DeviceKeyStore.Key] = []
  var photos: [Int64] = []
  var verdicts: [Int64] = []

  var hasPhotos: Bool { !photos.isEmpty }

  init(_ json: JSONValue = [:]) {
    keys = (json["keys"]?.arrayValue ?? []).compactMap { pair in
      let texts = (pair.arrayValue ?? []).compactMap(\.stringValue)
      guard let namespace = texts.first, let key = texts.last, texts.count == 2 else { return nil }
      return DeviceKeyStore.Key(namespace: namespace, key: key)
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
      "keys": .array(keys.map { [.string($0.namespace), .string($0.key)] }),
      "photos": .array(photos.map { .integer($0) }),
      "verdicts": .array(verdicts.map { .integer($0) }),
    ]
  }
}
