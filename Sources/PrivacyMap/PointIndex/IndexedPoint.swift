/// What is known of who answers for a device and for how long it keeps what it collects.
package struct DisclosedFacts: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Both at once, without a step for each: a load makes a million.
  package init(operator isOperatorSaid: Bool, retention isRetentionSaid: Bool) {
    let retention = isRetentionSaid ? Self.retention.rawValue : 0
    rawValue = retention | (isOperatorSaid ? Self.operator.rawValue : 0)
  }

  /// Its operator has a name, or is known to be a household, which never has one.
  package static let `operator` = DisclosedFacts(rawValue: 1)
  /// How long data is kept, if only that it is for ever or not at all.
  package static let retention = DisclosedFacts(rawValue: 2)
}

/// What many devices have in common, so that it is stored and judged once for all of them.
///
/// Codes are places in the lists of the instance's taxonomies.
package struct DeviceProfile: Hashable, Sendable {
  /// What it is, how sure we are, where it stands, who runs it, and how coarse the point is.
  package var category, status, setting, operatorKind, precision: UInt8
  /// Its surroundings and the legal basis it states, each counted from 1; 0 is unknown.
  package var zone, legalBasis: UInt8
  /// What is known of its operator and of how long data is kept.
  package var facts: DisclosedFacts
  /// Which data it collects, one bit a term.
  package var data: UInt32
  /// Which kinds of choice it offers, one bit a kind.
  package var choices: UInt32
  /// The row of the list it comes from; 0 for what people added here.
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

  /// A few words instead of eleven fields: a first load hashes once a row.
  package func hash(into hasher: inout Hasher) {
    let codes = UInt64(category) | UInt64(status) << 8 | UInt64(setting) << 16
    let more = UInt64(zone) << 40 | UInt64(legalBasis) << 48 | UInt64(facts.rawValue) << 56
    hasher.combine(codes | UInt64(operatorKind) << 24 | UInt64(precision) << 32 | more)
    hasher.combine(UInt64(data) << 32 | UInt64(choices))
    if source != 0 { hasher.combine(source) }
  }
}

/// One device as the index knows it: its public point and what lists, tiles and counts filter by.
package struct IndexedPoint: Hashable, Sendable {
  /// The row of the database, in the order of adding.
  package var rowid: UInt32
  /// What the world calls the device.
  package var id: DeviceID
  /// The public point.
  package var position: FixedPosition
  /// What it shares with others.
  package var profile: DeviceProfile
  /// The day it goes stale, in days since 2000-01-01; 0 is unknown.
  package var dueDay: UInt16
  /// Two letters of ISO 3166-1, packed by ``IndexedPoint/packedCountry(_:)``; 0 is unknown.
  package var country: UInt16
  /// Whole degrees clockwise from north, 0…359; ``IndexedPoint/noBearing`` when there is none.
  package var bearing: UInt16
  /// The row of its operator, where that has a name; 0 otherwise.
  package var operatorRow: UInt32
  /// The days it was added, was last confirmed and ceased to stand, in days since 2000-01-01; 0 for
  /// what has not happened.
  package var addedDay, confirmedDay, endedDay: UInt16

  /// A bearing that is not there.
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

  /// Two ASCII letters of either case as one number, five bits a letter; 0 for anything else.
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

  /// The two capital letters of a packed country; `nil` for 0 and for what no letters pack to.
  package static func countryCode(_ packed: UInt16) -> String? {
    let letters = [packed >> 5, packed & 31]
    guard letters.allSatisfy({ (1...26).contains($0) }) else { return nil }
    return String(decoding: letters.map { UInt8($0) + UInt8(ascii: "A") - 1 }, as: UTF8.self)
  }
}

/// What a commit did to one device, as far as the index is concerned.
package enum PointChange: Hashable, Sendable {
  /// The device is public and looks like this now, whether or not it was known before.
  case put(IndexedPoint)
  /// The device with this rowid is not public any more; no fault if it never was.
  case remove(rowid: UInt32)

  /// The row that changed.
  package var rowid: UInt32 {
    switch self {
    case .put(let point): point.rowid
    case .remove(let rowid): rowid
    }
  }
}
