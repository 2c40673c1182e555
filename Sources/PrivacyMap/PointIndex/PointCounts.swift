/// What devices can be counted by.
package enum PointGrouping: Sendable, CaseIterable {
  /// One code of ``DeviceProfile`` each.
  case category, status, setting, operatorKind, precision
  /// One bit of ``DeviceProfile/data`` each; a device counts under every one it has, so groups
  /// overlap.
  case data
  /// One bit of ``DeviceProfile/choices`` each; groups overlap.
  case choices
  /// ``IndexedPoint/country``, packed.
  case country
}

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

  /// How many devices pass, profile by profile, in no order: what every grouping by a code or by
  /// several at once is folded from.
  package func profileCounts(matching filter: PointFilter) -> [ProfileCount] {
    var counts: [ProfileCount] = []
    forEachProfile(filter) { counts.append(ProfileCount(profile: $0, count: $1)) }
    return counts
  }

  /// How many devices pass, by one property.
  ///
  /// - Returns: the code, bit number or packed country, and its count, at least 1 each.
  package func counts(by grouping: PointGrouping, matching filter: PointFilter) -> [Int: Int] {
    if grouping == .country { return countsByCountry(filter) }
    var counts = [Int](repeating: 0, count: 256)
    forEachProfile(filter) { Self.add($1, of: $0, by: grouping, to: &counts) }
    return Self.keyed(counts)
  }

  /// The count when no single device needs to be looked at.
  func worldCount(_ filter: PointFilter) -> Int? {
    guard filter.effectiveBoxes == nil, !filter.judgesRows else { return nil }
    guard filter.judgesProfiles else { return count }
    return zip(dictionary.profiles, dictionary.counts).reduce(0) { sum, entry in
      filter.accepts(entry.0) ? sum + Int(entry.1) : sum
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

  private func countsByCountry(_ filter: PointFilter) -> [Int: Int] {
    var matcher = matcher(filter)
    var counts = [Int](repeating: 0, count: 1 << 16)
    for entry in segments {
      matcher.forEachBlock(of: entry) { block, passing in
        let first = block * PointSegment.blockSize
        let countries = entry.segment.countries
        var rest = passing
        while rest != 0 {
          counts[Int(countries[first &+ rest.trailingZeroBitCount])] &+= 1
          rest &= rest &- 1
        }
      }
    }
    return Self.keyed(counts)
  }

  private static func add(
    _ count: Int, of profile: DeviceProfile, by grouping: PointGrouping, to counts: inout [Int]
  ) {
    switch grouping {
    case .category: counts[Int(profile.category)] += count
    case .status: counts[Int(profile.status)] += count
    case .setting: counts[Int(profile.setting)] += count
    case .operatorKind: counts[Int(profile.operatorKind)] += count
    case .precision: counts[Int(profile.precision)] += count
    case .data: add(count, forBitsOf: profile.data, to: &counts)
    case .choices: add(count, forBitsOf: profile.choices, to: &counts)
    case .country: break  // not a part of the profile
    }
  }

  private static func add(_ count: Int, forBitsOf set: UInt32, to counts: inout [Int]) {
    var rest = set
    while rest != 0 {
      counts[rest.trailingZeroBitCount] += count
      rest &= rest - 1
    }
  }

  private static func keyed(_ counts: [Int]) -> [Int: Int] {
    var keyed: [Int: Int] = [:]
    for (key, count) in counts.enumerated() where count > 0 { keyed[key] = count }
    return keyed
  }
}
