/// People divided in several ways at once, each person in one group of each grouping: which groups may
/// be told without any other following from them.
package struct PeopleGroups: Sendable {
  /// For each grouping, the group of each person, by the same places.
  private let groupings: [String: [String]]
  private let count: Int
  /// The fewest people that an answer may be about.
  private let minimum: Int

  /// `groupings` hold one entry for each person, in the same order.
  package init(_ groupings: [String: [String]], minimum: Int) {
    self.groupings = groupings
    self.minimum = minimum
    count = groupings.values.first?.count ?? 0
  }

  /// Sizes of the groups of a grouping.
  package func sizes(_ grouping: String) -> [String: Int] {
    var sizes: [String: Int] = [:]
    for group in groupings[grouping] ?? [] { sizes[group, default: 0] += 1 }
    return sizes
  }

  /// The groups of a grouping that are large enough, without the smallest where what is hidden would
  /// otherwise be too few people and so be told by the rest.
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

  /// Whether those who are in no shown group of a grouping are nobody, or enough.
  package func hidesEnough(_ grouping: String, _ shown: Set<String>) -> Bool {
    let sizes = sizes(grouping)
    let told = shown.reduce(0) { $0 + (sizes[$1] ?? 0) }
    return Suppression.isSafe(count - told, minimum: minimum)
  }

  /// Whether a group of one grouping, or all but that group, less the groups of the other that lie
  /// within it, leaves nobody or enough people: both ways.
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
      // Where no group of the other lies within, there is nothing to subtract.
      return (inside == 0 || Suppression.isSafe(size - inside, minimum: minimum))
        && (outside == 0 || Suppression.isSafe(count - size - outside, minimum: minimum))
    }
  }
}
