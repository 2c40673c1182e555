/// A property by which devices can be counted.
package enum PointGrouping: Hashable, Sendable {
  /// A single code of ``DeviceProfile``.
  case category, status, setting, operatorKind, precision, zone, legalBasis, source
  /// Bits of ``DeviceProfile/data``. A device counts under each of its bits, so groups overlap.
  case data
  /// Bits of ``DeviceProfile/choices``. Groups overlap.
  case choices
  /// ``IndexedPoint/country``, packed.
  case country
  /// ``IndexedPoint/operatorRow``; unknown for devices of these categories.
  case operatorRow(except: CodeSet)
  /// The range that contains the stale day, counted from 0.
  case dueDay([ClosedRange<UInt16>])

  /// Whether this property is stored per device and not in the profile.
  var readsRows: Bool {
    switch self {
    case .country, .operatorRow, .dueDay: true
    default: false
    }
  }
}

/// A group: the codes of its devices under one or two groupings.
package struct PointGroup: Hashable, Sendable {
  /// The code for “unknown”.
  package static let unknown = UInt32.max

  /// The code under the first grouping. 0 if there is no grouping.
  package var first: UInt32
  /// The code under the second grouping. 0 if there is no second grouping.
  package var second: UInt32

  /// Creates a group from these codes. Without groupings, all devices are in the group (0, 0).
  package init(_ first: UInt32 = 0, _ second: UInt32 = 0) {
    self.first = first
    self.second = second
  }

  var key: UInt64 { UInt64(first) << 32 | UInt64(second) }

  init(key: UInt64) {
    self.init(UInt32(truncatingIfNeeded: key >> 32), UInt32(truncatingIfNeeded: key))
  }
}

/// The codes of one device under one grouping: a single code, or one bit per code.
struct GroupCodes {
  private var code: UInt32
  private var bits: UInt32

  /// A single code. 0 means unknown.
  static func known(_ code: some BinaryInteger) -> GroupCodes {
    code == 0 ? .one(PointGroup.unknown) : .one(UInt32(truncatingIfNeeded: code))
  }

  /// Whether this is the single code for “unknown”.
  var isUnknown: Bool { bits == 0 && code == PointGroup.unknown }

  /// A single code. 0 is a normal code.
  static func one(_ code: UInt32) -> GroupCodes { GroupCodes(code: code, bits: 0) }

  /// One code per bit. No bits means unknown.
  static func bits(_ bits: UInt32) -> GroupCodes {
    GroupCodes(code: PointGroup.unknown, bits: bits)
  }

  @inline(__always)
  func forEach(_ body: (UInt32) -> Void) {
    guard bits != 0 else { return body(code) }
    var rest = bits
    while rest != 0 {
      body(UInt32(truncatingIfNeeded: rest.trailingZeroBitCount))
      rest &= rest &- 1
    }
  }
}

/// Finds the groups of devices: first from the profile, once for all its devices, then from properties of the single
/// device.
struct GroupFinder {
  private let groupings: [PointGrouping]

  /// - Parameter groupings: none, one or two. Further ones are ignored.
  init(_ groupings: [PointGrouping]) {
    self.groupings = Array(groupings.prefix(2))
  }

  /// Whether the profile of a device is not sufficient.
  var readsRows: Bool { groupings.contains(where: \.readsRows) }

  /// The codes of a profile under both groupings, where the profile contains them.
  func codes(of profile: DeviceProfile) -> (GroupCodes, GroupCodes) {
    (codes(of: profile, 0), codes(of: profile, 1))
  }

  private func codes(of profile: DeviceProfile, _ place: Int) -> GroupCodes {
    guard groupings.indices.contains(place) else { return .one(0) }
    return switch groupings[place] {
    case .category: .one(UInt32(profile.category))
    case .status: .one(UInt32(profile.status))
    case .operatorKind: .one(UInt32(profile.operatorKind))
    case .precision: .one(UInt32(profile.precision))
    case .setting: .known(profile.setting)
    case .zone: .known(profile.zone)
    case .legalBasis: .known(profile.legalBasis)
    case .source: .known(profile.source)
    case .data: .bits(profile.data)
    case .choices: .bits(profile.choices)
    case .operatorRow(let except) where except.contains(profile.category): .one(PointGroup.unknown)
    case .country, .operatorRow, .dueDay: .one(0)
    }
  }

  /// Adds the codes that only the single device contains.
  @inline(__always)
  func complete(
    _ codes: (GroupCodes, GroupCodes), of slot: Int, in segment: PointSegment
  ) -> (GroupCodes, GroupCodes) {
    var codes = codes
    if let first = rowCodes(slot, segment, 0, codes.0) { codes.0 = first }
    if let second = rowCodes(slot, segment, 1, codes.1) { codes.1 = second }
    return codes
  }

  /// `known` are the codes of the profile.
  private func rowCodes(
    _ slot: Int, _ segment: PointSegment, _ place: Int, _ known: GroupCodes
  ) -> GroupCodes? {
    guard place < groupings.count else { return nil }
    switch groupings[place] {
    case .country: return .known(segment.countries[slot])
    case .operatorRow: return known.isUnknown ? nil : .known(segment.operatorRows[slot])
    case .dueDay(let ranges):
      let day = segment.dueDays[slot]
      let range = ranges.firstIndex { $0.contains(day) }
      return .one(range.map { UInt32($0) } ?? PointGroup.unknown)
    default: return nil
    }
  }

  /// Calls `body` for each group of a device.
  @inline(__always)
  static func forEachKey(of codes: (GroupCodes, GroupCodes), _ body: (UInt64) -> Void) {
    codes.0.forEach { first in
      codes.1.forEach { second in body(UInt64(first) &<< 32 | UInt64(second)) }
    }
  }
}

/// Assigns numbers to keys in the order of first use.
struct KeyNumbers {
  /// The keys by number.
  private(set) var keys: [UInt64] = []
  /// An open-addressing hash table of numbers. Its size is a power of two, at most half full.
  private var table = [Int32](repeating: vacant, count: 64)
  /// A random secret, so that an attacker cannot choose keys that collide.
  private let seed = UInt64.random(in: .min ... .max)

  private static let vacant: Int32 = -1

  /// The number of a key. A new key gets the next number.
  mutating func number(of key: UInt64) -> Int {
    let place = place(of: key)
    if table[place] != Self.vacant { return Int(table[place]) }
    let number = keys.count
    keys.append(key)
    table[place] = Int32(truncatingIfNeeded: number)
    if keys.count * 2 > table.count { grow() }
    return number
  }

  /// The number of a key that already has one.
  func known(_ key: UInt64) -> Int? {
    let number = table[place(of: key)]
    return number == Self.vacant ? nil : Int(number)
  }

  /// The table slot of a key, or the free slot where it would go.
  private func place(of key: UInt64) -> Int {
    let mask = table.count - 1
    // 2^64 divided by the golden ratio (Knuth, The Art of Computer Programming, volume 3, §6.4).
    let product = (key ^ seed).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    var place = Int(truncatingIfNeeded: product.high ^ product.low) & mask
    while table[place] != Self.vacant, keys[Int(table[place])] != key {
      place = (place + 1) & mask
    }
    return place
  }

  private mutating func grow() {
    table = [Int32](repeating: Self.vacant, count: table.count * 2)
    for (number, key) in keys.enumerated() { table[place(of: key)] = Int32(number) }
  }
}
