/// A filter at work on one snapshot: says of each block which points pass.
///
/// Profiles are judged when first met, and remembered, so a small box does not pay for a large
/// dictionary, and the whole world pays once per profile.
struct PointMatcher {
  let filter: PointFilter
  /// Where to look; `nil` for the world.
  let boxes: [FixedBox]?
  private let profiles: [DeviceProfile]
  private let judgesProfiles: Bool
  private var verdicts: [UInt8]
  private var judgedCount = 0
  /// One bit a packed country; empty unless the filter names countries.
  private let countries: [UInt64]

  private static let refused: UInt8 = 1
  private static let accepted: UInt8 = 2

  /// A matcher that looks in `boxes` in place of the filter's own.
  init(_ filter: PointFilter, boxes: [FixedBox]?, profiles: [DeviceProfile]) {
    self.filter = filter
    self.boxes = boxes
    self.profiles = profiles
    judgesProfiles = filter.judgesProfiles
    verdicts = [UInt8](repeating: 0, count: judgesProfiles ? profiles.count : 0)
    var bits: [UInt64] = []
    if let named = filter.countries {
      bits = [UInt64](repeating: 0, count: 1_024)
      for country in named { bits[Int(country >> 6)] |= 1 << UInt64(country & 63) }
    }
    countries = bits
  }

  /// Visits every block that holds passing points, with one bit for each of them.
  mutating func forEachBlock(
    of entry: LiveSegment, _ visit: (_ block: Int, _ passing: UInt64) -> Void
  ) {
    var matcher = self
    entry.segment.forEachBlock(in: boxes) { block, isInside in
      let passing = matcher.passing(entry, block: block, isInside: isInside)
      if passing != 0 { visit(block, passing) }
    }
    self = matcher
  }

  /// Which points of a block pass, one bit each; `isInside` says that the caller knows all of the
  /// block to lie in one of the boxes.
  mutating func passing(_ entry: LiveSegment, block: Int, isInside: Bool) -> UInt64 {
    var passing = entry.live[block]
    let slots = entry.segment.slots(ofBlock: block)
    if !isInside { passing &= lying(in: entry.segment, slots) }
    if judgesProfiles, passing != 0 { passing = judged(passing, entry.segment, slots) }
    if filter.countries != nil, passing != 0 { passing &= inCountries(entry.segment, slots) }
    if let ranges = filter.dueDays, passing != 0 {
      passing &= due(in: ranges, entry.segment, slots)
    }
    if let rows = filter.rows, passing != 0 { passing &= among(rows, entry.segment, slots) }
    return passing
  }

  private func lying(in segment: PointSegment, _ slots: Range<Int>) -> UInt64 {
    guard let boxes else { return .max }
    return segment.longitudes.withUnsafeBufferPointer { longitudes in
      segment.latitudes.withUnsafeBufferPointer { latitudes in
        var found: UInt64 = 0
        for box in boxes {
          // As unsigned numbers, what lies before the first edge lies far behind the other one.
          let width = UInt32(bitPattern: box.east &- box.west)
          let height = UInt32(bitPattern: box.north &- box.south)
          for place in 0..<slots.count {
            let x = UInt32(bitPattern: longitudes[slots.lowerBound &+ place] &- box.west)
            let y = UInt32(bitPattern: latitudes[slots.lowerBound &+ place] &- box.south)
            let lies: UInt64 = (x <= width ? 1 : 0) & (y <= height ? 1 : 0)
            found |= lies &<< UInt64(truncatingIfNeeded: place)
          }
        }
        return found
      }
    }
  }

  private mutating func judged(
    _ candidates: UInt64, _ segment: PointSegment, _ slots: Range<Int>
  ) -> UInt64 {
    var passing: UInt64 = 0
    var place = 0
    while true {
      let unknown = verdicts.withUnsafeBufferPointer { verdicts in
        segment.profiles.withUnsafeBufferPointer { numbers -> Int? in
          while place < slots.count {
            let number = Int(numbers[slots.lowerBound &+ place])
            let verdict = verdicts[number]
            if verdict == 0 { return number }
            passing |= UInt64(verdict &>> 1) &<< UInt64(truncatingIfNeeded: place)
            place &+= 1
          }
          return nil
        }
      }
      guard let unknown else { return passing & candidates }
      judge(unknown)
    }
  }

  /// Judges a profile, and all the others too once a good part of them had to be: in their own
  /// order that is ten times faster than in the order of the points.
  private mutating func judge(_ number: Int) {
    judgedCount += 1
    guard judgedCount > profiles.count / 8 else {
      verdicts[number] = filter.accepts(profiles[number]) ? Self.accepted : Self.refused
      return
    }
    for (number, profile) in profiles.enumerated() {
      verdicts[number] = filter.accepts(profile) ? Self.accepted : Self.refused
    }
  }

  private func inCountries(_ segment: PointSegment, _ slots: Range<Int>) -> UInt64 {
    segment.countries.withUnsafeBufferPointer { column in
      countries.withUnsafeBufferPointer { named in
        var passing: UInt64 = 0
        for place in 0..<slots.count {
          let country = column[slots.lowerBound &+ place]
          let isNamed = named[Int(country >> 6)] &>> UInt64(country & 63) & 1
          passing |= isNamed &<< UInt64(truncatingIfNeeded: place)
        }
        return passing
      }
    }
  }

  private func among(
    _ rows: RowSet, _ segment: PointSegment, _ slots: Range<Int>
  ) -> UInt64 {
    segment.rowids.withUnsafeBufferPointer { column in
      var passing: UInt64 = 0
      for place in 0..<slots.count {
        let isAmong: UInt64 = rows.contains(column[slots.lowerBound &+ place]) ? 1 : 0
        passing |= isAmong &<< UInt64(truncatingIfNeeded: place)
      }
      return passing
    }
  }

  private func due(
    in ranges: [ClosedRange<UInt16>], _ segment: PointSegment, _ slots: Range<Int>
  ) -> UInt64 {
    segment.dueDays.withUnsafeBufferPointer { days in
      var passing: UInt64 = 0
      for range in ranges {
        for place in 0..<slots.count {
          let day = days[slots.lowerBound &+ place]
          let lies: UInt64 = (day >= range.lowerBound ? 1 : 0) & (day <= range.upperBound ? 1 : 0)
          passing |= lies &<< UInt64(truncatingIfNeeded: place)
        }
      }
      return passing
    }
  }
}

extension PointIndex {
  /// The filter's matcher for this snapshot.
  func matcher(_ filter: PointFilter) -> PointMatcher {
    PointMatcher(filter, boxes: filter.effectiveBoxes, profiles: dictionary.profiles)
  }
}

extension PointMatcher {
  /// Whether a point of the box could lie in one of the filter's boxes.
  func mayMatch(_ box: FixedBox) -> Bool {
    boxes?.contains { $0.overlaps(box) } ?? true
  }
}
