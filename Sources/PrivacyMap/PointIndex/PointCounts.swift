/// The number of devices that share a profile.
package struct ProfileCount: Hashable, Sendable {
  /// The shared profile.
  package var profile: DeviceProfile
  /// The number of devices, at least 1.
  package var count: Int
}

/// Counts of devices that disclose an operator, a retention period or choices.
package struct Disclosure: Hashable, Sendable {
  /// All counted devices.
  package private(set) var total = 0
  /// Devices with a known operator, including households.
  package private(set) var operatorKnown = 0
  /// Devices with a known retention period.
  package private(set) var retentionKnown = 0
  /// Devices that offer at least one choice.
  package private(set) var choiceOffered = 0

  /// Counts of zero devices.
  package init() {}

  /// Counts the devices of these profiles.
  ///
  /// - Parameters:
  ///   - profiles: the profiles with their numbers of devices.
  ///   - choices: the bits of ``DeviceProfile/choices`` that count as a choice.
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
  /// The number of devices that match the filter.
  package func count(matching filter: PointFilter) -> Int {
    if let count = worldCount(filter) { return count }
    var matcher = matcher(filter)
    var count = 0
    for entry in segments {
      matcher.forEachBlock(of: entry) { _, passing in count &+= passing.nonzeroBitCount }
    }
    return count
  }

  /// The number of matching devices per profile, in no particular order.
  package func profileCounts(matching filter: PointFilter) -> [ProfileCount] {
    if filter.effectiveBoxes == nil, !filter.judgesRows {
      let profileFilter = ProfileFilter(filter)
      return zip(dictionary.profiles, dictionary.counts).lazy
        .filter { profile, count in count > 0 && profileFilter.accepts(profile) }
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

  /// The number of matching devices per group, by one property or by two combined.
  ///
  /// - Parameters:
  ///   - groupings: one or two. If empty, all devices form one group.
  ///   - filter: which devices.
  ///   - profiles: the result of ``profileCounts(matching:)``, if already known. Groups that follow from the profile
  ///     are then counted without reading single devices.
  /// - Returns: at least 1 for each group. Where groups overlap, a device counts in each of its groups.
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

  /// The count, if no single device has to be read.
  func worldCount(_ filter: PointFilter) -> Int? {
    guard filter.effectiveBoxes == nil, !filter.judgesRows else { return nil }
    guard filter.judgesProfiles else { return count }
    let profileFilter = ProfileFilter(filter)
    return zip(dictionary.profiles, dictionary.counts).reduce(0) { sum, entry in
      profileFilter.accepts(entry.0) ? sum + Int(entry.1) : sum
    }
  }

  /// Calls `body` for every matching device with its group codes.
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

/// Counts devices by profile number.
private struct ProfileTally {
  private(set) var counts: [UInt32]
  /// The profile numbers found, so that a small box does not read all of a large dictionary.
  private(set) var met: [Int] = []

  /// - Parameter count: the number of profiles.
  init(count: Int) { counts = [UInt32](repeating: 0, count: count) }

  /// Counts the matching points of a block. Each set bit is one point.
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

/// Counts devices by group key.
private struct KeyTally {
  private var numbers = KeyNumbers()
  /// Counts, indexed by key number.
  private(set) var counts: [Int] = []

  var keys: [UInt64] { numbers.keys }

  @inline(__always)
  mutating func add(_ count: Int, to key: UInt64) {
    let number = numbers.number(of: key)
    if number == counts.count { counts.append(0) }
    counts[number] &+= count
  }
}
