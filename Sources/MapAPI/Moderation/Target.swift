import JSON
import PrivacyMap
import SpatialDatabase
import WebServer

/// What a flag, a report or an act of a moderator is about, as requests name it.
struct Target: Equatable, Sendable {
  /// The kinds of things that have an id of their own.
  enum Kind: String, CaseIterable, Sendable {
    case device, photo, account, review, flag

    /// What anybody may point at.
    static let pointedAt: [Kind] = [.device, .photo, .account]
  }

  let kind: Kind
  /// A UUID in lower case; for an account also its username, until it has been looked up.
  let id: String

  /// As it stands in the audit log.
  var text: String { "\(kind.rawValue) \(id)" }
}

extension RequestBody {
  /// Reads `{"type", "id"}`; `more` names further members, which `read` takes.
  mutating func target(
    _ kinds: [Target.Kind], more: Set<String> = [],
    read: (inout RequestBody) throws -> Void = { _ in }
  ) throws -> Target? {
    guard var inner = try object("target", more.union(["type", "id"]), isRequired: true) else {
      return nil
    }
    let kind = inner.code("type", kinds.map(\.rawValue), isRequired: true)
      .flatMap(Target.Kind.init(rawValue:))
    let id = inner.text("id", 1...100, isRequired: true)
    try read(&inner)
    take(inner)
    guard let kind, let id else { return nil }
    return Target(kind: kind, id: DeviceID(text: id)?.text ?? id)
  }

  /// The reason of an act, in words.
  mutating func reason(isRequired: Bool = true) -> String? {
    text("reason", 1...500, isRequired: isRequired, lines: true)
  }
}

extension NotFound {
  static let account = NotFound(Message("error.not_found.account"))
  static let flag = NotFound(Message("error.not_found.flag"))
  static let review = NotFound(Message("error.not_found.review"))
  static let act = NotFound(Message("error.not_found.act"))
}

/// A target that has been looked up: its rows, and whose it is.
struct Subject: Sendable {
  /// With the id that it goes by, whichever name it was asked for by.
  let target: Target
  /// The device that it is or hangs on.
  let device: Int64?
  /// The public id of that device.
  let deviceID: String?
  let photo: Int64?
  /// Whose contribution it is, or the account itself; nil for imports and people who are gone.
  let author: Int64?

  /// Looks up something that anybody may point at.
  ///
  /// - Throws: ``NotFound`` where it never was or `caller` may not know of it, a 410 ``Refusal`` where
  ///   it was deleted.
  init(_ target: Target, for caller: Caller, _ connection: borrowing Connection) throws {
    switch target.kind {
    case .device:
      let found = try FoundDevice(target.id, for: caller, connection)
      self.init(
        target: target, device: found.rowid, deviceID: found.id.text, author: found.author)
    case .photo: try self.init(photo: target.id, for: caller, connection)
    case .account: try self.init(account: target.id, for: caller, connection)
    case .review, .flag: throw NotFound.flag
    }
  }

  private init(
    target: Target, device: Int64? = nil, deviceID: String? = nil, photo: Int64? = nil,
    author: Int64?
  ) {
    self.target = target
    self.device = device
    self.deviceID = deviceID
    self.photo = photo
    self.author = author
  }

  private init(
    photo id: String, for caller: Caller, _ connection: borrowing Connection
  ) throws {
    let found = try PhotoRow(id, for: caller, connection)
    let device = try connection.text(
      "SELECT id FROM device WHERE rowid = ?", [.integer(found.device)])
    self.init(
      target: Target(kind: .photo, id: found.id), device: found.device, deviceID: device,
      photo: found.rowid, author: found.author)
  }

  /// An account goes by its id or its username. Nobody but moderators learns of one that has not been
  /// confirmed.
  private init(
    account name: String, for caller: Caller, _ connection: borrowing Connection
  ) throws {
    let found =
      try connection.first(
        "SELECT rowid, id, confirmed_at FROM account WHERE id = ?", [.text(name)]
      ) { ($0.int(0), $0.text(1), !$0.isNull(2)) }
      ?? connection.first(
        "SELECT rowid, id, confirmed_at FROM account WHERE username_key = ?",
        [.text(Username.key(of: name))]
      ) { ($0.int(0), $0.text(1), !$0.isNull(2)) }
    guard let (rowid, id, isConfirmed) = found,
      isConfirmed || caller.principal?.moderates == true || caller.principal?.account == rowid
    else { throw NotFound.account }
    self.init(target: Target(kind: .account, id: id), author: rowid)
  }
}
