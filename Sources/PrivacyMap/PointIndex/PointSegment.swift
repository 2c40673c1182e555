/// Points that never change, in Hilbert order, with a tree of boxes over blocks of 64.
///
/// A block is as large as a word has bits, so "which points of this block" is one `UInt64`.
final class PointSegment: Sendable {
  let longitudes: [Int32]
  let latitudes: [Int32]
  let rowids: [UInt32]
  let ids: [DeviceID]
  let profiles: [UInt32]
  let dueDays: [UInt16]
  let countries: [UInt16]
  let bearings: [UInt16]
  let operatorRows: [UInt32]
  let addedDays: [UInt16]
  let confirmedDays: [UInt16]
  let endedDays: [UInt16]
  /// All slots by rising rowid: finds a row, and walks in the order of adding.
  let slotsByRowid: [UInt32]
  /// The boxes of all levels, one after the other, blocks first.
  let boxes: [FixedBox]
  /// Where each level's boxes stand in ``boxes``; the last level has one box.
  let levels: [Range<Int>]

  /// Points in a block.
  static let blockSize = 64
  /// Boxes under a box of the level above.
  static let fanOut = 16

  /// Sorts the points and builds the tree.
  ///
  /// - Parameter columns: points with distinct rowids, in any order.
  init(sorting columns: consuming PointColumns) {
    columns.sort()
    slotsByRowid = Self.slots(byRowid: columns.rowids)
    (boxes, levels) = Self.tree(longitudes: columns.longitudes, latitudes: columns.latitudes)
    longitudes = columns.longitudes
    latitudes = columns.latitudes
    rowids = columns.rowids
    ids = columns.ids
    profiles = columns.profiles
    dueDays = columns.dueDays
    countries = columns.countries
    bearings = columns.bearings
    operatorRows = columns.operatorRows
    addedDays = columns.addedDays
    confirmedDays = columns.confirmedDays
    endedDays = columns.endedDays
  }

  var count: Int { rowids.count }
  var blockCount: Int { levels.first?.count ?? 0 }

  /// The slots of a block among so many points.
  static func slots(ofBlock block: Int, count: Int) -> Range<Int> {
    let first = block * blockSize
    return first..<min(first + blockSize, count)
  }

  func position(at slot: Int) -> FixedPosition {
    FixedPosition(longitude: longitudes[slot], latitude: latitudes[slot])
  }

  /// The place in ``slotsByRowid`` of the first row that is not before `rowid`.
  func rank(ofRowid rowid: UInt32) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if rowids[Int(slotsByRowid[middle])] < rowid { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The slot of a row, dead or alive.
  func slot(ofRowid rowid: UInt32) -> Int? {
    let rank = rank(ofRowid: rowid)
    guard rank < count else { return nil }
    let slot = Int(slotsByRowid[rank])
    return rowids[slot] == rowid ? slot : nil
  }

  /// Blocks that follow each other and may hold points of what is searched.
  struct BlockRun {
    var blocks: Range<Int>
    /// Whether all of them lie inside one of the boxes.
    let isInside: Bool
  }

  /// Lists the blocks that may hold points of these boxes, in order.
  ///
  /// A list rather than visits: what is done with a block then stands in a loop of its own, in which
  /// nothing is retained.
  ///
  /// - Parameter searched: `nil` for the world.
  /// - Returns: runs that do not overlap, rising.
  func runs(in searched: [FixedBox]?) -> [BlockRun] {
    guard let top = levels.indices.last else { return [] }
    guard let searched else { return [BlockRun(blocks: 0..<blockCount, isInside: true)] }
    var runs: [BlockRun] = []
    descend(level: top, node: 0, searched, to: &runs)
    return runs
  }

  private func descend(
    level: Int, node: Int, _ searched: [FixedBox], to runs: inout [BlockRun]
  ) {
    let box = boxes[levels[level].lowerBound + node]
    var overlaps = false
    var isInside = false
    for other in searched where other.overlaps(box) {
      overlaps = true
      if other.contains(box) { isInside = true }
    }
    guard overlaps else { return }
    if isInside || level == 0 {
      let run = BlockRun(blocks: blocks(under: node, level: level), isInside: isInside)
      Self.append(run, to: &runs)
    } else {
      for child in children(of: node, level: level) {
        descend(level: level - 1, node: child, searched, to: &runs)
      }
    }
  }

  private static func append(_ run: BlockRun, to runs: inout [BlockRun]) {
    if let last = runs.last, last.isInside == run.isInside,
      last.blocks.upperBound == run.blocks.lowerBound
    {
      runs[runs.count - 1].blocks = last.blocks.lowerBound..<run.blocks.upperBound
    } else {
      runs.append(run)
    }
  }

  /// The nodes of the level below that a node stands for.
  func children(of node: Int, level: Int) -> Range<Int> {
    node * Self.fanOut..<min((node + 1) * Self.fanOut, levels[level - 1].count)
  }

  /// The blocks that a node stands for.
  private func blocks(under node: Int, level: Int) -> Range<Int> {
    var width = 1
    for _ in 0..<level { width *= Self.fanOut }
    return node * width..<min((node + 1) * width, blockCount)
  }

  /// Bytes held.
  var memoryFootprint: Int {
    let positions = (longitudes.capacity + latitudes.capacity) * 4
    let numbers =
      (rowids.capacity + profiles.capacity + slotsByRowid.capacity + operatorRows.capacity) * 4
    let days =
      (dueDays.capacity + addedDays.capacity + confirmedDays.capacity + endedDays.capacity) * 2
    let shorts = days + (countries.capacity + bearings.capacity) * 2
    let tree = boxes.capacity * MemoryLayout<FixedBox>.stride
    return positions + numbers + shorts + tree + ids.capacity * MemoryLayout<DeviceID>.stride
  }

  private static func slots(byRowid rowids: [UInt32]) -> [UInt32] {
    let greatest = Int(rowids.max() ?? 0)
    // As a rule hardly a row is missing, and each has its place in a table of all.
    guard greatest < 2 * rowids.count else { return slots(bySorting: rowids) }
    let vacant = UInt32.max
    var slots = [UInt32](repeating: vacant, count: greatest + 1)
    for (slot, rowid) in rowids.enumerated() { slots[Int(rowid)] = UInt32(slot) }
    return [UInt32](unsafeUninitializedCapacity: rowids.count) { taken, initialized in
      for slot in slots where slot != vacant {
        taken.initializeElement(at: initialized, to: slot)
        initialized += 1
      }
    }
  }

  private static func slots(bySorting rowids: [UInt32]) -> [UInt32] {
    var keys = [UInt64](unsafeUninitializedCapacity: rowids.count) { keys, initialized in
      for (slot, rowid) in rowids.enumerated() {
        keys.initializeElement(at: slot, to: UInt64(rowid) << 32 | UInt64(slot))
      }
      initialized = rowids.count
    }
    keys.radixSort()
    return keys.map { UInt32(truncatingIfNeeded: $0) }
  }

  private static func tree(
    longitudes: [Int32], latitudes: [Int32]
  ) -> (boxes: [FixedBox], levels: [Range<Int>]) {
    guard !longitudes.isEmpty else { return ([], []) }
    var boxes: [FixedBox] = []
    for first in stride(from: 0, to: longitudes.count, by: blockSize) {
      var box = FixedBox.nothing
      for slot in first..<min(first + blockSize, longitudes.count) {
        box.formUnion(
          FixedBox(FixedPosition(longitude: longitudes[slot], latitude: latitudes[slot])))
      }
      boxes.append(box)
    }
    var levels = [0..<boxes.count]
    while let below = levels.last, below.count > 1 {
      for first in stride(from: below.lowerBound, to: below.upperBound, by: fanOut) {
        // Not by a slice: where it still stands when the box is added, all boxes are copied.
        var box = FixedBox.nothing
        for member in first..<min(first + fanOut, below.upperBound) { box.formUnion(boxes[member]) }
        boxes.append(box)
      }
      levels.append(below.upperBound..<boxes.count)
    }
    return (boxes, levels)
  }
}
