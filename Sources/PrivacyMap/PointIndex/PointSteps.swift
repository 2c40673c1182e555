/// Changes to the devices of a group, per interval.
package struct PointSteps: Hashable, Sendable {
  /// The numbers of devices added and removed before the first interval.
  package var addedBefore = 0
  package var endedBefore = 0
  /// The numbers of devices added, last confirmed and removed in each interval.
  package var added: [Int]
  package var confirmed: [Int]
  package var ended: [Int]

  /// The sum of several results, each over `count` intervals. Zero for no results.
  package init(sum all: some Sequence<PointSteps>, count: Int) {
    self.init(count: count)
    for steps in all {
      addedBefore += steps.addedBefore
      endedBefore += steps.endedBefore
      for (place, numbers) in zip(zip(steps.added, steps.confirmed), steps.ended).enumerated()
      where place < count {
        added[place] += numbers.0.0
        confirmed[place] += numbers.0.1
        ended[place] += numbers.1
      }
    }
  }

  /// Zero changes over `count` intervals.
  init(count: Int) {
    added = [Int](repeating: 0, count: count)
    confirmed = added
    ended = added
  }

  /// The number of devices in place at the end of each interval.
  package var standing: [Int] {
    var standing = addedBefore - endedBefore
    return zip(added, ended).map { added, ended in
      standing += added - ended
      return standing
    }
  }
}

/// Maps days to consecutive intervals.
///
/// Days are counted as in ``IndexedPoint/addedDay``. 0 means no day.
private struct IntervalPlaces {
  /// Indexed by day: 0 for no day, 1 for before the first interval, then the intervals, then one for after them.
  private var places: [UInt16]
  /// The number of places.
  let count: Int

  /// - Parameters:
  ///   - starts: the first day of each interval, in ascending order, at most 60,000.
  ///   - end: the day after the last interval.
  init(starts: [Int], end: Int) {
    count = starts.count + 3
    places = [UInt16](repeating: 0, count: 1 << 16)
    var place: UInt16 = 1
    var next = 0
    let edges = starts + [end]
    for day in 1..<places.count {
      while next < edges.count, edges[next] <= day {
        place += 1
        next += 1
      }
      places[day] = place
    }
  }

  subscript(day: UInt16) -> Int { Int(places[Int(day)]) }
}

extension PointIndex {
  /// The first day on which one of the matching devices was added. Nil if no device matches.
  package func firstAddedDay(matching filter: PointFilter) -> UInt16? {
    var first: UInt16?
    forEachSlot(filter, GroupFinder([])) { _, segment, slot in
      let day = segment.addedDays[slot]
      if day < first ?? .max { first = day }
    }
    return first
  }

  /// Changes to the matching devices, per group and interval.
  ///
  /// - Parameters:
  ///   - groups: the groups to report. Other groups are ignored.
  ///   - groupings: the properties that form the groups.
  ///   - starts: the first day of each interval, in ascending order, at most 60,000 (days since
  ///     2000-01-01).
  ///   - end: the day after the last interval.
  ///   - filter: selects the devices, whether or not they are still in place.
  /// - Returns: the steps of each group, in the order of `groups`.
  package func steps(
    of groups: [PointGroup], by groupings: [PointGrouping], starts: [Int], end: Int,
    matching filter: PointFilter
  ) -> [PointSteps] {
    let places = IntervalPlaces(starts: starts, end: end)
    var numbers = KeyNumbers()
    for group in groups { _ = numbers.number(of: group.key) }
    let size = groups.count * places.count
    var added = [Int](repeating: 0, count: size)
    var confirmed = added
    var ended = added
    forEachSlot(filter, GroupFinder(groupings)) { codes, segment, slot in
      let addedPlace = places[segment.addedDays[slot]]
      let confirmedPlace = places[segment.confirmedDays[slot]]
      let endedPlace = places[segment.endedDays[slot]]
      GroupFinder.forEachKey(of: codes) { key in
        guard let number = numbers.known(key) else { return }
        let row = number &* places.count
        added[row &+ addedPlace] &+= 1
        confirmed[row &+ confirmedPlace] &+= 1
        ended[row &+ endedPlace] &+= 1
      }
    }
    return groups.indices.map { group in
      let row = group * places.count
      let intervals = row + 2..<row + 2 + starts.count
      var steps = PointSteps(count: 0)
      steps.addedBefore = added[row + 1]
      steps.endedBefore = ended[row + 1]
      steps.added = Array(added[intervals])
      steps.confirmed = Array(confirmed[intervals])
      steps.ended = Array(ended[intervals])
      return steps
    }
  }
}
