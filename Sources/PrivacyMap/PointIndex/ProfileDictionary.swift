/// The distinct profiles of an index, numbered, with how many live devices have each.
///
/// A realistic world has some thousands. The worst one, in which every device has its own, costs
/// 27 to 49 bytes a device here (17 to 34 for the profile, 4 to 8 for its count, 6 to 12 to find it
/// by, as the arrays grow), so
/// memory stays proportional to the devices and answers stay exact; only speed suffers, since what
/// is judged once per profile is then judged once per device. Numbers that nobody uses any more
/// are dropped when the index merges.
struct ProfileDictionary: Sendable {
  /// Profiles by number.
  private(set) var profiles: [DeviceProfile] = []
  /// The profiles' categories by number, close together for what only asks for them.
  private(set) var categories: [UInt8] = []
  /// The greatest category there is.
  private(set) var greatestCategory: UInt8 = 0
  /// Live devices by profile number.
  private(set) var counts: [UInt32] = []
  /// How many profiles no live device has.
  private(set) var unusedCount = 0
  /// An open-addressed table of profile numbers; a power of two, at most two thirds full.
  private var table: [UInt32] = []

  private static let vacant = UInt32.max

  /// The number of a profile, a new one if it was not known, with one more device counted for it.
  mutating func add(_ profile: DeviceProfile) -> UInt32 {
    if profiles.count * 3 >= table.count * 2 { grow() }
    let mask = table.count - 1
    // Swift's hash is seeded in each process, so nobody can choose profiles that collide.
    var place = profile.hashValue & mask
    while table[place] != Self.vacant {
      let number = table[place]
      if profiles[Int(number)] == profile {
        if counts[Int(number)] == 0 { unusedCount -= 1 }
        counts[Int(number)] += 1
        return number
      }
      place = (place + 1) & mask
    }
    let number = UInt32(profiles.count)
    table[place] = number
    profiles.append(profile)
    categories.append(profile.category)
    greatestCategory = max(greatestCategory, profile.category)
    counts.append(1)
    return number
  }

  /// Takes over the profiles of another dictionary with their devices; returns the new number for
  /// each old one.
  mutating func adopt(_ other: ProfileDictionary) -> [UInt32] {
    other.profiles.indices.map { old in
      let number = add(other.profiles[old])
      // It has counted one device already.
      counts[Int(number)] += other.counts[old]
      remove(number)
      return number
    }
  }

  /// One device less has the profile of this number.
  mutating func remove(_ number: UInt32) {
    counts[Int(number)] -= 1
    if counts[Int(number)] == 0 { unusedCount += 1 }
  }

  /// Drops the profiles no device has; returns the new number for each old one.
  mutating func compact() -> [UInt32] {
    var kept = ProfileDictionary()
    var numbers = [UInt32](repeating: Self.vacant, count: profiles.count)
    for number in profiles.indices where counts[number] > 0 {
      let new = kept.add(profiles[number])
      kept.counts[Int(new)] = counts[number]
      numbers[number] = new
    }
    self = kept
    return numbers
  }

  /// Bytes held.
  var memoryFootprint: Int {
    profiles.capacity * MemoryLayout<DeviceProfile>.stride + categories.capacity
      + (counts.capacity + table.capacity) * 4
  }

  private mutating func grow() {
    table = [UInt32](repeating: Self.vacant, count: max(64, table.count * 2))
    let mask = table.count - 1
    for (number, profile) in profiles.enumerated() {
      var place = profile.hashValue & mask
      while table[place] != Self.vacant { place = (place + 1) & mask }
      table[place] = UInt32(number)
    }
  }
}
