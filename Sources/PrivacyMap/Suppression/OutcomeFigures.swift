/// The status of a person's latest request to an operator or about a category.
package enum OutcomeStanding: String, CaseIterable, Sendable {
  /// Pending or withdrawn.
  case asked
  case honoured
  case refused
  /// No answer by the deadline.
  case overdue
}

/// Outcomes of the requests of at least ten people, rounded.
package struct OutcomeFigures: Equatable, Sendable {
  package let asked: Int
  package let honoured: Int
  package let refused: Int
  package let overdue: Int
  /// Median number of days from sending to the answer. Nil if fewer than ten people received an
  /// answer.
  package let medianDays: Int?

  /// Nil for too few people. `days` has the number of days for each person who received an answer.
  package init?(_ standings: [OutcomeStanding], days: [Int]) {
    guard standings.count >= Suppression.minimum else { return nil }
    func count(_ standing: OutcomeStanding) -> Int {
      Suppression.rounded(standings.count { $0 == standing })
    }
    asked = Suppression.rounded(standings.count)
    honoured = count(.honoured)
    refused = count(.refused)
    overdue = count(.overdue)
    medianDays = days.count >= Suppression.minimum ? Self.median(days) : nil
  }

  /// The median. Half days are rounded up.
  private static func median(_ days: [Int]) -> Int? {
    let sorted = days.sorted()
    guard let upper = sorted.dropFirst(sorted.count / 2).first,
      let lower = sorted.dropFirst((sorted.count - 1) / 2).first
    else { return nil }
    return (lower + upper + 1) / 2
  }
}
