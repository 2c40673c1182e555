package import JSON
package import Service
package import SpatialDatabase
package import WebServer

/// An application that admins decide on: to represent an organisation, or for research access.
package protocol Petition {
  associatedtype State: CaseIterable, RawRepresentable where State.RawValue == String

  /// Number of columns of a row. In lists, the id and username of the account follow them.
  static var width: Int { get }
  init(_ row: borrowing Row)

  var rowid: Int64 { get }
  /// The rowid of the applicant's account.
  var account: Int64 { get }
  var isWaiting: Bool { get }
  /// The members that the applicant may see.
  var members: JSONObject { get }
}

extension JSONSchema {
  /// The applicant of a petition, for admins only.
  package static let petitioner: JSONSchema = ["id": .text, "username": .text]
}

extension Petition {
  /// The JSON for admins, which includes the applicant.
  package func jsonForAdmins(_ connection: borrowing Connection) throws -> JSONValue {
    let account = try AccountStore().account(account, connection)
    return json(of: account?.id ?? "", account?.username ?? "")
  }

  private func json(of id: String, _ username: String) -> JSONValue {
    var object = members
    object["account"] = ["id": .string(id), "username": .string(username)]
    return .object(object)
  }

  /// The position of this row in the list: pending applications first, newest first.
  private var cursor: PageCursor { PageCursor(keys: [isWaiting ? "0" : "1", "\(-rowid)"]) }

  /// Responds with the requested page in this shape, and with counts per state.
  ///
  /// The arguments of the statement `page` are `first`, an optional state, the two optional keys of the
  /// last row of the previous page, and a limit. The statement `counts` selects states and counts; its
  /// arguments are `first`.
  package static func page(
    _ request: Request, as shape: JSONShape<ListPage>, by page: String, counts: String,
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
      return .json(ListPage(shown.map(\.json), next: next, counts: numbers), as: shape)
    }
  }
}
