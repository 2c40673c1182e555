import Devices
import Pictures
import PrivacyMap
package import Service
package import SpatialDatabase

/// The target of a flag, a report or a moderation action, as named in requests.
package struct Target: Equatable, Sendable {
  /// The kinds of targets; each has its own id.
  package enum Kind: String, CaseIterable, Sendable {
    case device, photo, account, review, flag

    /// The kinds that every visitor may flag or report.
    static let pointedAt: [Kind] = [.device, .photo, .account]
  }

  package let kind: Kind
  /// A lower-case UUID; for an account, a username is also accepted until it is looked up.
  package let id: String

  package init(kind: Kind, id: String) {
    self.kind = kind
    self.id = id
  }

  /// The format used in the audit log.
  package var text: String { "\(kind.rawValue) \(id)" }
}

extension RequestBody {
  /// Reads `{"type", "id"}`; `more` lists additional members, which `read` handles.
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

  /// The reason of an action, as text.
  package mutating func reason(isRequired: Bool = true) -> String? {
    text("reason", 1...500, isRequired: isRequired, lines: true)
  }
}

extension NotFound {
  package static let account = NotFound(Message("error.not_found.account"))
  static let flag = NotFound(Message("error.not_found.flag"))
  static let review = NotFound(Message("error.not_found.review"))
  static let act = NotFound(Message("error.not_found.act"))
}

/// A resolved target: its rows and its author.
package struct Subject: Sendable {
  /// With the canonical id, even if the request gave a username.
  let target: Target
  /// The device itself, or the device that the target belongs to.
  let device: Int64?
  /// The public id of that device.
  let deviceID: String?
  let photo: Int64?
  /// The author, or the account itself; nil for imports and deleted accounts.
  let author: Int64?

  /// Looks up a target.
  ///
  /// - Throws: ``NotFound`` if it does not exist or `caller` may not know of it, a 410 ``Refusal`` if it
  ///   was deleted.
  package init(_ target: Target, for caller: Caller, _ connection: borrowing Connection) throws {
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
    self.init(
      target: Target(kind: .photo, id: found.id), device: found.device,
      deviceID: try SubjectStore().id(ofDevice: found.device, connection), photo: found.rowid,
      author: found.author)
  }

  /// Finds an account by id or username. Unconfirmed accounts are visible to moderators only.
  private init(
    account name: String, for caller: Caller, _ connection: borrowing Connection
  ) throws {
    guard let (rowid, id, isConfirmed) = try SubjectStore().account(name, connection),
      isConfirmed || caller.principal?.moderates == true || caller.principal?.account == rowid
    else { throw NotFound.account }
    self.init(target: Target(kind: .account, id: id), author: rowid)
  }
}
