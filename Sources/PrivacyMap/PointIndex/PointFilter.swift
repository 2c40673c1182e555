/// A set of taxonomy codes, 0…255.
package struct CodeSet: Hashable, Sendable, ExpressibleByArrayLiteral {
  private var words = SIMD4<UInt64>(repeating: 0)

  /// Creates a set of these codes.
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
  @inline(__always)
  package func contains(_ code: UInt8) -> Bool {
    words[Int(code >> 6)] >> UInt64(code & 63) & 1 == 1
  }
}

/// Selects the devices of a list, tile or count.
///
/// Each property narrows the selection. `nil` means no restriction, and an empty set matches
/// nothing. Statuses have no default here: to hide removed devices, the caller lists the other
/// statuses.
package struct PointFilter: Hashable, Sendable {
  /// Its position is within one of these boxes. Two boxes represent a box across the antimeridian.
  package var boxes: [FixedBox]?
  /// Its position is in each of these areas.
  package private(set) var regions: [Region] = []
  /// The device is of one of these categories.
  package var categories: CodeSet?
  /// It has one of these statuses.
  package var statuses: CodeSet?
  /// It has one of these settings.
  package var settings: CodeSet?
  /// Its operator is of one of these kinds.
  package var operatorKinds: CodeSet?
  /// It collects at least one of these data, as bits of ``DeviceProfile/data``.
  package var dataAny: UInt32?
  /// It offers at least one of these choices, as bits of ``DeviceProfile/choices``.
  package var choicesAny: UInt32?
  /// Its country is one of these, packed as in ``IndexedPoint/country``.
  package var countries: [UInt16]?
  /// The day on which it becomes stale is within one of these ranges. 0 means unknown.
  package var dueDays: [ClosedRange<UInt16>]?
  /// It is one of these rows, found by a database query, or of one of ``orCategories``.
  package var rows: RowSet?
  /// The categories whose devices need not be in ``rows``. Without rows it has no effect.
  package var orCategories: CodeSet?

  /// Creates a filter. Without arguments it matches all devices.
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

  /// This filter, restricted further to these boxes.
  package func narrowed(to others: [FixedBox]) -> PointFilter {
    var filter = self
    filter.boxes = (boxes ?? [.world]).flatMap { box in others.map { box.intersection($0) } }
      .filter { !$0.isEmpty }
    return filter
  }

  /// This filter, restricted further to the area inside a border.
  package func narrowed(to region: Region) -> PointFilter {
    var filter = narrowed(to: [region.bounds])
    filter.regions.append(region)
    return filter
  }

  /// This filter, restricted further to this country.
  package func narrowed(toCountry country: UInt16) -> PointFilter {
    var filter = self
    let isOpen = countries?.contains(country) ?? true
    filter.countries = isOpen ? [country] : []
    return filter
  }

  /// Restricts a set of codes further.
  ///
  /// - Returns: true, as the index has the codes.
  package mutating func narrow(
    _ field: WritableKeyPath<PointFilter, CodeSet?>, to codes: [UInt8]
  ) -> Bool {
    let known = self[keyPath: field]
    self[keyPath: field] = CodeSet(codes.filter { known?.contains($0) != false })
    return true
  }

  /// Whether this device matches. This is the reference definition: all faster paths must agree
  /// with it.
  package func accepts(_ point: IndexedPoint) -> Bool {
    if let boxes, !boxes.contains(where: { $0.contains(point.position) }) { return false }
    if !regions.allSatisfy({ $0.contains(point.position) }) { return false }
    if let countries, !countries.contains(point.country) { return false }
    if let dueDays, !dueDays.contains(where: { $0.contains(point.dueDay) }) { return false }
    if let rows, !rows.contains(point.rowid),
      orCategories?.contains(point.profile.category) != true
    {
      return false
    }
    return ProfileFilter(self).accepts(point.profile)
  }

  /// Whether ``ProfileFilter/accepts(_:)`` can reject a profile.
  var judgesProfiles: Bool {
    categories != nil || statuses != nil || settings != nil || operatorKinds != nil
      || dataAny != nil || choicesAny != nil
  }

  /// Whether the filter needs properties of the single device other than its position.
  var judgesRows: Bool { countries != nil || dueDays != nil || rows != nil }

  /// The boxes to test. `nil` if one of them is the whole world and the filter has no region.
  var effectiveBoxes: [FixedBox]? {
    guard let boxes,
      !regions.isEmpty || !boxes.contains(where: { $0.contains(FixedBox.world) })
    else { return nil }
    return boxes.filter { !$0.isEmpty }
  }
}
