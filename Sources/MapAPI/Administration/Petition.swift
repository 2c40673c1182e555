import JSON
import PrivacyMap
import SpatialDatabase
import WebServer

/// What somebody asks for and admins decide: to speak for an organisation, to read as researchers do.
protocol Petition {
  associatedtype State: CaseIterable, RawRepresentable where State.RawValue == String

  /// How many columns it is read from; where it is listed, the id and the name of its account follow.
  static var width: Int { get }
  init(_ row: borrowing Row)

  var rowid: Int64 { get }
  /// The row of who asks.
  var account: Int64 { get }
  var isWaiting: Bool { get }
  /// As who asks may see it.
  var members: JSONObject { get }
}

extension Petition {
  /// As admins see it: with who asks.
  func jsonForAdmins(_ connection: borrowing Connection) throws -> JSONValue {
    let account = try AccountStore().account(account, connection)
    return json(of: account?.id ?? "", account?.username ?? "")
  }

  private func json(of id: String, _ username: String) -> JSONValue {
    var object = members
    object["account"] = ["id": .string(id), "username": .string(username)]
    return .object(object)
  }

  /// Where a page ended: those that wait come first, then the others, the newest first.
  private var cursor: PageCursor { PageCursor(keys: [isWaiting ? "0" : "1", "\(-rowid)"]) }

  /// Answers with the page that a request asks for, as its member `name`, and how many there are in
  /// each state.
  ///
  /// `page` is a statement whose arguments are `first`, a state or none, the two keys of the last one
  /// before or none, and how many; `counts` one for states and numbers, whose arguments are `first`.
  static func page(
    _ request: Request, as name: String, by page: String, counts: String,
    _ first: [SQLValue] = [], in database: Database
  ) throws -> Response {
    let limit = try PageCursor.limit(request.query["limit"])
    let state = request.query["state"]
    if let state, State(rawValue: state) == nil { throw InvalidInput.unknownCode("state", state) }
    let after = try PageCursor.rows(request.query["cursor"], count: 2)
    return try database.read { connection in
      let found = try connection.rows(
        page,
        first + [SQLValue(state), SQLValue(after?[0]), SQLValue(after?[1]), SQLValue(limit + 1)]
      ) { row in
        let petition = Self(row)
        return (
          cursor: petition.cursor, json: petition.json(of: row.text(width), row.text(width + 1))
        )
      }
      var numbers = JSONObject(
        State.allCases.map { (key: $0.rawValue, value: JSONValue.integer(0)) })
      try connection.forEach(counts, first) { numbers[$0.text(0)] = .integer($0.int(1)) }
      let shown = found.prefix(limit)
      let next = found.count > limit ? shown.last?.cursor.text : nil
      return .json([
        name: .array(shown.map(\.json)), "counts": .object(numbers),
        "next": next.map { .string($0) } ?? .null,
      ])
    }
  }
}
