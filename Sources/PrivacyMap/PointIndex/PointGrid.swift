/// Devices counted in the cells of a grid.
package struct PointGrid: Hashable, Sendable {
  /// A cell: a tile of Web Mercator, and how many devices stand in it, at least 1.
  package struct Cell: Hashable, Sendable {
    package var x, y: UInt32
    package var count: Int
  }

  /// Cells with devices in them, by row and then by column.
  package var cells: [Cell]
  /// How many devices are not in the cells, because their place is known less closely than a cell
  /// would say.
  package var coarser: Int
}

extension Precision {
  /// The greatest zoom whose cells a device of this precision may be counted in.
  ///
  /// A public point is the middle of a square that the device stands somewhere in. A cell that is
  /// smaller than the square would say of the middle what holds of the whole. The zoom is the last one
  /// whose cells are, up to 60° from the equator, no narrower than nine tenths of the square: a cell is
  /// 40,075 km divided by 2^zoom wide at the equator, and half of that at 60°.
  package var finestGridZoom: Int {
    switch self {
    case .exact, .hundredMetres: PointIndex.gridZooms.upperBound
    case .kilometre: 14
    case .area: 11
    }
  }
}

extension PointIndex {
  /// The zooms of which grids are made. Cells of the last one are 153 metres wide at 60°, as wide as
  /// the square of the finest of coarse precisions needs.
  package static let gridZooms = 0...17

  /// Counts the devices that pass in the cells of a Web Mercator zoom.
  ///
  /// - Parameters:
  ///   - zoom: 0…17; others are taken as the nearest of them.
  ///   - precisions: by number of ``DeviceProfile/precision``; unknown numbers are taken as exact.
  ///   - filter: which devices.
  /// - Returns: the cells with devices in them, and how many devices are in none.
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

  /// How many cells of a zoom the boxes of a filter touch, the world where it has none.
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
