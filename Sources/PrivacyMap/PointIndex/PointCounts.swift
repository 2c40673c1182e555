/// Devices that share a profile, and how many they are.
package struct ProfileCount: Hashable, Sendable {
  /// What they share.
  package var profile: DeviceProfile
  /// How many they are, at least 1.
  package var count: Int
}

extension PointIndex {
  /// How many devices pass.
  package func count(matching filter: PointFilter) -> Int {
    if let count = worldCount(filter) { return count }
    var matcher = matcher(filter)
    var count = 0
    for entry in segments {
      matcher.forEachBlock(of: entry) { _, passing in count &+= passing.nonzeroBitCount }
    }
    return count
  }

  /// How many devices pass, profile by profile, in no order.
  package func profileCounts(matching filter: PointFilter) -> [ProfileCount] {
    var counts: [ProfileCount] = []
    forEachProfile(filter) { counts.append(ProfileCount(profile: $0, count: $1)) }
    return counts
  }

  /// How many devices pass, by one property or two crossed.
  ///
  /// - Parameters:
  ///   - groupings: one or two; without any, all devices are one group.
  ///   - filter: which devices.
  /// - Returns: at least 1 for each group; where groups overlap a device counts in each it is in.
  package func counts(
    by groupings: [PointGrouping], matching filter: PointFilter
  ) -> [PointGroup: Int] {
    let finder = GroupFinder(groupings)
    var numbers = KeyNumbers()
    var counts: [Int] = []
    func add(_ count: Int, to key: UInt64) {
      let number = numbers.number(of: key)
      if number == counts.count { counts.append(0) }
      counts[number] &+= count
    }
    if finder.readsRows {
      forEachSlot(filter, finder) { codes, _, _ in
        GroupFinder.forEachKey(of: codes) { add(1, to: $0) }
      }
    } else {
      forEachProfile(filter) { profile, count in
        GroupFinder.forEachKey(of: finder.codes(of: profile)) { add(count, to: $0) }
      }
    }
    return Dictionary(
      zip(numbers.keys.map { PointGroup(key: $0) }, counts), uniquingKeysWith: { one, _ in one })
  }

  /// The count when no single device needs to be looked at.
  func worldCount(_ filter: PointFilter) -> Int? {
    guard filter.effectiveBoxes == nil, !filter.judgesRows else { return nil }
    guard filter.judgesProfiles else { return count }
    return zip(dictionary.profiles, dictionary.counts).reduce(0) { sum, entry in
      filter.accepts(entry.0) ? sum + Int(entry.1) : sum
    }
  }

  /// Visits every device that passes with its codes.
  func forEachSlot(
    _ filter: PointFilter, _ finder: GroupFinder,
    _ body: (_ codes: (GroupCodes, GroupCodes), _ segment: PointSegment, _ slot: Int) -> Void
  ) {
    var matcher = matcher(filter)
    let profiles = dictionary.profiles
    for entry in segments {
      let segment = entry.segment
      matcher.forEachBlock(of: entry) { block, passing in
        let first = block * PointSegment.blockSize
        var rest = passing
        while rest != 0 {
          let slot = first &+ rest.trailingZeroBitCount
          rest &= rest &- 1
          let codes = finder.codes(of: profiles[Int(segment.profiles[slot])])
          body(finder.complete(codes, of: slot, in: segment), segment, slot)
        }
      }
    }
  }

  /// Visits the profiles of passing devices with their count, at least 1.
  private func forEachProfile(_ filter: PointFilter, _ body: (DeviceProfile, Int) -> Void) {
    if filter.effectiveBoxes == nil, !filter.judgesRows {
      for (profile, count) in zip(dictionary.profiles, dictionary.counts)
      where count > 0 && filter.accepts(profile) {
        body(profile, Int(count))
      }
      return
    }
    var matcher = matcher(filter)
    var counts = [UInt32](repeating: 0, count: dictionary.profiles.count)
    // The numbers met, so that a small box does not read all of a large dictionary.
    var met: [Int] = []
    for entry in segments {
      matcher.forEachBlock(of: entry) { block, passing in
        let numbers = entry.segment.profiles
        let first = block * PointSegment.blockSize
        var rest = passing
        while rest != 0 {
          let number = Int(numbers[first &+ rest.trailingZeroBitCount])
          rest &= rest &- 1
          if counts[number] == 0 { met.append(number) }
          counts[number] &+= 1
        }
      }
    }
    for number in met { body(dictionary.profiles[number], Int(counts[number])) }
  }
}
