/// A segment and which of its points still count.
struct LiveSegment: Sendable {
  let segment: PointSegment
  /// One word a block; a set bit is a live point. Bits past the last point are never set.
  private(set) var live: [UInt64]
  private(set) var liveCount: Int

  /// A segment of which all points are live.
  init(_ segment: PointSegment) {
    self.segment = segment
    liveCount = segment.count
    live = [UInt64](repeating: .max, count: segment.blockCount)
    let rest = segment.count % PointSegment.blockSize
    if rest > 0, let last = live.indices.last { live[last] = (1 << UInt64(rest)) - 1 }
  }

  var deadCount: Int { segment.count - liveCount }

  /// The live slot of a row.
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

  /// What points are judged by, as plain memory.
  struct Columns {
    let live: UnsafeBufferPointer<UInt64>
    let longitudes: UnsafeBufferPointer<Int32>
    let latitudes: UnsafeBufferPointer<Int32>
    let rowids: UnsafeBufferPointer<UInt32>
    let profiles: UnsafeBufferPointer<UInt32>
    let countries: UnsafeBufferPointer<UInt16>
    let dueDays: UnsafeBufferPointer<UInt16>

    /// The slots of a block.
    func slots(ofBlock block: Int) -> Range<Int> {
      PointSegment.slots(ofBlock: block, count: rowids.count)
    }
  }

  /// Lends the columns for as long as `body` runs: asked of the arrays, each block of 64 points would
  /// retain and release every one of them, which took longer than looking at its points.
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
