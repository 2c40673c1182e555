/// The order in which points are stored: along a Hilbert curve over the whole world, so that
/// neighbours on the map are mostly neighbours in memory.
enum HilbertCurve {
  /// How far along the curve a position lies, with `order` bits for each axis, at most 32.
  static func distance(longitude: Int32, latitude: Int32, order: Int) -> UInt64 {
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
      if upperHalf == 0 {
        // Each quarter is the whole curve turned; without branches on the coordinates it would
        // be a table, which is no faster here.
        if rightHalf == 1 {
          x = ~x
          y = ~y
        }
        swap(&x, &y)
      }
      bit -= 1
    }
    return distance
  }
}
