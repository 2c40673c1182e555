@testable import Accounts
import Foundation
@testable import Service
import Testing

/// `docs/reference/access.md`, parsed.
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

  /// The token columns after those of people, in their order.
  enum Token: CaseIterable, Sendable {
    case scope(Scope)
    /// A token with every scope that its owner's role allows.
    case all

    static let allCases = Scope.allCases.map(Self.scope) + [.all]

    /// The title of its column.
    var title: String {
      switch self {
      case .scope(let scope): "token `\(scope.rawValue)`"
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
    /// `GET /api/account`, as declared in the OpenAPI document.
    let endpoint: String
    /// The text that distinguishes several lines of one endpoint.
    let of: String
    let statuses: [(person: Person, status: Int)]
    /// The result for a token of each kind, held by ``holder(of:)``.
    let tokens: [(token: Token, status: Int)]

    var testDescription: String { "\(endpoint), \(of)" }

    /// Nil for a line outside the table.
    init?(_ line: Substring) {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      let people = Person.allCases.count
      guard line.hasPrefix("| `"), cells.count == people + Token.allCases.count + 2 else {
        return nil
      }
      endpoint = cells[0].trimmingCharacters(in: ["`"])
      of = cells[1]
      statuses = zip(Person.allCases, cells.dropFirst(2)).map { ($0, Int($1) ?? 0) }
      tokens = zip(Token.allCases, cells.dropFirst(2 + people)).map { ($0, Int($1) ?? 0) }
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

  static let lines: [Substring] = {
    let file = Repository.root.appendingPathComponent("docs/reference/access.md")
    return ((try? String(contentsOf: file, encoding: .utf8)) ?? "").split(separator: "\n")
  }()

  static let rows = lines.compactMap(Row.init)
}
