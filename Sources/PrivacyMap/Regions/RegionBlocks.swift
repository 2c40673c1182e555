import Locking

/// The blocks of a segment that have points in a region, and which of their points.
///
/// Neither a segment nor a region changes, so the blocks are found once. Later counts read no positions.
struct RegionBlocks: Sendable {
  /// The number of the segment.
  let segment: UInt64
  private let runs: [PointSegment.BlockRun]
  /// The points in the region, one bit each, of each block of the runs that are not wholly inside.
  private let masks: [UInt64]

  init(_ region: Region, _ segment: PointSegment) {
    self.segment = segment.number
    let runs = segment.runs(in: [region.bounds], and: [region])
    self.runs = runs
    masks = segment.longitudes.withUnsafeBufferPointer { longitudes in
      segment.latitudes.withUnsafeBufferPointer { latitudes in
        var masks: [UInt64] = []
        for run in runs where !run.isInside {
          for block in run.blocks {
            let slots = PointSegment.slots(ofBlock: block, count: segment.count)
            masks.append(region.passing(.max, longitudes, latitudes, slots))
          }
        }
        return masks
      }
    }
  }

  /// Calls `body` for each block, with one bit per point in the region.
  @inline(__always)
  func forEach(_ body: (_ block: Int, _ within: UInt64) -> Void) {
    var next = 0
    for run in runs {
      for block in run.blocks {
        if run.isInside {
          body(block, .max)
        } else {
          body(block, masks[next])
          next &+= 1
        }
      }
    }
  }
}

extension Region {
  /// Smaller segments change often and are quickly searched.
  private static let minKept = 4_096
  private static let maxKept = 2

  /// The blocks of a segment with points in the region.
  func blocks(of segment: PointSegment) -> RegionBlocks {
    guard segment.count >= Self.minKept else { return RegionBlocks(self, segment) }
    if let known = known.withLock({ $0.first { $0.segment == segment.number } }) { return known }
    let made = RegionBlocks(self, segment)
    known.withLock { known in
      guard !known.contains(where: { $0.segment == made.segment }) else { return }
      known.insert(made, at: 0)
      if known.count > Self.maxKept { known.removeLast() }
    }
    return made
  }
}
