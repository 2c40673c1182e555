import Foundation
import Testing

@testable import MapAPI

/// `docs/access.md`, read.
enum AccessTable {
  /// Whom the columns are about, in their order.
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

  /// The tokens of the columns after those of people, in their order.
  enum Token: CaseIterable, Sendable {
    case scope(Scope)
    /// One that has every scope which its owner's role allows.
    case all

    static let allCases = Scope.allCases.map(Self.scope) + [.all]

    /// The title of its column.
    var title: String {
      switch self {
      case .scope(let scope): "token `\(scope.rawValue)`"
      case .all: "token, all scopes"
      }
    }

    /// What a token of somebody of a role is made with.
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

  /// One line: an operation, of what, and what each gets.
  struct Row: Sendable, CustomTestStringConvertible {
    /// `GET /api/account`, as the interface declares it.
    let endpoint: String
    /// What tells several lines of one endpoint apart.
    let of: String
    let statuses: [(person: Person, status: Int)]
    /// What a token of each kind gets, in the hands of ``holder(of:)``.
    let tokens: [(token: Token, status: Int)]

    var testDescription: String { "\(endpoint), \(of)" }

    /// Nil for a line that is none of the table.
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

    /// Who holds a token of a column: of those whose role can have one, the first who gets most here
    /// in a browser.
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
    let file = Repository.root.appendingPathComponent("docs/access.md")
    return ((try? String(contentsOf: file, encoding: .utf8)) ?? "").split(separator: "\n")
  }()

  static let rows = lines.compactMap(Row.init)
}
