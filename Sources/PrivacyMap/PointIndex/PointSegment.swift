internal import Synchronization

/// Immutable points in Hilbert order, with a tree of bounding boxes over blocks of 64 points.
///
/// A block has as many points as a word has bits, so one `UInt64` can mark the points of a block.
final class PointSegment: Sendable {
  /// Differs for every segment of the process.
  let number: UInt64
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
  /// All slots by ascending rowid, to find a row and to walk in the order of insertion.
  let slotsByRowid: [UInt32]
  /// The boxes of all levels in sequence, starting with the boxes of the blocks.
  let boxes: [FixedBox]
  /// The range of each level in ``boxes``. The last level has one box.
  let levels: [Range<Int>]

  private static let last = Atomic<UInt64>(0)

  /// Points per block.
  static let blockSize = 64
  /// Boxes under one box of the level above.
  static let fanOut = 16

  /// Sorts the points and builds the tree.
  ///
  /// - Parameter columns: points with distinct rowids, in any order.
  init(sorting columns: consuming PointColumns) {
    columns.sort()
    number = Self.last.wrappingAdd(1, ordering: .relaxed).newValue
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

  /// The slots of a block in a segment of `count` points.
  static func slots(ofBlock block: Int, count: Int) -> Range<Int> {
    let first = block * blockSize
    return first..<min(first + blockSize, count)
  }

  func position(at slot: Int) -> FixedPosition {
    FixedPosition(longitude: longitudes[slot], latitude: latitudes[slot])
  }

  /// The place in ``slotsByRowid`` of the first row at or after `rowid`.
  func rank(ofRowid rowid: UInt32) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if rowids[Int(slotsByRowid[middle])] < rowid { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The slot of a row, whether it is live or dead.
  func slot(ofRowid rowid: UInt32) -> Int? {
    let rank = rank(ofRowid: rowid)
    guard rank < count else { return nil }
    let slot = Int(slotsByRowid[rank])
    return rowids[slot] == rowid ? slot : nil
  }

  /// Consecutive blocks that may contain points of the searched boxes.
  struct BlockRun {
    var blocks: Range<Int>
    /// Whether all blocks lie inside one of the boxes and inside all regions.
    let isInside: Bool
  }

  /// Lists the blocks that may contain points of these boxes and regions, in ascending order.
  ///
  /// The result is a list and not a visitor: the caller then processes the blocks in a separate loop, without retain
  /// and release calls.
  ///
  /// - Parameters:
  ///   - searched: the boxes. `nil` means the whole world.
  ///   - regions: areas, in each of which the points must be. Only with boxes.
  /// - Returns: runs in ascending order that do not overlap.
  func runs(in searched: [FixedBox]?, and regions: [Region] = []) -> [BlockRun] {
    guard let top = levels.indices.last else { return [] }
    guard let searched else { return [BlockRun(blocks: 0..<blockCount, isInside: true)] }
    var runs: [BlockRun] = []
    descend(level: top, node: 0, searched, regions, to: &runs)
    return runs
  }

  private func descend(
    level: Int, node: Int, _ searched: [FixedBox], _ regions: [Region], to runs: inout [BlockRun]
  ) {
    let box = boxes[levels[level].lowerBound + node]
    var overlaps = false
    var isInside = false
    for other in searched where other.overlaps(box) {
      overlaps = true
      if other.contains(box) { isInside = true }
    }
    guard overlaps else { return }
    for region in regions {
      switch region.relation(to: box) {
      case .outside: return
      case .inside: break
      case .crossed: isInside = false
      }
    }
    if isInside || level == 0 {
      let run = BlockRun(blocks: blocks(under: node, level: level), isInside: isInside)
      Self.append(run, to: &runs)
    } else {
      for child in children(of: node, level: level) {
        descend(level: level - 1, node: child, searched, regions, to: &runs)
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

  /// The children of a node in the level below.
  func children(of node: Int, level: Int) -> Range<Int> {
    node * Self.fanOut..<min((node + 1) * Self.fanOut, levels[level - 1].count)
  }

  /// The blocks under a node.
  private func blocks(under node: Int, level: Int) -> Range<Int> {
    var width = 1
    for _ in 0..<level { width *= Self.fanOut }
    return node * width..<min((node + 1) * width, blockCount)
  }

  /// Memory in bytes.
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
    // Usually almost no rowid is missing, so a table indexed by rowid is efficient.
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
        // No slice here: a slice that is still alive when the box is appended makes a copy of all
        // boxes.
        var box = FixedBox.nothing
        for member in first..<min(first + fanOut, below.upperBound) { box.formUnion(boxes[member]) }
        boxes.append(box)
      }
      levels.append(below.upperBound..<boxes.count)
    }
    return (boxes, levels)
  }
}
