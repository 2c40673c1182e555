/// Collects the points of one tile, cell by cell.
struct TilePainter {
  private let grid: TileGrid
  private let singles: Int
  private let dictionary: ProfileDictionary
  /// The number of category counters per cell, one more than the greatest code.
  private let categoryCount: Int
  private var cells: [Cell]
  private var cellCategories: [UInt32]
  /// Points of cells that had few enough devices when the point was added. Some of these cells may
  /// have more by now.
  private var candidates: [Candidate] = []

  /// Matching points of one block. `place` is the position of the segment in the index.
  struct Block {
    var number: Int
    var passing: UInt64
    var place: Int
  }

  private struct Cell {
    var count = 0
    var longitudes: Int64 = 0
    var latitudes: Int64 = 0
    var box = FixedBox.nothing

    @inline(__always)
    mutating func add(_ x: Int32, _ y: Int32) {
      count &+= 1
      longitudes &+= Int64(x)
      latitudes &+= Int64(y)
      box.formUnion(FixedBox(west: x, south: y, east: x, north: y))
    }

    mutating func add(_ other: Cell) {
      count += other.count
      longitudes += other.longitudes
      latitudes += other.latitudes
      box.formUnion(other.box)
    }
  }

  private struct Candidate {
    var cell: Int
    var place: Int
    var slot: Int
  }

  init(_ address: TileAddress, _ dictionary: ProfileDictionary, singles: Int? = nil) {
    grid = TileGrid(address)
    self.singles = singles ?? TileContent.singles(atZoom: address.z)
    self.dictionary = dictionary
    categoryCount = Int(dictionary.greatestCategory) + 1
    cells = [Cell](repeating: Cell(), count: TileGrid.side * TileGrid.side)
    cellCategories = [UInt32](repeating: 0, count: cells.count * categoryCount)
  }

  mutating func add(_ block: Block, _ segment: PointSegment) {
    if let cell = grid.cell(of: segment.boxes[block.number]) {
      add(block, segment, cell: cell)
    } else {
      let first = block.number * PointSegment.blockSize
      var rest = block.passing
      while rest != 0 {
        let slot = first + rest.trailingZeroBitCount
        rest &= rest &- 1
        let cell = grid.cell(longitude: segment.longitudes[slot], latitude: segment.latitudes[slot])
        if cells[cell].count < singles {
          candidates.append(Candidate(cell: cell, place: block.place, slot: slot))
        }
        cells[cell].add(segment.longitudes[slot], segment.latitudes[slot])
        let category = dictionary.categories[Int(segment.profiles[slot])]
        cellCategories[cell * categoryCount + Int(category)] += 1
      }
    }
  }

  /// Adds a block whose points all lie in one cell, the usual case at low zooms.
  private mutating func add(_ block: Block, _ segment: PointSegment, cell: Int) {
    let first = block.number * PointSegment.blockSize
    if cells[cell].count < singles {
      var rest = block.passing
      while rest != 0 {
        let slot = first + rest.trailingZeroBitCount
        candidates.append(Candidate(cell: cell, place: block.place, slot: slot))
        rest &= rest &- 1
      }
    }
    var sum = Cell()
    segment.longitudes.withUnsafeBufferPointer { longitudes in
      segment.latitudes.withUnsafeBufferPointer { latitudes in
        var rest = block.passing
        while rest != 0 {
          let slot = first &+ rest.trailingZeroBitCount
          rest &= rest &- 1
          sum.add(longitudes[slot], latitudes[slot])
        }
      }
    }
    cells[cell].add(sum)
    countCategories(block, segment, cell: cell)
  }

  private mutating func countCategories(_ block: Block, _ segment: PointSegment, cell: Int) {
    let first = block.number * PointSegment.blockSize
    let row = cell * categoryCount
    cellCategories.withUnsafeMutableBufferPointer { counts in
      dictionary.categories.withUnsafeBufferPointer { categories in
        segment.profiles.withUnsafeBufferPointer { numbers in
          var rest = block.passing
          while rest != 0 {
            let slot = first &+ rest.trailingZeroBitCount
            rest &= rest &- 1
            counts[row &+ Int(categories[Int(numbers[slot])])] &+= 1
          }
        }
      }
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

  /// Draws the cells that show single devices.
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
    let profile = dictionary.profiles[Int(segment.profiles[slot])]
    let spot = grid.units(
      longitude: Double(segment.longitudes[slot]), latitude: Double(segment.latitudes[slot]),
      cell: cell)
    return TileDevice(
      rowid: segment.rowids[slot], id: segment.ids[slot], x: spot.x, y: spot.y,
      category: profile.category, status: profile.status, precision: profile.precision,
      bearing: segment.bearings[slot])
  }

  /// The cluster of devices on one tile unit, by ascending rowid.
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

  /// The three categories with the greatest counts. Ties are ordered by code.
  private static func leading(_ counts: [Int]) -> [CategoryCount] {
    let present = counts.enumerated().compactMap { category, count in
      count > 0 ? CategoryCount(category: UInt8(truncatingIfNeeded: category), count: count) : nil
    }
    return Array(
      present.sorted { ($1.count, $0.category) < ($0.count, $1.category) }.prefix(3))
  }
}
