/// The distinct profiles of an index, numbered, each with its number of live devices.
///
/// Real data has some thousands of profiles. In the worst case every device has a different
/// profile. Then this dictionary costs 27 to 49 bytes per device: 17 to 34 for the profile, 4 to 8
/// for its count and 6 to 12 for the hash table, depending on array growth. Memory stays
/// proportional to the number of devices and results stay exact. Only speed suffers, because work
/// per profile becomes work per device. A merge of the index drops unused numbers.
struct ProfileDictionary: Sendable {
  /// Profiles by number.
  private(set) var profiles: [DeviceProfile] = []
  /// The categories of the profiles by number, in a compact array for code that needs only them.
  private(set) var categories: [UInt8] = []
  /// The greatest category code in use.
  private(set) var greatestCategory: UInt8 = 0
  /// The number of live devices per profile number.
  private(set) var counts: [UInt32] = []
  /// The number of profiles without live devices.
  private(set) var unusedCount = 0
  /// An open-addressing hash table of profile numbers. Its size is a power of two, at most two
  /// thirds full.
  private var table: [UInt32] = []

  private static let vacant = UInt32.max

  /// Counts one more device for a profile and returns the profile's number. A new profile gets a
  /// new number.
  mutating func add(_ profile: DeviceProfile) -> UInt32 {
    if profiles.count * 3 >= table.count * 2 { grow() }
    let mask = table.count - 1
    // Swift's hash has a random seed per process, so an attacker cannot choose colliding profiles.
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

  /// Adds the profiles of another dictionary with their device counts. Returns the new number for
  /// each old one.
  mutating func adopt(_ other: ProfileDictionary) -> [UInt32] {
    other.profiles.indices.map { old in
      let number = add(other.profiles[old])
      // `add` has already counted one device.
      counts[Int(number)] += other.counts[old]
      remove(number)
      return number
    }
  }

  /// Counts one device fewer for the profile of this number.
  mutating func remove(_ number: UInt32) {
    counts[Int(number)] -= 1
    if counts[Int(number)] == 0 { unusedCount += 1 }
  }

  /// Drops the profiles without devices. Returns the new number for each old one.
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

  /// Memory in bytes.
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
