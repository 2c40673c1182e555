/// Counts of devices in the cells of a grid.
package struct PointGrid: Hashable, Sendable {
  /// A cell (a Web Mercator tile) and its number of devices, at least 1.
  package struct Cell: Hashable, Sendable {
    package var x, y: UInt32
    package var count: Int
  }

  /// Cells that contain devices, ordered by row and then by column.
  package var cells: [Cell]
  /// The number of devices that are in no cell, because their position is less precise than a cell.
  package var coarser: Int
}

extension Precision {
  /// The highest zoom at which devices of this precision are counted in cells.
  ///
  /// A public point is the centre of a square, and the device is somewhere in that square. In a cell smaller than the
  /// square, the count would claim more precision than the data has. Up to 60° from the equator, the cells of this
  /// zoom are at least nine tenths as wide as the square. A cell is 40,075 km divided by 2^zoom wide at the equator,
  /// and half of that at 60°.
  package var finestGridZoom: Int {
    switch self {
    case .exact, .hundredMetres: PointIndex.gridZooms.upperBound
    case .kilometre: 14
    case .area: 11
    }
  }
}

extension PointIndex {
  /// The available zooms of grids. At 60° the cells of the last zoom are 153 metres wide, enough for the square of
  /// the finest coarse precision.
  package static let gridZooms = 0...17

  /// Counts the matching devices in the cells of a Web Mercator zoom.
  ///
  /// - Parameters:
  ///   - zoom: 0…17. Other values are replaced by the nearest of these.
  ///   - precisions: indexed by ``DeviceProfile/precision``. Unknown numbers count as exact.
  ///   - filter: which devices.
  /// - Returns: the cells that contain devices, and the number of devices in no cell.
  package func grid(
    zoom: Int, precisions: [Precision], matching filter: PointFilter
  ) -> PointGrid {
    let zoom = min(max(zoom, Self.gridZooms.lowerBound), Self.gridZooms.upperBound)
    let isCoarser = (0...255).map { number in
      precisions.indices.contains(number) && precisions[number].finestGridZoom < zoom
    }
    let side = Double(1 << zoom)
    var numbers = KeyNumbers()
    var counts: [Int] = []
    var coarser = 0
    func part(_ share: Double) -> UInt32 { UInt32(min(max(share * side, 0), side - 1)) }
    let profiles = dictionary.profiles
    forEachSlot(filter, GroupFinder([])) { _, segment, slot in
      if isCoarser[Int(profiles[Int(segment.profiles[slot])].precision)] {
        coarser &+= 1
        return
      }
      let x = part(WebMercator.x(longitudeUnits: Double(segment.longitudes[slot])))
      let y = part(WebMercator.y(latitudeUnits: Double(segment.latitudes[slot])))
      let number = numbers.number(of: UInt64(y) << 32 | UInt64(x))
      if number == counts.count { counts.append(0) }
      counts[number] &+= 1
    }
    let cells = zip(numbers.keys, counts).sorted { $0.0 < $1.0 }.map { key, count in
      PointGrid.Cell(
        x: UInt32(truncatingIfNeeded: key), y: UInt32(truncatingIfNeeded: key >> 32), count: count)
    }
    return PointGrid(cells: cells, coarser: coarser)
  }

  /// The number of cells that the boxes of a filter touch. Without boxes, all cells of the zoom.
  package static func gridCellCount(zoom: Int, boxes: [FixedBox]?) -> Int {
    let side = Double(1 << min(max(zoom, gridZooms.lowerBound), gridZooms.upperBound))
    return (boxes ?? [.world]).filter { !$0.isEmpty }.reduce(0) { sum, box in
      func part(_ share: Double) -> Int { Int(min(max(share * side, 0), side - 1)) }
      let west = part(WebMercator.x(longitudeUnits: Double(box.west)))
      let east = part(WebMercator.x(longitudeUnits: Double(box.east)))
      let north = part(WebMercator.y(latitudeUnits: Double(box.north)))
      let south = part(WebMercator.y(latitudeUnits: Double(box.south)))
      return sum + (east - west + 1) * (south - north + 1)
    }
  }
}
