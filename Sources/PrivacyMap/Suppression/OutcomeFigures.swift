/// How somebody's latest request to an operator, or about a category, stands.
package enum OutcomeStanding: String, CaseIterable, Sendable {
  /// Under way, or let go.
  case asked
  case honoured
  case refused
  /// No answer in time.
  case overdue
}

/// What became of the requests of at least ten people, rounded.
package struct OutcomeFigures: Equatable, Sendable {
  package let asked: Int
  package let honoured: Int
  package let refused: Int
  package let overdue: Int
  /// Days from sending to the answer, of the middle person; nil where fewer than ten had one.
  package let medianDays: Int?

  /// `days` are those of each person who was answered.
  ///
  /// - Returns: nil for too few people.
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

  /// Half days are rounded up.
  private static func median(_ days: [Int]) -> Int? {
    let sorted = days.sorted()
    guard let upper = sorted.dropFirst(sorted.count / 2).first,
      let lower = sorted.dropFirst((sorted.count - 1) / 2).first
    else { return nil }
    return (lower + upper + 1) / 2
  }
}
