import DevicePhotos
import Devices
import JSON
import Pictures
import PrivacyMap
import Service
import SpatialDatabase

/// Moderation actions on devices and photos: hide, restore, revert a revision.
extension Moderation {
  func hide(_ subject: Subject, _ connection: borrowing Connection) throws -> Decision {
    var decision = Decision(
      author: subject.author, device: try named(subject.device, connection),
      notice: .author(sentence: "hide_\(subject.target.kind.rawValue)"))
    if let photo = subject.photo {
      let state = try SubjectStore().state(ofPhoto: photo, connection)
      guard state != "hidden" else { throw Refusal.overtaken("error.act.hidden_already") }
      try photos.set(photo, to: "hidden", connection)
      decision.undo = ["state": .string(state)]
      decision.flags = .of(subject.target)
      decision.reviews = try cases.reviews(.ofPhoto(photo), connection)
    } else if let device = subject.device {
      guard try SubjectStore().hidden(device, connection) == 0 else {
        throw Refusal.overtaken("error.act.hidden_already")
      }
      try map.writer.setHidden(device, true, connection)
      decision.flags = .onDevice(device)
      decision.reviews = try cases.reviews(.onDevice(device), connection)
    }
    return decision
  }

  func restore(_ subject: Subject, _ connection: borrowing Connection) throws -> Decision {
    if let photo = subject.photo {
      guard try SubjectStore().state(ofPhoto: photo, connection) == "hidden" else {
        throw Refusal.overtaken("error.act.not_hidden")
      }
      try photos.set(photo, to: "public", connection)
    } else if let device = subject.device {
      guard try SubjectStore().hidden(device, connection) == 1 else {
        throw Refusal.overtaken("error.act.not_hidden")
      }
      try map.writer.setHidden(device, false, connection)
    }
    return Decision(
      author: subject.author, device: try named(subject.device, connection),
      flags: .of(subject.target), flagOutcome: .dismissed,
      notice: .author(sentence: "restore_\(subject.target.kind.rawValue)"))
  }

  /// Undoes hiding or restoring.
  func takeBackSight(
    _ act: ModerationActionRecord, _ subject: Subject, _ connection: borrowing Connection
  ) throws {
    let wasHidden = act.action == .hide
    if let photo = subject.photo {
      guard try (SubjectStore().state(ofPhoto: photo, connection) == "hidden") == wasHidden else {
        throw Refusal.overtaken("error.act.overtaken")
      }
      let before = act.undo["state"]?.stringValue ?? "public"
      try photos.set(photo, to: wasHidden ? before : "hidden", connection)
    } else if let device = subject.device {
      guard try SubjectStore().hidden(device, connection) == (wasHidden ? 1 : 0) else {
        throw Refusal.overtaken("error.act.overtaken")
      }
      try map.writer.setHidden(device, !wasHidden, connection)
    }
  }

  /// Blacks out regions of a photo. A pending review of the photo stays pending.
  func redact(
    _ subject: Subject, _ picture: PhotoRedaction.Prepared?, _ connection: borrowing Connection
  ) throws -> Decision {
    guard let picture, subject.photo == picture.photo.rowid else { throw NotFound.photo }
    return Decision(
      author: subject.author, device: try named(subject.device, connection),
      undo: try redaction.carryOut(picture, connection), flags: .of(subject.target),
      notice: .author(sentence: "redact"))
  }

  /// Reverts one revision of a device without touching later changes.
  func revert(
    _ subject: Subject, _ number: Int64?, _ connection: borrowing Connection
  ) throws -> Decision {
    guard let device = subject.device, let number else { throw NotFound.device }
    let made = try SubjectStore().revision(number, of: device, connection)
    guard let made else { throw NotFound(Message("error.not_found.revision")) }
    let outcome = try RevisionUndo.revert(map.writer).undo(
      device, where: { $0.number == number },
      keptFor: { $0.number != number && !$0.kind.isAct && $0.account != made.author }, connection)
    switch outcome {
    case .kept: throw Refusal.overtaken("error.act.others_worked_on_it")
    case .unchanged: throw Refusal.overtaken("error.act.changed_since")
    case .restored, .withdrawn: break
    }
    return Decision(
      author: made.author, device: try named(device, connection),
      undo: ["revision": .integer(number)], revision: outcome.revision.map { (device, $0) },
      flags: .of(subject.target),
      reviews: try cases.reviews(.ofRevision(device: device, number: number), connection),
      notice: .author(sentence: "revert"))
  }

  /// Reverts the revisions that an action created, on at most `limit` devices after the row `last`, as
  /// many as fit into a turn of the writer.
  ///
  /// - Returns: the last device processed; nil if no devices remain.
  func takeBackRevisions(
    of act: ModerationActionRecord, after last: Int64, limit: Int,
    noting: (RevisionUndo.Outcome) -> Void,
    _ connection: borrowing Connection
  ) throws -> Int64? {
    let made = try acts.revisions(of: act, after: last, limit: limit, connection)
    let turn = WriterTurn()
    var processed: Int64?
    for (device, number) in made {
      if turn.isOver, let processed { return processed }
      processed = device
      // A device that a moderator hid in a separate action stays hidden.
      if let id = try named(device, connection)?.id,
        try acts.stands(.hide, on: Target(kind: .device, id: id), connection)
      {
        continue
      }
      let outcome = try RevisionUndo.revert(map.writer, kind: .undo).undo(
        device, where: { $0.number == number }, keptFor: { _ in true }, connection)
      noting(outcome)
      if outcome.revision != nil { try claims.settle(device, connection) }
    }
    return processed
  }
}

extension RevisionUndo {
  /// Reverts on behalf of a moderator. The public history names the action, not the moderator; the
  /// moderation log names both.
  static func revert(_ writer: DeviceWriter, kind: RevisionKind = .revert) -> RevisionUndo {
    RevisionUndo(
      writer: writer, author: DeviceWriter.Author(kind: kind, moderates: true), hidden: 1,
      looksBehindUndoing: kind == .revert)
  }
}
