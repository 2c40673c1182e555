/// The storage order of points: a Hilbert curve over the whole world, so that neighbours on the map
/// are usually neighbours in memory.
package enum HilbertCurve {
  /// The distance of a position along the curve, with `order` bits per axis, at most 32.
  package static func distance(longitude: Int32, latitude: Int32, order: Int) -> UInt64 {
    // 3,600,000,000 longitudes fit in 32 bits. Latitudes are doubled to span the same range.
    let shift = UInt32(32 - order)
    var x = UInt32(truncatingIfNeeded: Int64(longitude) + 1_800_000_000) >> shift
    var y = UInt32(truncatingIfNeeded: (Int64(latitude) + 900_000_000) * 2) >> shift
    var distance: UInt64 = 0
    var bit = order - 1
    while bit >= 0 {
      let rightHalf = x >> UInt32(bit) & 1
      let upperHalf = y >> UInt32(bit) & 1
      distance = distance << 2 | UInt64((3 &* rightHalf) ^ upperHalf)
      // Each quarter is the whole curve rotated: the lower quarters swap x and y, and the lower
      // right one also mirrors both. Uses masks because branches would be unpredictable.
      let swaps = upperHalf &- 1
      let mirror = swaps & (0 &- rightHalf)
      let difference = (x ^ y) & swaps
      x ^= difference ^ mirror
      y ^= difference ^ mirror
      bit -= 1
    }
    return distance
  }
}
