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
  }

  /// One line: an operation, of what, and what each gets.
  struct Row: Sendable, CustomTestStringConvertible {
    /// `GET /api/account`, as the interface declares it.
    let endpoint: String
    /// What tells several lines of one endpoint apart.
    let of: String
    let statuses: [(person: Person, status: Int)]

    var testDescription: String { "\(endpoint), \(of)" }

    /// Nil for a line that is none of the table.
    init?(_ line: Substring) {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard line.hasPrefix("| `"), cells.count == Person.allCases.count + 2 else { return nil }
      endpoint = cells[0].trimmingCharacters(in: ["`"])
      of = cells[1]
      statuses = zip(Person.allCases, cells.dropFirst(2)).map { ($0, Int($1) ?? 0) }
    }
  }

  static let lines: [Substring] = {
    let file = Repository.root.appendingPathComponent("docs/access.md")
    return ((try? String(contentsOf: file, encoding: .utf8)) ?? "").split(separator: "\n")
  }()

  static let rows = lines.compactMap(Row.init)
}
