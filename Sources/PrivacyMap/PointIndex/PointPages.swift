/// One page of rows, and the total number of rows.
package struct PointPage: Hashable, Sendable {
  /// In ascending order, which is the order of insertion.
  package var rowids: [UInt32] = []
  /// The list data of each of ``rowids``.
  package var listings: [ListedPlace] = []
  /// The number of devices on all pages that match the filter.
  package var total: Int
}

extension PointIndex {
  /// A page in the order of insertion, with the exact total.
  ///
  /// Paging stays correct while rows are added, because new rows come after the last row.
  ///
  /// - Parameters:
  ///   - filter: selects the devices.
  ///   - rowid: the last row of the previous page. `nil` for the first page.
  ///   - limit: the maximum number of rows. Below 1, only the total is computed.
  /// - Returns: rowids in ascending order, and the total on all pages.
  package func rowids(
    matching filter: PointFilter, after rowid: UInt32? = nil, limit: Int
  ) -> PointPage {
    guard limit > 0 else { return PointPage(total: count(matching: filter)) }
    if let total = worldCount(filter) {
      if total == 0 { return PointPage(total: 0) }
      if let rows = walk(filter, after: rowid, limit: limit) { return page(rows, total: total) }
    }
    return scan(filter, after: rowid, limit: limit)
  }

  /// All matching rows, in ascending order.
  package func rowids(matching filter: PointFilter) -> [Int64] {
    var matcher = matcher(filter)
    var found: [Int64] = []
    for entry in segments {
      matcher.forEachBlock(of: entry) { block, passing in
        var rest = passing
        while rest != 0 {
          let slot = block * PointSegment.blockSize + rest.trailingZeroBitCount
          found.append(Int64(entry.segment.rowids[slot]))
          rest &= rest &- 1
        }
      }
    }
    found.sort()
    return found
  }

  /// The list data of a device. Nil if there is no such device.
  package func listing(ofRowid rowid: UInt32) -> ListedPlace? {
    for entry in segments.reversed() {
      if let slot = entry.liveSlot(ofRowid: rowid) { return listing(entry.segment, slot) }
    }
    return nil
  }

  private func listing(_ segment: PointSegment, _ slot: Int) -> ListedPlace {
    let key = ListingKey.of(
      rowid: segment.rowids[slot], at: segment.position(at: slot),
      category: dictionary.profiles[Int(segment.profiles[slot])].category)
    return ListedPlace(key: key, operatorRow: segment.operatorRows[slot])
  }

  /// A row and its slot, counted across all segments. Ordered by row.
  private struct Place: Comparable {
    let packed: UInt64

    init(rowid: UInt32, slot: Int) {
      packed = UInt64(rowid) << 32 | UInt64(UInt32(truncatingIfNeeded: slot))
    }

    var rowid: UInt32 { UInt32(truncatingIfNeeded: packed >> 32) }
    var slot: Int { Int(UInt32(truncatingIfNeeded: packed)) }

    static func < (one: Place, other: Place) -> Bool { one.packed < other.packed }
  }

  private func page(_ places: [Place], total: Int) -> PointPage {
    var page = PointPage(total: total)
    page.rowids.reserveCapacity(places.count)
    page.listings.reserveCapacity(places.count)
    for place in places {
      var slot = place.slot
      for entry in segments {
        if slot < entry.segment.count {
          page.rowids.append(place.rowid)
          page.listings.append(listing(entry.segment, slot))
          break
        }
        slot -= entry.segment.count
      }
    }
    return page
  }

  /// Scans all matching points once and keeps the least rowids.
  private func scan(_ filter: PointFilter, after rowid: UInt32?, limit: Int) -> PointPage {
    var matcher = matcher(filter)
    var total = 0
    var least = MaxHeap<Place>()
    // The number of slots in all previous segments.
    var base = 0
    // The first and the last rowid that can still be on the page.
    let earliest = rowid.map { UInt64($0) + 1 } ?? 0
    var latest = UInt64(UInt32.max)
    for entry in segments {
      let rowids = entry.segment.rowids
      matcher.forEachBlock(of: entry) { block, passing in
        total &+= passing.nonzeroBitCount
        let first = block * PointSegment.blockSize
        var rest = passing
        while rest != 0 {
          let bit = rest.trailingZeroBitCount
          let rowid = rowids[first &+ bit]
          rest &= rest &- 1
          guard UInt64(rowid) >= earliest, UInt64(rowid) <= latest else { continue }
          let slot = base &+ first &+ bit
          least.offer(Place(rowid: rowid, slot: slot), limit: limit)
          if least.count >= limit, let top = least.top { latest = UInt64(top.rowid) }
        }
      }
      base += entry.segment.count
    }
    return page(least.sorted(), total: total)
  }

  /// Walks all rows in the order of insertion until the page is full. `nil` if so few rows match
  /// that a complete scan is cheaper.
  private func walk(_ filter: PointFilter, after rowid: UInt32?, limit: Int) -> [Place]? {
    let profileFilter = ProfileFilter(filter)
    var accepted = [UInt8](repeating: 0, count: dictionary.profiles.count)
    var page: [Place] = []
    var bases: [Int] = []
    var count = 0
    for entry in segments {
      bases.append(count)
      count += entry.segment.count
    }
    var ranks = segments.map { entry in
      guard let rowid else { return 0 }
      return rowid == .max ? entry.segment.count : entry.segment.rank(ofRowid: rowid + 1)
    }
    // A step reads random memory and costs some fifty times as much as a step of the scan.
    for _ in 0..<max(1_024, self.count / 64) {
      guard let (place, slot) = nextRow(&ranks) else { return page }
      guard segments[place].isLive(slot) else { continue }
      let number = Int(segments[place].segment.profiles[slot])
      if accepted[number] == 0 {
        accepted[number] = profileFilter.accepts(dictionary.profiles[number]) ? 2 : 1
      }
      guard accepted[number] == 2 else { continue }
      let rowid = segments[place].segment.rowids[slot]
      page.append(Place(rowid: rowid, slot: bases[place] + slot))
      if page.count == limit { return page }
    }
    return nil
  }

  /// The segment and slot of the next row, whether it is live or dead.
  private func nextRow(_ ranks: inout [Int]) -> (place: Int, slot: Int)? {
    var next: (place: Int, slot: Int, rowid: UInt32)?
    for (place, entry) in segments.enumerated() where ranks[place] < entry.segment.count {
      let slot = Int(entry.segment.slotsByRowid[ranks[place]])
      let rowid = entry.segment.rowids[slot]
      if let next, next.rowid <= rowid { continue }
      next = (place, slot, rowid)
    }
    guard let next else { return nil }
    ranks[next.place] += 1
    return (next.place, next.slot)
  }
}
