/// The order in which points are stored: along a Hilbert curve over the whole world, so that
/// neighbours on the map are mostly neighbours in memory.
package enum HilbertCurve {
  /// How far along the curve a position lies, with `order` bits for each axis, at most 32.
  package static func distance(longitude: Int32, latitude: Int32, order: Int) -> UInt64 {
    // 3,600,000,000 longitudes fit in 32 bits; latitudes are doubled to span as much.
    let shift = UInt32(32 - order)
    var x = UInt32(truncatingIfNeeded: Int64(longitude) + 1_800_000_000) >> shift
    var y = UInt32(truncatingIfNeeded: (Int64(latitude) + 900_000_000) * 2) >> shift
    var distance: UInt64 = 0
    var bit = order - 1
    while bit >= 0 {
      let rightHalf = x >> UInt32(bit) & 1
      let upperHalf = y >> UInt32(bit) & 1
      distance = distance << 2 | UInt64((3 &* rightHalf) ^ upperHalf)
      // Each quarter is the whole curve turned: the lower ones change x for y, the lower right one
      // both mirrored. Masks instead of branches, which nobody could predict.
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
