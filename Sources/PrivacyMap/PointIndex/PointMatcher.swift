/// A filter at work on one snapshot: says of each block which points pass.
///
/// Profiles are judged when first met and remembered, so a small box does not pay for a large
/// dictionary, and the whole world pays once per profile.
struct PointMatcher {
  let filter: PointFilter
  /// Where to look; `nil` for the world.
  let boxes: [FixedBox]?
  private let profiles: [DeviceProfile]
  private let judgesProfiles: Bool
  private let judgesRows: Bool
  private var verdicts: [UInt8]
  /// One bit a packed country; empty unless the filter names countries.
  private let countries: [UInt64]

  private static let refused: UInt8 = 1
  private static let accepted: UInt8 = 2

  /// - Parameter boxes: stands in for the filter's own boxes.
  init(_ filter: PointFilter, boxes: [FixedBox]?, profiles: [DeviceProfile]) {
    self.filter = filter
    self.boxes = boxes
    self.profiles = profiles
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

  /// Which points of a block pass, one bit each.
  ///
  /// - Parameter isInside: the caller knows that all of the block lies in one of the boxes.
  mutating func passing(_ entry: LiveSegment, block: Int, isInside: Bool) -> UInt64 {
    var passing = entry.live[block]
    let slots = entry.segment.slots(ofBlock: block)
    if !isInside { passing &= lying(in: entry.segment, slots) }
    if judgesProfiles, passing != 0 { passing = judged(passing, entry.segment, slots) }
    if judgesRows, passing != 0 { passing = rowsPassing(passing, entry.segment, slots) }
    return passing
  }

  private func lying(in segment: PointSegment, _ slots: Range<Int>) -> UInt64 {
    guard let boxes else { return .max }
    let longitudes = segment.longitudes
    let latitudes = segment.latitudes
    var found: UInt64 = 0
    for box in boxes {
      for place in 0..<slots.count {
        let x = longitudes[slots.lowerBound &+ place]
        let y = latitudes[slots.lowerBound &+ place]
        // Four comparisons without a branch beat four guesses.
        let lies = (x >= box.west ? 1 : 0) & (x <= box.east ? 1 : 0) & (y >= box.south ? 1 : 0)
          & (y <= box.north ? 1 : 0) as UInt64
        found |= lies << UInt64(truncatingIfNeeded: place)
      }
    }
    return found
  }

  private mutating func judged(
    _ candidates: UInt64, _ segment: PointSegment, _ slots: Range<Int>
  ) -> UInt64 {
    let numbers = segment.profiles
    var passing: UInt64 = 0
    var rest = candidates
    while rest != 0 {
      let place = rest.trailingZeroBitCount
      rest &= rest &- 1
      let number = Int(numbers[slots.lowerBound &+ place])
      var verdict = verdicts[number]
      if verdict == 0 {
        verdict = filter.accepts(profiles[number]) ? Self.accepted : Self.refused
        verdicts[number] = verdict
      }
      passing |= UInt64(verdict >> 1) &<< UInt64(truncatingIfNeeded: place)
    }
    return passing
  }

  private func rowsPassing(
    _ candidates: UInt64, _ segment: PointSegment, _ slots: Range<Int>
  ) -> UInt64 {
    var passing = candidates
    var rest = candidates
    while rest != 0 {
      let place = rest.trailingZeroBitCount
      rest &= rest &- 1
      if !acceptsRow(segment, slots.lowerBound + place) { passing &= ~(1 << UInt64(place)) }
    }
    return passing
  }

  private func acceptsRow(_ segment: PointSegment, _ slot: Int) -> Bool {
    if !countries.isEmpty {
      let country = segment.countries[slot]
      guard countries[Int(country >> 6)] >> UInt64(country & 63) & 1 == 1 else { return false }
    }
    guard let ranges = filter.dueDays else { return true }
    let day = segment.dueDays[slot]
    return ranges.contains { $0.contains(day) }
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
