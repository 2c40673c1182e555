/// What devices can be counted by.
package enum PointGrouping: Hashable, Sendable {
  /// One code of ``DeviceProfile`` each.
  case category, status, setting, operatorKind, precision, zone, legalBasis, source
  /// One bit of ``DeviceProfile/data`` each; a device counts under every one it has, so groups
  /// overlap.
  case data
  /// One bit of ``DeviceProfile/choices`` each; groups overlap.
  case choices
  /// ``IndexedPoint/country``, packed.
  case country
  /// ``IndexedPoint/operatorRow``.
  case operatorRow
  /// Which of these ranges the day it goes stale lies in, counted from 0.
  case dueDay([ClosedRange<UInt16>])

  /// Whether a device can be in several groups.
  package var overlaps: Bool { self == .data || self == .choices }

  /// Whether it asks for what only the single device knows.
  var readsRows: Bool {
    switch self {
    case .country, .operatorRow, .dueDay: true
    default: false
    }
  }
}

/// A group: the code of its devices under each of one or two groupings.
package struct PointGroup: Hashable, Sendable {
  /// A code that stands for unknown.
  package static let unknown = UInt32.max

  /// The code under the first grouping; 0 where there is none.
  package var first: UInt32
  /// The code under the second grouping; 0 where there is none.
  package var second: UInt32

  /// The group of these codes; all devices are the one group of no grouping.
  package init(_ first: UInt32 = 0, _ second: UInt32 = 0) {
    self.first = first
    self.second = second
  }

  var key: UInt64 { UInt64(first) << 32 | UInt64(second) }

  init(key: UInt64) {
    self.init(UInt32(truncatingIfNeeded: key >> 32), UInt32(truncatingIfNeeded: key))
  }
}

/// The codes of one device under one grouping: one, or a bit for each of several.
struct GroupCodes {
  private var code: UInt32
  private var bits: UInt32

  /// One code; 0 is unknown.
  static func known(_ code: some BinaryInteger) -> GroupCodes {
    code == 0 ? .one(PointGroup.unknown) : .one(UInt32(truncatingIfNeeded: code))
  }

  /// One code, 0 being one like others.
  static func one(_ code: UInt32) -> GroupCodes { GroupCodes(code: code, bits: 0) }

  /// One code a bit; none is unknown.
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

/// How the groups of devices are found: by what a profile says once for all its devices, and by what
/// each says for itself.
struct GroupFinder {
  private let groupings: [PointGrouping]

  /// - Parameter groupings: none, one or two; more are left aside.
  init(_ groupings: [PointGrouping]) {
    self.groupings = Array(groupings.prefix(2))
  }

  /// Whether a device's profile is not enough.
  var readsRows: Bool { groupings.contains(where: \.readsRows) }

  /// The codes of a profile under both groupings, as far as it can tell.
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
    case .country, .operatorRow, .dueDay: .one(0)
    }
  }

  /// Puts what the single device says in the place of what its profile could not.
  @inline(__always)
  func complete(
    _ codes: (GroupCodes, GroupCodes), of slot: Int, in segment: PointSegment
  ) -> (GroupCodes, GroupCodes) {
    var codes = codes
    if let first = rowCodes(slot, segment, 0) { codes.0 = first }
    if let second = rowCodes(slot, segment, 1) { codes.1 = second }
    return codes
  }

  private func rowCodes(_ slot: Int, _ segment: PointSegment, _ place: Int) -> GroupCodes? {
    guard place < groupings.count else { return nil }
    switch groupings[place] {
    case .country: return .known(segment.countries[slot])
    case .operatorRow: return .known(segment.operatorRows[slot])
    case .dueDay(let ranges):
      let day = segment.dueDays[slot]
      let range = ranges.firstIndex { $0.contains(day) }
      return .one(range.map { UInt32($0) } ?? PointGroup.unknown)
    default: return nil
    }
  }

  /// Visits the groups of a device.
  @inline(__always)
  static func forEachKey(of codes: (GroupCodes, GroupCodes), _ body: (UInt64) -> Void) {
    codes.0.forEach { first in
      codes.1.forEach { second in body(UInt64(first) &<< 32 | UInt64(second)) }
    }
  }
}

/// Numbers given to keys in the order in which they are met.
struct KeyNumbers {
  /// The keys by number.
  private(set) var keys: [UInt64] = []
  /// Open-addressed numbers; a power of two, at most half full.
  private var table = [Int32](repeating: vacant, count: 64)
  /// Nobody outside knows it, so nobody can choose keys that collide.
  private let seed = UInt64.random(in: .min ... .max)

  private static let vacant: Int32 = -1

  /// The number of a key, a new one if it was not known.
  mutating func number(of key: UInt64) -> Int {
    let place = place(of: key)
    if table[place] != Self.vacant { return Int(table[place]) }
    let number = keys.count
    keys.append(key)
    table[place] = Int32(truncatingIfNeeded: number)
    if keys.count * 2 > table.count { grow() }
    return number
  }

  /// The number of a key that is known.
  func known(_ key: UInt64) -> Int? {
    let number = table[place(of: key)]
    return number == Self.vacant ? nil : Int(number)
  }

  /// Where a key stands, or would.
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
