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

/// A figure as it was published: who stood behind it, and how.
package struct PublishedCell<Standing: Equatable & Sendable>: Sendable {
  /// By the number of the account.
  package var members: [Int64: Standing]
  /// People who stood behind it and have gone since, of whom nothing is known any more.
  package var gone: Int
  /// Whether it is to be published now, and not one that was before.
  package let isNew: Bool

  package init(members: [Int64: Standing], gone: Int = 0, isNew: Bool = false) {
    self.members = members
    self.gone = gone
    self.isNew = isNew
  }

  /// Whether at least `minimum` different people came, went or stand otherwise in `current`, and at
  /// least that many, or nobody, came or went.
  ///
  /// Who has gone may be one of those who came, so both count as one: nobody is counted twice.
  package func isRenewed(by current: [Int64: Standing], minimum: Int = Suppression.minimum) -> Bool
  {
    var (left, changed) = (0, 0)
    for (person, standing) in members {
      guard let now = current[person] else {
        left += 1
        continue
      }
      if now != standing { changed += 1 }
    }
    let joined = current.count - (members.count - left)
    let moved = left + max(joined, gone)
    return moved + changed >= minimum && Suppression.isSafe(moved, minimum: minimum)
  }
}
