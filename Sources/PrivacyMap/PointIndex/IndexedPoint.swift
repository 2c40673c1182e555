/// Whether a device's operator and retention period are known.
package struct DisclosedFacts: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Creates the set in one step, without separate insertions: loading an index creates a million
  /// of them.
  package init(operator isOperatorSaid: Bool, retention isRetentionSaid: Bool) {
    let retention = isRetentionSaid ? Self.retention.rawValue : 0
    rawValue = retention | (isOperatorSaid ? Self.operator.rawValue : 0)
  }

  /// The operator has a name, or is known to be a household, which never has a public name.
  package static let `operator` = DisclosedFacts(rawValue: 1)
  /// The retention period is known, including “indefinite” and “none”.
  package static let retention = DisclosedFacts(rawValue: 2)
}

/// Properties shared by many devices. A profile is stored and matched once for all its devices.
///
/// Codes are positions in the lists of the instance's taxonomies.
package struct DeviceProfile: Hashable, Sendable {
  /// Category, status, setting, kind of operator, and precision of the point.
  package var category, status, setting, operatorKind, precision: UInt8
  /// Zone and legal basis, each counted from 1. 0 means unknown.
  package var zone, legalBasis: UInt8
  /// Whether the operator and the retention period are known.
  package var facts: DisclosedFacts
  /// Collected data, one bit per term.
  package var data: UInt32
  /// Offered choices, one bit per kind.
  package var choices: UInt32
  /// The row of the source list. 0 for devices that people added on this instance.
  package var source: UInt32

  /// A profile from its codes and bit sets.
  package init(
    category: UInt8, status: UInt8, setting: UInt8, operatorKind: UInt8, precision: UInt8,
    zone: UInt8 = 0, legalBasis: UInt8 = 0, facts: DisclosedFacts = [], data: UInt32,
    choices: UInt32, source: UInt32 = 0
  ) {
    self.category = category
    self.status = status
    self.setting = setting
    self.operatorKind = operatorKind
    self.precision = precision
    self.zone = zone
    self.legalBasis = legalBasis
    self.facts = facts
    self.data = data
    self.choices = choices
    self.source = source
  }

  /// Hashes a few words instead of eleven fields, because the first load hashes every row.
  package func hash(into hasher: inout Hasher) {
    let codes = UInt64(category) | UInt64(status) << 8 | UInt64(setting) << 16
    let more = UInt64(zone) << 40 | UInt64(legalBasis) << 48 | UInt64(facts.rawValue) << 56
    hasher.combine(codes | UInt64(operatorKind) << 24 | UInt64(precision) << 32 | more)
    hasher.combine(UInt64(data) << 32 | UInt64(choices))
    if source != 0 { hasher.combine(source) }
  }
}

/// One device in the index: its public point and the properties used by filters.
package struct IndexedPoint: Hashable, Sendable {
  /// The row in the database, in the order of insertion.
  package var rowid: UInt32
  /// The public identifier of the device.
  package var id: DeviceID
  /// The public point.
  package var position: FixedPosition
  /// The properties shared with other devices.
  package var profile: DeviceProfile
  /// The day on which it becomes stale, in days since 2000-01-01. 0 means unknown.
  package var dueDay: UInt16
  /// Two letters of ISO 3166-1, packed by ``IndexedPoint/packedCountry(_:)``. 0 means unknown.
  package var country: UInt16
  /// Whole degrees clockwise from north, 0…359. ``IndexedPoint/noBearing`` means no bearing.
  package var bearing: UInt16
  /// The row of its operator if the operator has a name, otherwise 0.
  package var operatorRow: UInt32
  /// The days on which it was added, last confirmed and removed, in days since 2000-01-01. 0 means
  /// never.
  package var addedDay, confirmedDay, endedDay: UInt16

  /// The value for “no bearing”.
  package static let noBearing: UInt16 = 0xFFFF

  /// A point from its parts.
  package init(
    rowid: UInt32, id: DeviceID, position: FixedPosition, profile: DeviceProfile,
    dueDay: UInt16 = 0, country: UInt16 = 0, bearing: UInt16 = IndexedPoint.noBearing,
    operatorRow: UInt32 = 0, addedDay: UInt16 = 0, confirmedDay: UInt16 = 0, endedDay: UInt16 = 0
  ) {
    self.rowid = rowid
    self.id = id
    self.position = position
    self.profile = profile
    self.dueDay = dueDay
    self.country = country
    self.bearing = bearing
    self.operatorRow = operatorRow
    self.addedDay = addedDay
    self.confirmedDay = confirmedDay
    self.endedDay = endedDay
  }

  /// Packs two ASCII letters of either case into one number, five bits per letter. 0 for other
  /// input.
  package static func packedCountry(_ code: some StringProtocol) -> UInt16 {
    guard code.utf8.count == 2 else { return 0 }
    var packed: UInt16 = 0
    for byte in code.utf8 {
      let letter = byte & 0xDF
      guard (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(letter) else { return 0 }
      packed = packed << 5 | UInt16(letter - UInt8(ascii: "A") + 1)
    }
    return packed
  }

  /// The two capital letters of a packed country. `nil` for 0 and for invalid values.
  package static func countryCode(_ packed: UInt16) -> String? {
    let letters = [packed >> 5, packed & 31]
    guard letters.allSatisfy({ (1...26).contains($0) }) else { return nil }
    return String(decoding: letters.map { UInt8($0) + UInt8(ascii: "A") - 1 }, as: UTF8.self)
  }
}

/// The effect of a commit on one device in the index.
package enum PointChange: Hashable, Sendable {
  /// The device is public and has these values, whether or not the index contained it before.
  case put(IndexedPoint)
  /// The device with this rowid is no longer public. It may have been absent before.
  case remove(rowid: UInt32)

  /// The row of the changed device.
  package var rowid: UInt32 {
    switch self {
    case .put(let point): point.rowid
    case .remove(let rowid): rowid
    }
  }
}
