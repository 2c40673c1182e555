/// Devices that share a profile, and how many they are.
package struct ProfileCount: Hashable, Sendable {
  /// What they share.
  package var profile: DeviceProfile
  /// How many they are, at least 1.
  package var count: Int
}

/// How many devices say what whoever walks past would want to know.
package struct Disclosure: Hashable, Sendable {
  /// All of them, whatever they say.
  package private(set) var total = 0
  /// Those that say who runs them, or are known to be a household's.
  package private(set) var operatorKnown = 0
  /// Those that say how long data is kept.
  package private(set) var retentionKnown = 0
  /// Those that offer any choice at all.
  package private(set) var choiceOffered = 0

  /// Of no devices.
  package init() {}

  /// Of the devices of these profiles.
  ///
  /// - Parameters:
  ///   - profiles: with how many devices have each.
  ///   - choices: what counts as a choice, as bits of ``DeviceProfile/choices``.
  package init(of profiles: [ProfileCount], choices: UInt32) {
    for known in profiles {
      total += known.count
      if known.profile.facts.contains(.operator) { operatorKnown += known.count }
      if known.profile.facts.contains(.retention) { retentionKnown += known.count }
      if known.profile.choices & choices != 0 { choiceOffered += known.count }
    }
  }
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
    if filter.effectiveBoxes == nil, !filter.judgesRows {
      return zip(dictionary.profiles, dictionary.counts).lazy
        .filter { profile, count in count > 0 && filter.accepts(profile) }
        .map { ProfileCount(profile: $0, count: Int($1)) }
    }
    var tally = ProfileTally(count: dictionary.profiles.count)
    var matcher = matcher(filter)
    for entry in segments {
      entry.segment.profiles.withUnsafeBufferPointer { numbers in
        matcher.forEachBlock(of: entry) { block, passing in
          tally.add(numbers, first: block * PointSegment.blockSize, passing)
        }
      }
    }
    return tally.met.map { number in
      ProfileCount(profile: dictionary.profiles[number], count: Int(tally.counts[number]))
    }
  }

  /// How many devices pass, by one property or two crossed.
  ///
  /// - Parameters:
  ///   - groupings: one or two; without any, all devices are one group.
  ///   - filter: which devices.
  ///   - profiles: their ``profileCounts(matching:)`` where these are known already: where a profile
  ///     tells the group, no device is looked at again.
  /// - Returns: at least 1 for each group; where groups overlap a device counts in each it is in.
  package func counts(
    by groupings: [PointGrouping], matching filter: PointFilter, of profiles: [ProfileCount]? = nil
  ) -> [PointGroup: Int] {
    let finder = GroupFinder(groupings)
    var tally = KeyTally()
    if finder.readsRows {
      forEachSlot(filter, finder) { codes, _, _ in
        GroupFinder.forEachKey(of: codes) { tally.add(1, to: $0) }
      }
    } else {
      for known in profiles ?? profileCounts(matching: filter) {
        let codes = finder.codes(of: known.profile)
        GroupFinder.forEachKey(of: codes) { tally.add(known.count, to: $0) }
      }
    }
    return Dictionary(
      zip(tally.keys.lazy.map { PointGroup(key: $0) }, tally.counts),
      uniquingKeysWith: { one, _ in one })
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
}

/// Devices counted by the number of their profile.
private struct ProfileTally {
  private(set) var counts: [UInt32]
  /// The numbers met, so that a small box does not read all of a large dictionary.
  private(set) var met: [Int] = []

  /// - Parameter count: how many profiles there are.
  init(count: Int) { counts = [UInt32](repeating: 0, count: count) }

  /// Counts the points of a block that pass, a bit each.
  mutating func add(_ numbers: UnsafeBufferPointer<UInt32>, first: Int, _ passing: UInt64) {
    var rest = passing
    counts.withUnsafeMutableBufferPointer { counts in
      while rest != 0 {
        let number = Int(numbers[first &+ rest.trailingZeroBitCount])
        rest &= rest &- 1
        if counts[number] == 0 { met.append(number) }
        counts[number] &+= 1
      }
    }
  }
}

/// Devices counted by key.
private struct KeyTally {
  private var numbers = KeyNumbers()
  /// By the number of a key.
  private(set) var counts: [Int] = []

  var keys: [UInt64] { numbers.keys }

  @inline(__always)
  mutating func add(_ count: Int, to key: UInt64) {
    let number = numbers.number(of: key)
    if number == counts.count { counts.append(0) }
    counts[number] &+= count
  }
}
