/// One page of rows, and how many rows there are in all.
package struct PointPage: Hashable, Sendable {
  /// Rising, so in the order of adding.
  package var rowids: [UInt32]
  /// How many devices pass the filter, on this page or not.
  package var total: Int
}

extension PointIndex {
  /// A page in the order of adding, with the exact total.
  ///
  /// A page may start anywhere, so it stays right while rows are added: they come after the last.
  ///
  /// - Parameters:
  ///   - filter: which devices.
  ///   - rowid: the last row of the page before; `nil` for the first page.
  ///   - limit: rows at most; nothing but the total is found below 1.
  /// - Returns: rising rowids, and how many there are on all pages.
  package func rowids(
    matching filter: PointFilter, after rowid: UInt32? = nil, limit: Int
  ) -> PointPage {
    guard limit > 0 else { return PointPage(rowids: [], total: count(matching: filter)) }
    if let total = worldCount(filter) {
      if total == 0 { return PointPage(rowids: [], total: 0) }
      if let rowids = walk(filter, after: rowid, limit: limit) {
        return PointPage(rowids: rowids, total: total)
      }
    }
    return scan(filter, after: rowid, limit: limit)
  }

  /// One pass over all that passes, keeping the least rowids.
  private func scan(_ filter: PointFilter, after rowid: UInt32?, limit: Int) -> PointPage {
    var matcher = matcher(filter)
    var total = 0
    var least = MaxHeap<UInt32>()
    // The first and the last rowid that may still enter the page.
    let earliest = rowid.map { UInt64($0) + 1 } ?? 0
    var latest = UInt64(UInt32.max)
    for entry in segments {
      matcher.forEachBlock(of: entry) { block, passing in
        total &+= passing.nonzeroBitCount
        let rowids = entry.segment.rowids
        let first = block * PointSegment.blockSize
        var rest = passing
        while rest != 0 {
          let rowid = rowids[first &+ rest.trailingZeroBitCount]
          rest &= rest &- 1
          guard UInt64(rowid) >= earliest, UInt64(rowid) <= latest else { continue }
          least.offer(rowid, limit: limit)
          if least.count >= limit, let top = least.top { latest = UInt64(top) }
        }
      }
    }
    return PointPage(rowids: least.sorted(), total: total)
  }

  /// Walks all rows in the order of adding until the page is full; `nil` when so few of them pass
  /// that one pass over everything is cheaper.
  private func walk(_ filter: PointFilter, after rowid: UInt32?, limit: Int) -> [UInt32]? {
    var accepted = [UInt8](repeating: 0, count: dictionary.profiles.count)
    var page: [UInt32] = []
    var ranks = segments.map { entry in
      guard let rowid else { return 0 }
      return rowid == .max ? entry.segment.count : entry.segment.rank(ofRowid: rowid + 1)
    }
    // A step, at random places of memory, costs some fifty times a step of the pass.
    for _ in 0..<max(1_024, count / 64) {
      guard let (place, slot) = nextRow(&ranks) else { return page }
      guard segments[place].isLive(slot) else { continue }
      let number = Int(segments[place].segment.profiles[slot])
      if accepted[number] == 0 {
        accepted[number] = filter.accepts(dictionary.profiles[number]) ? 2 : 1
      }
      guard accepted[number] == 2 else { continue }
      page.append(segments[place].segment.rowids[slot])
      if page.count == limit { return page }
    }
    return nil
  }

  /// The segment and slot of the least row that is still ahead, dead or alive.
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
