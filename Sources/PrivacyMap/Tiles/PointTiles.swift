extension PointIndex {
  /// What a tile shows of the devices that pass.
  ///
  /// Each of the tile's 64 cells shows its devices one by one while they are few enough for the
  /// zoom (``TileContent/singles(atZoom:)``), and one cluster at their mean position otherwise.
  /// Single devices that fall on the same unit of the tile become a cluster of their own. Summed
  /// over all tiles of a zoom, clusters and devices make exactly ``count(matching:)``.
  package func tile(_ address: TileAddress, matching filter: PointFilter) -> TileContent {
    let boxes = filter.effectiveBoxes?.map { $0.intersection(address.box) } ?? [address.box]
    var matcher = PointMatcher(
      filter, boxes: boxes.filter { !$0.isEmpty }, profiles: dictionary.profiles)
    var painter = TilePainter(address, profiles: dictionary.profiles)
    for (place, entry) in segments.enumerated() {
      matcher.forEachBlock(of: entry) { block, passing in
        painter.add(passing, ofBlock: block, entry.segment, place: place)
      }
    }
    return painter.content(segments)
  }
}

/// Gathers the points of one tile, cell by cell.
private struct TilePainter {
  private let grid: TileGrid
  private let singles: Int
  private let profiles: [DeviceProfile]
  private let categories: [UInt8]
  /// Categories counted for each cell: as many as the greatest code asks for.
  private let categoryCount: Int
  private var cells: [Cell]
  private var cellCategories: [UInt32]
  /// Points of cells that had few enough when the point came; some of the cells have more by now.
  private var candidates: [Candidate] = []

  private struct Cell {
    var count = 0
    var longitudes: Int64 = 0
    var latitudes: Int64 = 0
    var box = FixedBox.nothing
  }

  private struct Candidate {
    var cell: Int
    var place: Int
    var slot: Int
  }

  init(_ address: TileAddress, profiles: [DeviceProfile]) {
    grid = TileGrid(address)
    singles = TileContent.singles(atZoom: address.z)
    self.profiles = profiles
    categories = profiles.map(\.category)
    categoryCount = Int(categories.max() ?? 0) + 1
    cells = [Cell](repeating: Cell(), count: TileGrid.side * TileGrid.side)
    cellCategories = [UInt32](repeating: 0, count: cells.count * categoryCount)
  }

  mutating func add(_ passing: UInt64, ofBlock block: Int, _ segment: PointSegment, place: Int) {
    let blockCell = grid.cell(of: segment.boxes[block])
    let first = block * PointSegment.blockSize
    let longitudes = segment.longitudes
    let latitudes = segment.latitudes
    let numbers = segment.profiles
    var rest = passing
    while rest != 0 {
      let offset = rest.trailingZeroBitCount
      rest &= rest &- 1
      let x = longitudes[first &+ offset]
      let y = latitudes[first &+ offset]
      let cell = blockCell ?? grid.cell(longitude: x, latitude: y)
      let category = Int(categories[Int(numbers[first &+ offset])])
      cellCategories[cell * categoryCount + category] &+= 1
      if cells[cell].count < singles {
        candidates.append(Candidate(cell: cell, place: place, slot: first + offset))
      }
      cells[cell].count &+= 1
      cells[cell].longitudes &+= Int64(x)
      cells[cell].latitudes &+= Int64(y)
      cells[cell].box.formUnion(FixedBox(west: x, south: y, east: x, north: y))
    }
  }

  func content(_ segments: [LiveSegment]) -> TileContent {
    var content = TileContent(clusters: [], devices: [])
    for cell in cells.indices where cells[cell].count > singles {
      content.clusters.append(cluster(ofCell: cell))
    }
    addSingles(segments, to: &content)
    content.clusters.sort { $0.id < $1.id }
    content.devices.sort { $0.rowid < $1.rowid }
    return content
  }

  private func cluster(ofCell number: Int) -> TileCluster {
    let cell = cells[number]
    let spot = grid.units(
      longitude: Double(cell.longitudes) / Double(cell.count),
      latitude: Double(cell.latitudes) / Double(cell.count), cell: number)
    let counts = cellCategories[number * categoryCount..<(number + 1) * categoryCount]
    return TileCluster(
      id: grid.identifier(ofCell: number), count: cell.count, x: spot.x, y: spot.y, box: cell.box,
      isStack: cell.box.isPoint, leading: Self.leading(counts.map { Int($0) }))
  }

  /// Draws the cells that show their devices one by one.
  private func addSingles(_ segments: [LiveSegment], to content: inout TileContent) {
    var spots: [(key: Int, device: TileDevice, position: FixedPosition)] = []
    for candidate in candidates where cells[candidate.cell].count <= singles {
      let segment = segments[candidate.place].segment
      let position = segment.position(at: candidate.slot)
      let device = device(segment, candidate.slot, cell: candidate.cell)
      spots.append((device.y * TileContent.extent + device.x, device, position))
    }
    spots.sort { ($0.key, $0.device.rowid) < ($1.key, $1.device.rowid) }
    var first = 0
    while first < spots.count {
      var end = first + 1
      while end < spots.count, spots[end].key == spots[first].key { end += 1 }
      if end == first + 1 {
        content.devices.append(spots[first].device)
      } else {
        content.clusters.append(
          stack(spots[first..<end].map { ($0.device, $0.position) }))
      }
      first = end
    }
  }

  private func device(_ segment: PointSegment, _ slot: Int, cell: Int) -> TileDevice {
    let profile = profiles[Int(segment.profiles[slot])]
    let spot = grid.units(
      longitude: Double(segment.longitudes[slot]), latitude: Double(segment.latitudes[slot]),
      cell: cell)
    return TileDevice(
      rowid: segment.rowids[slot], id: segment.ids[slot], x: spot.x, y: spot.y,
      category: profile.category, status: profile.status, precision: profile.precision,
      bearing: segment.bearings[slot])
  }

  /// The cluster of devices on one unit of the tile, by rising rowid.
  private func stack(_ members: [(device: TileDevice, position: FixedPosition)]) -> TileCluster {
    var box = FixedBox.nothing
    var counts = [Int](repeating: 0, count: categoryCount)
    for member in members {
      box.formUnion(FixedBox(member.position))
      counts[Int(member.device.category)] += 1
    }
    let first = members[0].device
    return TileCluster(
      id: 1 << 51 | UInt64(first.rowid), count: members.count, x: first.x, y: first.y, box: box,
      isStack: box.isPoint || grid.address.z >= TileContent.stackZoom,
      leading: Self.leading(counts))
  }

  /// The three greatest counts; of equal ones the lower code.
  private static func leading(_ counts: [Int]) -> [CategoryCount] {
    let present = counts.enumerated().compactMap { category, count in
      count > 0 ? CategoryCount(category: UInt8(truncatingIfNeeded: category), count: count) : nil
    }
    return Array(
      present.sorted { ($1.count, $0.category) < ($0.count, $1.category) }.prefix(3))
  }
}
