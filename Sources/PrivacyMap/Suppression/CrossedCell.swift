/// One published figure: the people counted in it, and the status that each had when the figure included them.
///
/// The numbers of the figure follow from ``members`` alone. People join, leave and change status only in groups of
/// ten or more. A person who has left stays counted until then (docs/explanation/suppression.md).
package struct CrossedCell<Standing: Equatable & Sendable>: Equatable, Sendable {
  /// One person in the figure.
  package struct Member: Equatable, Sendable {
    package let standing: Standing
    /// The day of the publication that added the person, in days since 1970-01-01.
    package let since: Int32

    package init(_ standing: Standing, since: Int32) {
      self.standing = standing
      self.since = since
    }
  }

  /// Indexed by account number. People who erased their request or their account have a negative number. It is the
  /// same in every cell and cannot be traced back to the person.
  package private(set) var members: [Int64: Member]

  package init(members: [Int64: Member]) {
    self.members = members
  }

  /// Creates a figure that was not published before. Nil if there are too few people.
  init?(_ people: [Int64: Standing], on day: Int32) {
    guard people.count >= Suppression.minimum else { return nil }
    members = people.mapValues { Member($0, since: day) }
  }

  /// The next publication of this figure.
  ///
  /// - Parameters:
  ///   - current: the status of each person on the day of publication.
  ///   - day: that day, in days since 1970-01-01.
  ///   - admitted: whether a person who is not counted yet may be added.
  /// - Returns: nil if fewer than ten people would remain.
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

  /// The number of people among `left` who are certainly different.
  ///
  /// A person who erased a request, made a new one and was added again is counted twice, on two days. People added on
  /// the same day are all different, and so are accounts that still exist.
  private static func distinctPeople(_ left: [Int64: Member]) -> Int {
    var byDay: [Int32: Int] = [:]
    for member in left.values { byDay[member.since, default: 0] += 1 }
    return max(byDay.values.max() ?? 0, left.keys.count { $0 > 0 })
  }
}
