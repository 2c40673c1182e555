/// One tile of the WebMercatorQuad tile matrix set: zoom, column from the west, row from the north.
package struct TileAddress: Hashable, Sendable {
  /// 0…22.
  package let z: Int
  /// 0…2^z − 1, west to east.
  package let x: Int
  /// 0…2^z − 1, north to south.
  package let y: Int

  /// The supported zooms.
  package static let zooms = 0...22

  /// A tile. `nil` if the zoom, column or row is out of range.
  package init?(z: Int, x: Int, y: Int) {
    guard Self.zooms.contains(z) else { return nil }
    let side = 1 << z
    guard (0..<side).contains(x), (0..<side).contains(y) else { return nil }
    self.z = z
    self.x = x
    self.y = y
  }

  /// The tile in which a place is drawn. On an edge between two tiles, it is the eastern or the
  /// southern one. Beyond 85.0511° it is the last tile of the column.
  ///
  /// `nil` for a zoom that is not supported.
  package init?(z: Int, containing place: Coordinate) {
    guard Self.zooms.contains(z) else { return nil }
    let position = FixedPosition(place)
    let side = 1 << z
    self.init(
      z: z,
      x: Self.part(of: side) {
        position.longitude >= WebMercator.firstLongitude(part: $0, of: side)
      },
      y: Self.part(of: side) {
        position.latitude <= WebMercator.lastLatitude(part: $0, of: side)
      })
  }

  /// All positions drawn in this tile and in no other tile of the zoom.
  package var box: FixedBox {
    let side = 1 << z
    return FixedBox(
      west: WebMercator.firstLongitude(part: x, of: side),
      south: WebMercator.lastLatitude(part: y + 1, of: side) + 1,
      east: WebMercator.firstLongitude(part: x + 1, of: side) - 1,
      north: WebMercator.lastLatitude(part: y, of: side))
  }

  /// The last part whose edge is reached, found by binary search.
  private static func part(of parts: Int, isReached: (Int) -> Bool) -> Int {
    var low = 0
    var high = parts
    while high - low > 1 {
      let middle = (low + high) / 2
      if isReached(middle) { low = middle } else { high = middle }
    }
    return low
  }
}
