/// People grouped in several ways at once, with each person in one group per grouping. Determines which groups can be
/// shown without making others inferable.
package struct PeopleGroups: Sendable {
  /// For each grouping, the group of each person, in the same order of people.
  private let groupings: [String: [String]]
  private let count: Int
  /// The minimum number of people behind a published number.
  private let minimum: Int

  /// Each of `groupings` has one entry per person, in the same order.
  package init(_ groupings: [String: [String]], minimum: Int) {
    self.groupings = groupings
    self.minimum = minimum
    count = groupings.values.first?.count ?? 0
  }

  /// The sizes of the groups of a grouping.
  package func sizes(_ grouping: String) -> [String: Int] {
    var sizes: [String: Int] = [:]
    for group in groupings[grouping] ?? [] { sizes[group, default: 0] += 1 }
    return sizes
  }

  /// The groups of a grouping that are large enough to show. If the hidden people would be too few, and could be
  /// inferred from the rest, the smallest groups are hidden as well.
  package func shown(_ grouping: String) -> Set<String> {
    let sizes = sizes(grouping)
    var shown = Set(sizes.filter { $0.value >= minimum }.keys)
    while !hidesEnough(grouping, shown),
      let smallest = shown.min(by: { (sizes[$0] ?? 0, $0) < (sizes[$1] ?? 0, $1) })
    {
      shown.remove(smallest)
    }
    return shown
  }

  /// Whether the people outside the shown groups of a grouping are none, or enough.
  package func hidesEnough(_ grouping: String, _ shown: Set<String>) -> Bool {
    let sizes = sizes(grouping)
    let reported = shown.reduce(0) { $0 + (sizes[$1] ?? 0) }
    return Suppression.isSafe(count - reported, minimum: minimum)
  }

  /// Whether differences between two groupings are safe in both directions: a group of one
  /// grouping, or all people outside it, minus the groups of the other grouping inside it, leaves
  /// no people or enough people.
  package func areSafe(
    _ one: String, _ shownOfOne: Set<String>, beside other: String, _ shownOfOther: Set<String>
  ) -> Bool {
    let sizes = (sizes(one), sizes(other))
    var joint: [String: [String: Int]] = [:]
    for (here, there) in zip(groupings[one] ?? [], groupings[other] ?? []) {
      joint[here, default: [:]][there, default: 0] += 1
    }
    var turned: [String: [String: Int]] = [:]
    for (here, row) in joint {
      for (there, number) in row { turned[there, default: [:]][here] = number }
    }
    return isSafe(shownOfOne, sizes.0, within: shownOfOther, sizes.1, joint)
      && isSafe(shownOfOther, sizes.1, within: shownOfOne, sizes.0, turned)
  }

  private func isSafe(
    _ shown: Set<String>, _ sizes: [String: Int], within others: Set<String>,
    _ otherSizes: [String: Int], _ joint: [String: [String: Int]]
  ) -> Bool {
    shown.allSatisfy { group in
      let size = sizes[group] ?? 0
      var (inside, outside) = (0, 0)
      for other in others {
        let otherSize = otherSizes[other] ?? 0
        switch joint[group]?[other] ?? 0 {
        case otherSize: inside += otherSize
        case 0: outside += otherSize
        default: continue
        }
      }
      // If no group of the other grouping lies inside, nothing can be subtracted.
      return (inside == 0 || Suppression.isSafe(size - inside, minimum: minimum))
        && (outside == 0 || Suppression.isSafe(count - size - outside, minimum: minimum))
    }
  }
}
