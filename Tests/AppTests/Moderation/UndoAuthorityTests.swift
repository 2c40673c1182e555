import JSON
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// Permissions to undo each action: a refused attempt changes nothing at all, an allowed
/// attempt is in the log.
@Suite struct UndoAuthorityTests {
  /// An action of every kind, on a contribution of the author's.
  enum Kind: String, CaseIterable {
    case hideDevice, restoreDevice, hidePhoto, restorePhoto, revertRevision, merge, delete
    case warn, suspend, unsuspend, revertPerson
    case dismissFlags, dismissFlag, refusePhoto, acceptContribution, acceptAll

    /// Whether the action is about the person: then users of the same rank cannot undo it, and
    /// users cannot undo it for themselves.
    var isOnPerson: Bool { [.warn, .suspend, .unsuspend, .revertPerson].contains(self) }
    /// Whether only admins may do it.
    var isAdmins: Bool { self == .delete }
  }

  /// The requester of the undo.
  enum Asker: String, CaseIterable {
    case visitor, contributor, contributeToken
    /// The author of the contribution: as a contributor, and after promotion to moderator or admin.
    case author, authorAsModerator, authorAsAdmin
    case whoActed, otherModerator, moderateToken, admin

    func mayUndo(_ kind: Kind) -> Status {
      switch self {
      case .visitor: .unauthorized
      case .contributor, .contributeToken, .author, .authorAsModerator: .forbidden
      case .authorAsAdmin: kind.isOnPerson ? .forbidden : .ok
      case .whoActed, .admin: .ok
      case .otherModerator, .moderateToken: kind.isAdmins ? .forbidden : .ok
      }
    }
  }

  /// An instance with an author's contributions.
  private final class World {
    let app: TestApp
    let admin, actor, moderator, author, rui: TestAccount
    let device, others, foreign: TestDevice

    init() throws {
      app = try TestApp()
      admin = try app.account("root", role: .admin)
      actor = try app.account("actor", role: .moderator)
      moderator = try app.account("colleague", role: .moderator)
      author = try app.account("author", isNew: true, hasSecondFactor: true)
      rui = try app.account("rui")
      device = try app.device(by: author, name: "Theirs")
      others = try app.device(by: rui, name: "Another's")
      // A revision of the author's on another person's device.
      foreign = try app.device(by: rui, name: "Shared")
      try app.edit(foreign, by: author, "name", "Changed")
    }

    /// Prepares the state that an action needs; calling the result performs the action.
    func prepare(_ kind: Kind) throws -> () -> TestAnswer {
      let actor = actor.identity
      func act(
        _ action: String, _ type: String, _ id: String, _ more: [(String, JSONValue)] = []
      ) -> () -> TestAnswer {
        { [app] in app.act(action, type, id, more: more, as: actor) }
      }
      switch kind {
      case .hideDevice: return act("hide", "device", device.id)
      case .restoreDevice:
        app.act("hide", "device", device.id, as: admin.identity)
        return act("restore", "device", device.id)
      case .hidePhoto: return act("hide", "photo", try app.photo(of: others, by: author))
      case .restorePhoto:
        return act("restore", "photo", try app.photo(of: others, by: author, state: "hidden"))
      case .revertRevision: return act("revert", "device", foreign.id, [("revision", 2)])
      case .merge: return act("merge", "device", device.id, [("into", .string(others.id))])
      case .delete: return delete
      case .warn: return act("warn", "account", author.id)
      case .suspend: return act("suspend", "account", author.id)
      case .unsuspend:
        app.act("suspend", "account", author.id, as: admin.identity)
        return act("unsuspend", "account", author.id)
      case .revertPerson: return act("revert", "account", author.id, [("all", true)])
      case .dismissFlags:
        app.flag("device", device.id, as: rui.identity)
        return act("dismiss", "device", device.id)
      case .dismissFlag:
        let flag = app.flag("device", device.id, as: rui.identity)
        return act("dismiss", "flag", try flag.json["id"]?.stringValue ?? "")
      case .refusePhoto:
        let photo = try app.photo(of: others, by: author, state: "waiting")
        return act(
          "dismiss", "review", try app.review("photo", of: others, by: author, photo: photo))
      case .acceptContribution:
        return act(
          "accept", "review", try app.review("contribution", of: device, by: author, number: 1))
      case .acceptAll:
        try app.review("contribution", of: device, by: author, number: 1)
        return act("accept", "account", author.id)
      }
    }

    /// Performs an action.
    func act(_ kind: Kind) throws -> TestAnswer { try prepare(kind)() }

    private func delete() -> TestAnswer {
      app.send(
        .post, "/api/admin/deletions",
        json: ["id": .string(device.id), "confirm": true, "reason": "Gone"], as: admin.identity)
    }

    /// Requests the undo of an action.
    func undo(_ done: TestAnswer, as identity: Identity) throws -> TestAnswer {
      app.send(
        .post, "/api/moderation/actions/\(try id(done))/undo",
        json: ["reason": "A second thought"], as: identity)
    }

    /// The id of an action.
    func id(_ done: TestAnswer) throws -> String {
      let id = try done.json["id"] ?? done.json["action"]
      return id?.stringValue ?? ""
    }

    func identity(of asker: Asker) throws -> Identity {
      switch asker {
      case .visitor: .visitor
      case .contributor: rui.identity
      case .contributeToken: try app.token(moderator.rowid, [.read, .contribute])
      case .author: author.identity
      case .authorAsModerator: try promote(to: .moderator)
      case .authorAsAdmin: try promote(to: .admin)
      case .whoActed: actor.identity
      case .otherModerator: moderator.identity
      case .moderateToken: try app.token(moderator.rowid, [.moderate])
      case .admin: admin.identity
      }
    }

    private func promote(to role: Role) throws -> Identity {
      try app.database.write { connection in
        try connection.execute(
          "UPDATE account SET role = ?, suspended_at = NULL WHERE rowid = ?",
          [.text(role.rawValue), .integer(author.rowid)])
      }
      return author.identity
    }
  }

  @Test(arguments: Kind.allCases, Asker.allCases)
  func `permitted roles can undo an action, which is then logged`(kind: Kind, asker: Asker) throws {
    let world = try World()
    let done = try world.act(kind)
    #expect(done.status == .ok, "\(done.text)")
    // An action that only admins may do is undone by an admin.
    let asking = kind.isAdmins && asker == .whoActed ? Asker.admin : asker
    let identity = try world.identity(of: asking)
    let before = try world.app.everything()

    let answer = try world.undo(done, as: identity)

    let expected = asking.mayUndo(kind)
    #expect(answer.status == expected, "\(kind) by \(asking): \(answer.text)")
    let id = try world.id(done)
    let entries = try world.app.integer(
      """
      SELECT count(*) FROM audit
      JOIN moderation_action ON moderation_action.rowid = audit.action_rowid
      WHERE audit.action = 'undo' AND moderation_action.id = ? AND undone_at IS NOT NULL
      """, [.text(id)])
    #expect(entries == (expected == .ok ? 1 : 0))
    if expected != .ok { #expect(try world.app.everything() == before) }
  }

  @Test(arguments: Kind.allCases)
  func `an undo that cannot be logged has no effect`(kind: Kind) throws {
    let world = try World()
    let done = try world.act(kind)
    try world.app.refuseInsertions(into: "audit")
    let before = try world.app.everything()

    #expect(try world.undo(done, as: world.admin.identity).status.code >= 500)

    #expect(try world.app.everything() == before)
  }

  @Test(arguments: Kind.allCases)
  func `an action that cannot be logged has no effect`(kind: Kind) throws {
    let world = try World()
    let act = try world.prepare(kind)
    try world.app.refuseInsertions(into: "audit")
    let before = try world.app.everything()

    #expect(act().status.code >= 500)

    #expect(try world.app.everything() == before)
  }

  @Test(
    arguments: [
      ["role": "moderator", "reason": "Trusted"], ["suspended": true, "reason": "Spam"],
      ["role": "operator", "operator": "City", "reason": "Asked"],
    ] as [JSONValue])
  func `an account change by an admin that cannot be logged has no effect`(
    change: JSONValue
  ) throws {
    let world = try World()
    try world.app.refuseInsertions(into: "audit")
    // A change of role needs a proof, a suspension does not.
    let sent = change["role"] == nil ? change : try world.app.proving(change)
    let before = try world.app.everything()
    let answer = world.app.send(
      .patch, "/api/admin/accounts/\(world.author.id)", json: sent, as: world.admin.identity)
    #expect(answer.status.code >= 500)
    #expect(try world.app.everything() == before)
  }

  @Test func `an old action without its revision concerns all editors of the device`()
    throws
  {
    let world = try World()
    let done = try world.act(.revertRevision)
    try world.app.database.write { try $0.execute("UPDATE moderation_action SET undo = '{}'") }
    let author = try world.identity(of: .authorAsModerator)
    #expect(try world.undo(done, as: author).status == .forbidden)
    #expect(try world.undo(done, as: world.moderator.identity).status == .ok)
  }

  @Test func `the author of the restored revision is notified, not the device's`() throws {
    let world = try World()
    let done = try world.act(.revertRevision)
    #expect(try world.undo(done, as: world.moderator.identity).status == .ok)
    #expect(try world.app.mails.suffix(1).map(\.address) == ["author@example.org"])
  }

  @Test func `an action can be undone once`() throws {
    let world = try World()
    let done = try world.act(.revertPerson)
    #expect(try world.undo(done, as: world.moderator.identity).status == .ok)
    let before = try world.app.everything()
    #expect(try world.undo(done, as: world.admin.identity).status == .conflict)
    #expect(try world.app.everything() == before)
  }
}
