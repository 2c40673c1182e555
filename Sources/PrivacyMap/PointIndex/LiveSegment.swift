/// A segment with a mark for each point that is still valid.
struct LiveSegment: Sendable {
  let segment: PointSegment
  /// One word per block. A set bit marks a live point. Bits past the last point are never set.
  private(set) var live: [UInt64]
  private(set) var liveCount: Int

  /// Creates a segment in which all points are live.
  init(_ segment: PointSegment) {
    self.segment = segment
    liveCount = segment.count
    live = [UInt64](repeating: .max, count: segment.blockCount)
    let rest = segment.count % PointSegment.blockSize
    if rest > 0, let last = live.indices.last { live[last] = (1 << UInt64(rest)) - 1 }
  }

  var deadCount: Int { segment.count - liveCount }

  /// The live slot of a row, if any.
  func liveSlot(ofRowid rowid: UInt32) -> Int? {
    guard let slot = segment.slot(ofRowid: rowid), isLive(slot) else { return nil }
    return slot
  }

  func isLive(_ slot: Int) -> Bool {
    live[slot >> 6] >> UInt64(slot & 63) & 1 == 1
  }

  mutating func kill(_ slot: Int) {
    live[slot >> 6] &= ~(1 << UInt64(slot & 63))
    liveCount -= 1
  }

  /// The columns used for matching, as plain memory.
  struct Columns {
    let live: UnsafeBufferPointer<UInt64>
    let longitudes: UnsafeBufferPointer<Int32>
    let latitudes: UnsafeBufferPointer<Int32>
    let rowids: UnsafeBufferPointer<UInt32>
    let profiles: UnsafeBufferPointer<UInt32>
    let countries: UnsafeBufferPointer<UInt16>
    let dueDays: UnsafeBufferPointer<UInt16>

    /// The slots in a block.
    func slots(ofBlock block: Int) -> Range<Int> {
      PointSegment.slots(ofBlock: block, count: rowids.count)
    }
  }

  /// Provides direct access to the columns while `body` runs. Access through the arrays would retain and release each
  /// array for every block of 64 points, which took longer than matching the points.
  @inline(__always)
  func withColumns<R>(_ body: (Columns) -> R) -> R {
    live.withUnsafeBufferPointer { live in
      segment.longitudes.withUnsafeBufferPointer { longitudes in
        segment.latitudes.withUnsafeBufferPointer { latitudes in
          segment.rowids.withUnsafeBufferPointer { rowids in
            segment.profiles.withUnsafeBufferPointer { profiles in
              segment.countries.withUnsafeBufferPointer { countries in
                segment.dueDays.withUnsafeBufferPointer { dueDays in
                  body(
                    Columns(
                      live: live, longitudes: longitudes, latitudes: latitudes, rowids: rowids,
                      profiles: profiles, countries: countries, dueDays: dueDays))
                }
              }
            }
          }
        }
      }
    }
  }

  func forEachLiveSlot<Failure: Error>(
    _ body: (Int) throws(Failure) -> Void
  ) throws(Failure) {
    for (block, word) in live.enumerated() {
      var rest = word
      while rest != 0 {
        try body(block * PointSegment.blockSize + rest.trailingZeroBitCount)
        rest &= rest - 1
      }
    }
  }
}
