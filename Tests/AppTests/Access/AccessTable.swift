@testable import Accounts
import Foundation
@testable import Service
import Testing

/// `access.tsv`, parsed: a title line, then one line for each endpoint and resource.
enum AccessTable {
  /// The roles of the columns, in their order.
  enum Person: String, CaseIterable, Sendable {
    case visitor, confirmed, unconfirmed, suspended
    case other = "other user"
    case `operator`, moderator, admin

    /// The role of an account that may use tokens everywhere; nil for others.
    var role: Role? {
      switch self {
      case .visitor, .unconfirmed, .suspended: nil
      case .confirmed, .other: .contributor
      case .operator: .operator
      case .moderator: .moderator
      case .admin: .admin
      }
    }
  }

  /// The token columns after the columns of people, in their order.
  enum Token: CaseIterable, Sendable {
    case scope(Scope)
    /// A token with every scope that its owner's role allows.
    case all

    static let allCases = Scope.allCases.map(Self.scope) + [.all]

    /// The title of its column.
    var title: String {
      switch self {
      case .scope(let scope): "token \(scope.rawValue)"
      case .all: "token, all scopes"
      }
    }

    /// The scopes of a token for this role.
    func scopes(for role: Role) -> Set<Scope> {
      switch self {
      case .scope(let scope): [scope]
      case .all: Set(Scope.allCases.filter(role.allows))
      }
    }

    fileprivate func isOpen(to role: Role) -> Bool {
      switch self {
      case .scope(let scope): role.allows(scope)
      case .all: true
      }
    }
  }

  /// One line: an operation, its resource, and the result for each column.
  struct Row: Sendable, CustomTestStringConvertible {
    /// The group of endpoints, as in the table of `docs/reference/access.md`.
    let area: String
    /// `GET /api/account`, as declared in the OpenAPI document.
    let endpoint: String
    /// The text that distinguishes several lines of one endpoint.
    let of: String
    let statuses: [(person: Person, status: Int)]
    /// The result for a token of each kind, held by ``holder(of:)``.
    let tokens: [(token: Token, status: Int)]

    var testDescription: String { "\(endpoint), \(of)" }

    /// Nil if the number of cells is wrong or a status is no number.
    init?(_ line: Substring) {
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      let people = Person.allCases.count
      let codes = cells.dropFirst(3).compactMap { Int($0) }
      guard cells.count == people + Token.allCases.count + 3, codes.count == cells.count - 3 else {
        return nil
      }
      area = cells[0]
      endpoint = cells[1]
      of = cells[2]
      statuses = zip(Person.allCases, codes).map { ($0, $1) }
      tokens = zip(Token.allCases, codes.dropFirst(people)).map { ($0, $1) }
    }

    /// The holder of a token of a column: of the roles that can have one, the first with the best
    /// result here in a browser.
    func holder(of token: Token) -> Person {
      let holders = statuses.filter { person, _ in
        person.role.map(token.isOpen) ?? false
      }
      return holders.min { Self.rank($0.status) < Self.rank($1.status) }?.person ?? .admin
    }

    private static func rank(_ status: Int) -> Int {
      switch status {
      case 200..<300: 0
      case 401: 4
      case 403: 3
      case 404: 2
      default: 1
      }
    }
  }

  private static let file: [Substring] = {
    let file = Repository.root.appendingPathComponent("Tests/AppTests/Access/access.tsv")
    return ((try? String(contentsOf: file, encoding: .utf8)) ?? "").split(separator: "\n")
  }()

  /// The titles of the columns.
  static var titles: Substring { file.first ?? "" }
  static let lines = Array(file.dropFirst())
  static let rows = lines.compactMap(Row.init)
}
