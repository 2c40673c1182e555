/// Applies a filter to one snapshot: determines for each block which points match.
///
/// A profile is matched when it is first seen, and the result is cached. A small box therefore does
/// not pay for a large dictionary, and a query of the whole world pays once per profile.
struct PointMatcher {
  let filter: PointFilter
  /// The boxes to search. `nil` means the whole world.
  let boxes: [FixedBox]?
  private let regions: [Region]
  private let profiles: [DeviceProfile]
  private let profileFilter: ProfileFilter
  private let judgesProfiles: Bool
  private let judgesRows: Bool
  private var verdicts: [UInt8]
  private var judgedCount = 0
  /// One bit per packed country. Empty unless the filter contains countries.
  private let countries: [UInt64]

  private static let refused: UInt8 = 1
  private static let accepted: UInt8 = 2

  /// Creates a matcher that searches `boxes` instead of the boxes of the filter.
  init(_ filter: PointFilter, boxes: [FixedBox]?, profiles: [DeviceProfile]) {
    self.filter = filter
    self.boxes = boxes
    regions = filter.regions
    self.profiles = profiles
    profileFilter = ProfileFilter(filter)
    judgesProfiles = filter.judgesProfiles
    judgesRows = filter.judgesRows
    verdicts = [UInt8](repeating: 0, count: judgesProfiles ? profiles.count : 0)
    var bits: [UInt64] = []
    if let named = filter.countries {
      bits = [UInt64](repeating: 0, count: 1_024)
      for country in named { bits[Int(country >> 6)] |= 1 << UInt64(country & 63) }
    }
    countries = bits
  }

  /// Calls `visit` for every block that contains matching points, with one bit per matching point.
  mutating func forEachBlock(
    of entry: LiveSegment, _ visit: (_ block: Int, _ passing: UInt64) -> Void
  ) {
    if let region = onlyRegion {
      let known = region.blocks(of: entry.segment)
      entry.withColumns { columns in
        known.forEach { block, within in
          let passing = judged(columns.live[block] & within, columns, block)
          if passing != 0 { visit(block, passing) }
        }
      }
      return
    }
    let runs = entry.segment.runs(in: boxes, and: regions)
    entry.withColumns { columns in
      for run in runs {
        for block in run.blocks {
          let passing = passing(columns, block: block, isInside: run.isInside)
          if passing != 0 { visit(block, passing) }
        }
      }
    }
  }

  /// The region of the filter, if the boxes add no other condition.
  private var onlyRegion: Region? {
    guard regions.count == 1, let region = regions.first, boxes == [region.bounds] else {
      return nil
    }
    return region
  }

  /// The matching points of a block, one bit each. `isInside` means that the whole block is known to
  /// lie in one of the boxes and in all regions.
  mutating func passing(_ entry: LiveSegment, block: Int, isInside: Bool) -> UInt64 {
    entry.withColumns { passing($0, block: block, isInside: isInside) }
  }

  @inline(__always)
  private mutating func passing(
    _ columns: LiveSegment.Columns, block: Int, isInside: Bool
  ) -> UInt64 {
    var passing = columns.live[block]
    let slots = columns.slots(ofBlock: block)
    if !isInside {
      passing &= lying(columns, slots)
      for region in regions where passing != 0 {
        passing = region.passing(passing, columns.longitudes, columns.latitudes, slots)
      }
    }
    return judged(passing, columns, block)
  }

  /// The candidate points of a block that also match by their other properties.
  @inline(__always)
  private mutating func judged(
    _ candidates: UInt64, _ columns: LiveSegment.Columns, _ block: Int
  ) -> UInt64 {
    var passing = candidates
    let slots = columns.slots(ofBlock: block)
    if judgesProfiles, passing != 0 { passing = judged(passing, columns, slots) }
    if judgesRows, passing != 0 { passing = judgedSingly(passing, columns, slots) }
    return passing
  }

  /// The candidates that match by the properties of the single device.
  // Not inlined, because reading a property of the filter copies the whole filter, here once for each block.
  @inline(never)
  private func judgedSingly(
    _ candidates: UInt64, _ columns: LiveSegment.Columns, _ slots: Range<Int>
  ) -> UInt64 {
    var passing = candidates
    if filter.countries != nil { passing &= inCountries(columns, slots) }
    if let ranges = filter.dueDays, passing != 0 { passing &= due(in: ranges, columns, slots) }
    if let rows = filter.rows, passing != 0 {
      let among = among(rows, columns, slots)
      passing &= filter.orCategories.map { among | inCategories($0, columns, slots) } ?? among
    }
    return passing
  }

  private func lying(_ columns: LiveSegment.Columns, _ slots: Range<Int>) -> UInt64 {
    guard let boxes else { return .max }
    var found: UInt64 = 0
    for box in boxes {
      // As unsigned numbers, values below the first edge wrap around to far beyond the second edge.
      let width = UInt32(bitPattern: box.east &- box.west)
      let height = UInt32(bitPattern: box.north &- box.south)
      for place in 0..<slots.count {
        let x = UInt32(bitPattern: columns.longitudes[slots.lowerBound &+ place] &- box.west)
        let y = UInt32(bitPattern: columns.latitudes[slots.lowerBound &+ place] &- box.south)
        let lies: UInt64 = (x <= width ? 1 : 0) & (y <= height ? 1 : 0)
        found |= lies &<< UInt64(truncatingIfNeeded: place)
      }
    }
    return found
  }

  private mutating func judged(
    _ candidates: UInt64, _ columns: LiveSegment.Columns, _ slots: Range<Int>
  ) -> UInt64 {
    var passing: UInt64 = 0
    var place = 0
    while true {
      let unknown = verdicts.withUnsafeBufferPointer { verdicts -> Int? in
        while place < slots.count {
          let number = Int(columns.profiles[slots.lowerBound &+ place])
          let verdict = verdicts[number]
          if verdict == 0 { return number }
          passing |= UInt64(verdict &>> 1) &<< UInt64(truncatingIfNeeded: place)
          place &+= 1
        }
        return nil
      }
      guard let unknown else { return passing & candidates }
      judge(unknown)
    }
  }

  /// Matches one profile. Once an eighth of all profiles has been matched one by one, it matches
  /// all others as well: in dictionary order that is ten times faster than in point order.
  private mutating func judge(_ number: Int) {
    judgedCount += 1
    guard judgedCount > profiles.count / 8 else {
      verdicts[number] = verdict(of: profiles[number])
      return
    }
    for number in profiles.indices { verdicts[number] = verdict(of: profiles[number]) }
  }

  private func verdict(of profile: DeviceProfile) -> UInt8 {
    profileFilter.accepts(profile) ? Self.accepted : Self.refused
  }

  private func inCountries(_ columns: LiveSegment.Columns, _ slots: Range<Int>) -> UInt64 {
    countries.withUnsafeBufferPointer { named in
      var passing: UInt64 = 0
      for place in 0..<slots.count {
        let country = columns.countries[slots.lowerBound &+ place]
        let isNamed = named[Int(country >> 6)] &>> UInt64(country & 63) & 1
        passing |= isNamed &<< UInt64(truncatingIfNeeded: place)
      }
      return passing
    }
  }

  private func inCategories(
    _ categories: CodeSet, _ columns: LiveSegment.Columns, _ slots: Range<Int>
  ) -> UInt64 {
    var passing: UInt64 = 0
    for place in 0..<slots.count {
      let number = Int(columns.profiles[slots.lowerBound &+ place])
      let isNamed: UInt64 = categories.contains(profiles[number].category) ? 1 : 0
      passing |= isNamed &<< UInt64(truncatingIfNeeded: place)
    }
    return passing
  }

  private func among(
    _ rows: RowSet, _ columns: LiveSegment.Columns, _ slots: Range<Int>
  ) -> UInt64 {
    var passing: UInt64 = 0
    for place in 0..<slots.count {
      let isAmong: UInt64 = rows.contains(columns.rowids[slots.lowerBound &+ place]) ? 1 : 0
      passing |= isAmong &<< UInt64(truncatingIfNeeded: place)
    }
    return passing
  }

  private func due(
    in ranges: [ClosedRange<UInt16>], _ columns: LiveSegment.Columns, _ slots: Range<Int>
  ) -> UInt64 {
    var passing: UInt64 = 0
    for range in ranges {
      for place in 0..<slots.count {
        let day = columns.dueDays[slots.lowerBound &+ place]
        let lies: UInt64 = (day >= range.lowerBound ? 1 : 0) & (day <= range.upperBound ? 1 : 0)
        passing |= lies &<< UInt64(truncatingIfNeeded: place)
      }
    }
    return passing
  }
}

extension PointIndex {
  /// Creates the matcher of the filter for this snapshot.
  func matcher(_ filter: PointFilter) -> PointMatcher {
    PointMatcher(filter, boxes: filter.effectiveBoxes, profiles: dictionary.profiles)
  }
}

extension PointMatcher {
  /// Whether a point in the box could lie in one of the boxes and in all regions of the filter.
  func mayMatch(_ box: FixedBox) -> Bool {
    (boxes?.contains { $0.overlaps(box) } ?? true)
      && regions.allSatisfy { $0.relation(to: box) != .outside }
  }
}
