import Devices
import JSON
package import Service
package import SpatialDatabase

/// The subject of a figure: requests to one operator, or about one category.
package enum OutcomeKind: String, CaseIterable, Sendable {
  case `operator`, category

  /// The lookup key of a cell: the folded name of an operator (case, marks, spaces) or the code of a
  /// category.
  func key(_ name: String) -> String {
    self == .operator ? OperatorStore.key(name: name) : name
  }
}

/// One row of `outcome`.
package struct Outcome: Sendable {
  let kind: OutcomeKind
  package let key: String
  private let name: String
  /// As published: multiples of five, and days.
  private let figures: (asked: Int64, honoured: Int64, refused: Int64, overdue: Int64, days: Int64?)
  private let asOf: String

  static let columns = "kind, key, name, asked, honoured, refused, overdue, median_days, as_of"

  init(_ row: borrowing Row) {
    kind = OutcomeKind(rawValue: row.text(0)) ?? .operator
    key = row.text(1)
    name = row.text(2)
    figures = (row.int(3), row.int(4), row.int(5), row.int(6), row.optionalInt(7))
    asOf = row.text(8)
  }

  package static let shape = JSONShape<Outcome>(
    "outcome",
    .object("operator", JSONShape(nil, .text("name", \.self))) {
      $0.kind == .operator ? $0.name : nil
    }.optional, .text("category") { $0.kind == .category ? $0.name : nil }.optional,
    .init("asked", figure, \.figures.asked), .init("honoured", figure, \.figures.honoured),
    .init("refused", figure, \.figures.refused), .init("overdue", figure, \.figures.overdue),
    .count("median_days", \.figures.days), .day("as_of", \.asOf))

  private static let figure = JSONSchema.count.with("multipleOf", 5)
}

/// The tables `outcome` and `outcome_member`. Responses contain only published figures, never the people
/// counted in them.
package struct OutcomeStore: Sendable {
  package init() {}

  static let page = """
    SELECT \(Outcome.columns) FROM outcome WHERE kind = ? AND key > ? ORDER BY key LIMIT ?
    """
  static let one = "SELECT \(Outcome.columns) FROM outcome WHERE kind = ? AND key = ?"

  /// The published figures of an operator (by any spelling of the name) or of a category.
  ///
  /// - Returns: nil if too few people or none have sent a request; the two cases cannot be distinguished.
  package func outcome(
    _ kind: OutcomeKind, _ name: String, _ connection: borrowing Connection
  ) throws -> Outcome? {
    try connection.first(
      Self.one, [.text(kind.rawValue), .text(kind.key(name))], decode: { Outcome($0) })
  }

  static let operatorName = "SELECT name FROM operator WHERE rowid = ?"

  /// The keys of the figures about operators, given as rows of `operator`.
  func keys(
    ofOperators rows: Set<UInt32>, _ connection: borrowing Connection
  ) throws -> Set<String> {
    var keys: Set<String> = []
    try connection.forEach(Self.operatorName, keys: rows.map { Int64($0) }) { _, row in
      if let name = row.optionalText(0) { keys.insert(OutcomeKind.operator.key(name)) }
    }
    return keys
  }

  /// `practice` of a device: outcomes of requests to its operator and about its category.
  func practice(
    operator name: String?, category: String, _ connection: borrowing Connection
  ) throws -> Practice {
    (
      try name.flatMap { try outcome(.operator, $0, connection) },
      try outcome(.category, category, connection)
    )
  }

  typealias Practice = (operator: Outcome?, category: Outcome?)

  static let practice = JSONShape<Practice>(
    nil, .object("operator", Outcome.shape) { $0.operator },
    .object("category", Outcome.shape) { $0.category })
}
