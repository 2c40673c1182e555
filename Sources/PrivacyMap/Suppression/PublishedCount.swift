/// A published number of people, as one of a few steps.
///
///     PublishedCount().renewed(by: 12).step   // 10
///     PublishedCount(people: 12).renewed(by: 21).step  // 10: fewer than ten more
///
/// It changes only when it would count at least ten people more or fewer than at its last change. So the difference of
/// two publications reveals nothing about one person, as for other figures about people
/// (docs/explanation/suppression.md).
package struct PublishedCount: Equatable, Sendable {
  /// The number of people at the last change. It is never shown.
  package let people: Int

  package init(people: Int = 0) {
    self.people = max(0, people)
  }

  /// The steps. Each is at least ten above the one before.
  package static let steps = [
    Suppression.minimum, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000,
    100_000,
  ]

  /// The number that is shown: there were at least so many people. Nil for few and none.
  package var step: Int? { Self.steps.last { $0 <= people } }

  /// The count after a publication with so many people.
  package func renewed(by current: Int) -> PublishedCount {
    let current = max(0, current)
    // A figure that would count fewer than ten people is withdrawn, also only for a change of ten.
    return abs(current - people) >= Suppression.minimum ? PublishedCount(people: current) : self
  }
}
