/// A set of taxonomy codes, 0…255.
package struct CodeSet: Hashable, Sendable, ExpressibleByArrayLiteral {
  private var words = SIMD4<UInt64>(repeating: 0)

  /// The set of these codes.
  package init(_ codes: some Sequence<UInt8>) {
    for code in codes { insert(code) }
  }

  package init(arrayLiteral elements: UInt8...) {
    self.init(elements)
  }

  /// Adds a code.
  package mutating func insert(_ code: UInt8) {
    words[Int(code >> 6)] |= 1 << UInt64(code & 63)
  }

  /// Whether the code is in the set.
  package func contains(_ code: UInt8) -> Bool {
    words[Int(code >> 6)] >> UInt64(code & 63) & 1 == 1
  }
}

/// Which devices a list, tile or count is about.
///
/// Every part narrows it further, `nil` leaves that part open, and an empty set lets nothing
/// through. Statuses are not special here: whoever hides removed devices names the others.
package struct PointFilter: Hashable, Sendable {
  /// The device lies in one of these; a box over the antimeridian comes as two halves.
  package var boxes: [FixedBox]?
  /// The device is of one of these categories.
  package var categories: CodeSet?
  /// It has one of these statuses.
  package var statuses: CodeSet?
  /// It stands in one of these settings.
  package var settings: CodeSet?
  /// It is run by one of these kinds of operator.
  package var operatorKinds: CodeSet?
  /// It collects at least one of these data, as bits of ``DeviceProfile/data``.
  package var dataAny: UInt32?
  /// It offers at least one of these choices, as bits of ``DeviceProfile/choices``.
  package var choicesAny: UInt32?
  /// It stands in one of these countries, packed as in ``IndexedPoint/country``.
  package var countries: [UInt16]?
  /// The day it goes stale lies in one of these ranges; 0 stands for unknown.
  package var dueDays: [ClosedRange<UInt16>]?
  /// It is one of these rows: what a query of the database has found.
  package var rows: RowSet?

  /// A filter of these parts; without any, all devices.
  package init(
    boxes: [FixedBox]? = nil, categories: CodeSet? = nil, statuses: CodeSet? = nil,
    settings: CodeSet? = nil, operatorKinds: CodeSet? = nil, dataAny: UInt32? = nil,
    choicesAny: UInt32? = nil, countries: [UInt16]? = nil, dueDays: [ClosedRange<UInt16>]? = nil,
    rows: RowSet? = nil
  ) {
    self.boxes = boxes
    self.categories = categories
    self.statuses = statuses
    self.settings = settings
    self.operatorKinds = operatorKinds
    self.dataAny = dataAny
    self.choicesAny = choicesAny
    self.countries = countries
    self.dueDays = dueDays
    self.rows = rows
  }

  /// This filter, and the device lies in one of these boxes as well.
  package func narrowed(to others: [FixedBox]) -> PointFilter {
    var filter = self
    filter.boxes = (boxes ?? [.world]).flatMap { box in others.map { box.intersection($0) } }
      .filter { !$0.isEmpty }
    return filter
  }

  /// This filter, and the device stands in this country as well.
  package func narrowed(toCountry country: UInt16) -> PointFilter {
    var filter = self
    let isOpen = countries?.contains(country) ?? true
    filter.countries = isOpen ? [country] : []
    return filter
  }

  /// Whether devices of this profile pass, as far as a profile can tell.
  package func accepts(_ profile: DeviceProfile) -> Bool {
    if let categories, !categories.contains(profile.category) { return false }
    if let statuses, !statuses.contains(profile.status) { return false }
    if let settings, !settings.contains(profile.setting) { return false }
    if let operatorKinds, !operatorKinds.contains(profile.operatorKind) { return false }
    if let dataAny, dataAny & profile.data == 0 { return false }
    if let choicesAny, choicesAny & profile.choices == 0 { return false }
    return true
  }

  /// Whether this one device passes: the definition that every faster path has to agree with.
  package func accepts(_ point: IndexedPoint) -> Bool {
    if let boxes, !boxes.contains(where: { $0.contains(point.position) }) { return false }
    if let countries, !countries.contains(point.country) { return false }
    if let dueDays, !dueDays.contains(where: { $0.contains(point.dueDay) }) { return false }
    if let rows, !rows.contains(point.rowid) { return false }
    return accepts(point.profile)
  }

  /// Whether ``accepts(_:)-(DeviceProfile)`` can refuse anything.
  var judgesProfiles: Bool {
    categories != nil || statuses != nil || settings != nil || operatorKinds != nil
      || dataAny != nil || choicesAny != nil
  }

  /// Whether it asks for what only the single device knows besides its place.
  var judgesRows: Bool { countries != nil || dueDays != nil || rows != nil }

  /// The boxes that matter: `nil` when one of them is the whole world.
  var effectiveBoxes: [FixedBox]? {
    guard let boxes, !boxes.contains(where: { $0.contains(FixedBox.world) }) else { return nil }
    return boxes.filter { !$0.isEmpty }
  }
}
