/// Rules for figures about people, so that no subtraction reveals a single person (docs/explanation/suppression.md).
package enum Suppression {
  /// The minimum number of different people behind a figure, or between two figures.
  package static let minimum = 10
  /// Figures are rounded to multiples of this number.
  package static let step = 5

  /// The nearest multiple of ``step``. A negative count becomes zero.
  package static func rounded(_ count: Int) -> Int {
    (max(0, count) + step / 2) / step * step
  }

  /// Whether the difference of two figures is safe: it contains no people, or enough people.
  package static func isSafe(_ people: Int, minimum: Int = Suppression.minimum) -> Bool {
    people == 0 || people >= minimum
  }
}

/// The members of a group at its last publication.
package struct PublishedGroup: Sendable {
  /// Account numbers.
  package let members: Set<Int64>
  /// The number of former members who were erased since, so that their account numbers are unknown.
  package let gone: Int

  package init(members: Set<Int64>, gone: Int = 0) {
    self.members = members
    self.gone = gone
  }

  /// Whether at least `minimum` different people joined or left.
  ///
  /// An erased member may be the same person as one who joined. The method therefore counts only
  /// the larger of these two numbers, so that it counts no person twice.
  package func isRenewed(
    by current: Set<Int64>, minimum: Int = Suppression.minimum
  ) -> Bool {
    let left = members.subtracting(current).count
    let joined = current.subtracting(members).count
    return left + max(joined, gone) >= minimum
  }
}
