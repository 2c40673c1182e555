/// How figures about people are shown so that no subtraction finds one of them (docs/suppression.md).
package enum Suppression {
  /// The fewest different people behind a figure, or between two figures.
  package static let minimum = 10
  /// What figures are rounded to.
  package static let step = 5

  /// The nearest multiple of ``step``; a count below zero is none.
  package static func rounded(_ count: Int) -> Int {
    (max(0, count) + step / 2) / step * step
  }

  /// Whether nobody can be singled out of what lies between two figures: nobody is there, or enough.
  package static func isSafe(_ people: Int, minimum: Int = Suppression.minimum) -> Bool {
    people == 0 || people >= minimum
  }
}

/// A group of people as it was published: who stood in it.
package struct PublishedGroup: Sendable {
  /// By the number of the account.
  package let members: Set<Int64>
  /// People who stood in it and have gone since, of whom nothing is known any more.
  package let gone: Int

  package init(members: Set<Int64>, gone: Int = 0) {
    self.members = members
    self.gone = gone
  }

  /// Whether at least `minimum` different people came or went.
  ///
  /// Who has gone may be one of those who came, so both count as one: nobody is counted twice.
  package func isRenewed(
    by current: Set<Int64>, minimum: Int = Suppression.minimum
  ) -> Bool {
    let left = members.subtracting(current).count
    let joined = current.subtracting(members).count
    return left + max(joined, gone) >= minimum
  }
}
