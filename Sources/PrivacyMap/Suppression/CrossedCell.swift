/// One published figure: the people that it counts, and how each of them stood when they were taken in.
///
/// Its numbers follow from ``members`` alone. People join it, leave it and change how they stand ten
/// or more at a time; whoever has gone since stays counted until then (docs/suppression.md).
package struct CrossedCell<Standing: Equatable & Sendable>: Equatable, Sendable {
  /// One person in the figure.
  package struct Member: Equatable, Sendable {
    package let standing: Standing
    /// The day of the publication that took them in, in days since 1970-01-01.
    package let since: Int32

    package init(_ standing: Standing, since: Int32) {
      self.standing = standing
      self.since = since
    }
  }

  /// By the number of the account. People who erased what they asked, or their account, have a number
  /// below zero, the same in every cell, from which nothing leads to them.
  package private(set) var members: [Int64: Member]

  package init(members: [Int64: Member]) {
    self.members = members
  }

  /// A figure that was not published before; nil for too few people.
  init?(_ people: [Int64: Standing], on day: Int32) {
    guard people.count >= Suppression.minimum else { return nil }
    members = people.mapValues { Member($0, since: day) }
  }

  /// What is published after this one.
  ///
  /// - Parameters:
  ///   - current: how people stand on the day of publication.
  ///   - day: that day, in days since 1970-01-01.
  ///   - admitted: whether somebody who is not counted yet may be taken in.
  /// - Returns: nil where fewer than ten people would be left.
  package func taking(
    _ current: [Int64: Standing], on day: Int32, where admitted: (Int64) -> Bool = { _ in true }
  ) -> CrossedCell? {
    var next = self
    let left = members.filter { current[$0.key] == nil }
    if Self.distinctPeople(left) >= Suppression.minimum {
      for person in left.keys { next.members[person] = nil }
    }
    let changed = current.filter { person, standing in
      members[person].map { $0.standing != standing } ?? false
    }
    if changed.count >= Suppression.minimum {
      for (person, standing) in changed {
        next.members[person] = Member(standing, since: members[person]?.since ?? day)
      }
    }
    let joined = current.filter { members[$0.key] == nil && admitted($0.key) }
    if joined.count >= Suppression.minimum {
      for (person, standing) in joined { next.members[person] = Member(standing, since: day) }
    }
    return next.members.count >= Suppression.minimum ? next : nil
  }

  /// How many different people are certainly among `left`.
  ///
  /// Somebody who erased what they asked, asked again and was taken in again is counted twice, on two
  /// days. People taken in on one day differ from each other, and so do accounts that are still there.
  private static func distinctPeople(_ left: [Int64: Member]) -> Int {
    var byDay: [Int32: Int] = [:]
    for member in left.values { byDay[member.since, default: 0] += 1 }
    return max(byDay.values.max() ?? 0, left.keys.count { $0 > 0 })
  }
}
