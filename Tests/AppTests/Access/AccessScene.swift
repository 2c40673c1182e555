import JSON
import PrivacyMap
import Secrets
@testable import Service
import SpatialDatabase
import WebServer

/// The accounts and resources for one cell of the access table.
struct AccessScene {
  let app: TestApp
  /// The confirmed person who owns the requested resources.
  let author: TestAccount
  /// The requester; nil for a visitor.
  let asker: TestAccount?
  /// The requester's credentials: the cookie of a browser, or a token.
  private let identity: Identity

  /// With a `token`, the requester uses a program instead of a browser.
  init(
    _ app: TestApp, _ person: AccessTable.Person, _ token: AccessTable.Token? = nil
  ) throws {
    self.app = app
    let number = try app.count("account")
    author = try app.account("author\(number)")
    asker =
      switch person {
      case .visitor: nil
      case .confirmed: author
      case .unconfirmed: try app.account("asker\(number)", isConfirmed: false)
      case .suspended: try app.account("asker\(number)", isSuspended: true)
      case .other: try app.account("asker\(number)")
      case .operator: try app.account("asker\(number)", role: .operator)
      case .moderator: try app.account("asker\(number)", role: .moderator)
      case .admin: try app.account("asker\(number)", role: .admin)
      }
    if let token, let asker, let role = person.role {
      identity = try app.token(asker.rowid, token.scopes(for: role))
    } else {
      identity = asker?.identity ?? .visitor
    }
  }

  /// Another person with a unique name.
  func somebody(role: Role = .contributor, isConfirmed: Bool = true) throws -> TestAccount {
    try app.account("more\(app.count("account"))", role: role, isConfirmed: isConfirmed)
  }

  /// The owner of resources in lines about `one's own`: the requester, and for a visitor another
  /// person.
  var owner: TestAccount { asker ?? author }

  // Resources.

  /// A device of the author's.
  func device() throws -> TestDevice { try app.device(by: author, name: "A camera") }

  func hiddenDevice() throws -> TestDevice {
    let device = try device()
    try app.hide(device)
    return device
  }

  func deletedDevice() throws -> TestDevice {
    let device = try device()
    let answer = app.send(
      .delete, Path.item(device.id), headers: ["If-Match": try tag(device)],
      json: ["reason": "a test"], as: try root().identity)
    guard answer.status == .noContent else { throw Unprepared(what: answer.text) }
    return device
  }

  /// A device of another person's, changed to revision 2.
  func editedDevice() throws -> TestDevice {
    let device = try device()
    try app.edit(device, by: author, "name", .text("Another name"))
    return device
  }

  /// The ETag of a device as its author gets it.
  func tag(_ device: TestDevice) throws -> String {
    guard let tag = app.get(Path.item(device.id), as: author.identity).headers["ETag"] else {
      throw Unprepared(what: "a tag")
    }
    return tag
  }

  /// An admin who is not the requester.
  func root() throws -> TestAccount { try somebody(role: .admin) }

  /// The secret of every second factor that `TestApp.account` sets up.
  static let secret = [UInt8](repeating: 7, count: 20)

  /// The code of a second factor as `TestApp.account` sets it up, now.
  func code() -> String? {
    let secret = OneTimePassword(secret: Self.secret)
    return secret?.code(at: OneTimePassword.step(at: app.clock.now.secondsSinceEpoch))
  }

  /// The password of the requester, with a code if the account has a second factor.
  func proof() throws -> JSONValue {
    var members = JSONObject([("password", .string(TestAccount.password))])
    let hasSecondFactor = try app.integer(
      "SELECT totp_confirmed_at IS NOT NULL FROM account WHERE rowid = ?", [.integer(owner.rowid)])
    if hasSecondFactor == 1 { members["code"] = code().map { .string($0) } }
    return .object(members)
  }

  /// An error while the scene is prepared.
  struct Unprepared: Error { let what: String }

  // Requests.

  func get(_ path: String) -> AccessRequest { AccessRequest(.get, path, as: identity) }

  func send(
    _ method: Method, _ path: String, type: String = "application/json", tag: String? = nil,
    _ json: JSONValue? = nil
  ) -> AccessRequest {
    var request = AccessRequest(method, path, as: identity)
    if let tag { request.headers.append(("If-Match", tag)) }
    if let json {
      var writer = JSONWriter()
      writer.value(json)
      request.headers.append(("Content-Type", type))
      request.body = writer.bytes
    }
    return request
  }
}

/// A request as it is sent over the network.
struct AccessRequest {
  let method: Method
  let path: String
  var headers: [(name: String, value: String)]
  var body: [UInt8]?

  init(_ method: Method, _ path: String, as identity: Identity) {
    self.method = method
    self.path = path
    headers = identity.headers
  }

  var bytes: [UInt8] {
    var head = "\(method.rawValue) \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
    for (name, value) in headers { head += "\(name): \(value)\r\n" }
    if !method.isRead { head += "Content-Length: \(body?.count ?? 0)\r\n" }
    return Array((head + "\r\n").utf8) + (body ?? [])
  }
}
