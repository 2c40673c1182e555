internal import CSpatiaLite

/// Builds an R*Tree of points in bulk, from the leaves up.
///
/// Inserting points one by one walks down the tree and back up for each, which is twenty times the
/// work. The result has the format in which SQLite's R*Tree module stores its tables (see the head
/// of `rtree.c`, https://sqlite.org/src/file/ext/rtree/rtree.c). SQLite's own `rtreecheck()` finds
/// no errors in it (`PackedTreeTests`).
package enum PackedTree {
  /// An entry whose box is a single point.
  package struct Point: Sendable {
    package let rowid: Int64
    package let x: Double
    package let y: Double
    package let z: Float

    package init(rowid: Int64, x: Double, y: Double, z: Float) {
      (self.rowid, self.x, self.y, self.z) = (rowid, x, y, z)
    }
  }

  /// Replaces the content of a three-dimensional tree. Neighbours in `points` share a node, so order the points
  /// by proximity.
  ///
  /// - Parameters:
  ///   - table: the name of the tree, a constant.
  ///   - points: its entries, with distinct row ids.
  ///   - connection: a connection with an open transaction.
  /// - Throws: ``DatabaseFault``.
  package static func fill(
    _ table: String, with points: some RandomAccessCollection<Point>,
    _ connection: borrowing Connection
  ) throws {
    guard case .sqlite(let session) = connection.engine else {
      throw DatabaseFault(.statement, "PostgreSQL has no R*Trees of SQLite")
    }
    let handle = session.handle
    // A defensive connection allows only the module itself to write the tables of a tree.
    _ = sqlite_set_option(handle, SQLITE_DBCONFIG_DEFENSIVE, 0)
    defer { _ = sqlite_set_option(handle, SQLITE_DBCONFIG_DEFENSIVE, 1) }
    let size = try connection.integer("SELECT length(data) FROM \(table)_node WHERE nodeno = 1")
    guard let size, size >= Int64(Node.head + 2 * Node.cell) else {
      throw DatabaseFault(.corrupt, "the root of \(table) is not there")
    }
    for part in ["node", "parent", "rowid"] {
      try connection.execute("DELETE FROM \(table)_\(part)")
    }
    var packing = Packing(table: table, size: Int(size))
    try packing.write(points, connection)
  }
}

/// A node as stored in a blob. The first two bytes are the depth of the tree (only in the root), the next two the
/// number of cells. Each cell is an eight-byte number and six floats, minimum before maximum.
private struct Node {
  static let head = 4
  static let cell = 32

  private(set) var bytes: [UInt8]
  private var end = Self.head

  init(size: Int, depth: Int, count: Int) {
    bytes = [UInt8](repeating: 0, count: size)
    for (place, value) in [depth >> 8, depth, count >> 8, count].enumerated() {
      bytes[place] = UInt8(truncatingIfNeeded: value)
    }
  }

  mutating func add(_ cell: Cell) {
    put(UInt64(bitPattern: cell.number))
    for value in cell.box.values { put(value.bitPattern) }
  }

  private mutating func put(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.bigEndian) { bytes.replaceSubrange(end..<end + $0.count, with: $0) }
    end += MemoryLayout.size(ofValue: value)
  }
}

/// An entry or a node, with its bounding box.
private struct Cell {
  let number: Int64
  var box: Box

  init(_ point: PackedTree.Point) {
    number = point.rowid
    box = Box(
      west: Box.below(point.x), east: Box.above(point.x), south: Box.below(point.y),
      north: Box.above(point.y), low: point.z, high: point.z)
  }

  init(number: Int64, box: Box) { (self.number, self.box) = (number, box) }
}

private struct Box {
  var west, east, south, north, low, high: Float

  var values: [Float] { [west, east, south, north, low, high] }

  mutating func include(_ other: Box) {
    (west, east) = (min(west, other.west), max(east, other.east))
    (south, north) = (min(south, other.south), max(north, other.north))
    (low, high) = (min(low, other.low), max(high, other.high))
  }

  /// The nearest float at or below a number, or at or above it, rounded as the module does.
  static func below(_ value: Double) -> Float {
    let near = Float(value)
    return Double(near) > value ? Float(value * (value < 0 ? away : towards)) : near
  }

  static func above(_ value: Double) -> Float {
    let near = Float(value)
    return Double(near) < value ? Float(value * (value < 0 ? towards : away)) : near
  }

  private static let towards = 1 - 1.0 / 8_388_608
  private static let away = 1 + 1.0 / 8_388_608
}

/// A row and its node in eight bytes, of which there are as many as points.
private struct Home {
  let bits: UInt64
  private static let nodeBits: UInt64 = 28

  /// It throws for numbers that no table reaches: 68 billion rows or 268 million nodes.
  init(rowid: Int64, node: Int64) throws {
    guard (0..<1 << 36).contains(rowid), (0..<1 << 28).contains(node) else {
      throw DatabaseFault(.statement, "a tree cannot have so many rows")
    }
    bits = UInt64(bitPattern: rowid) << Self.nodeBits | UInt64(bitPattern: node)
  }

  var rowid: Int64 { Int64(bitPattern: bits >> Self.nodeBits) }
  var node: Int64 { Int64(bitPattern: bits & (1 << Self.nodeBits - 1)) }
}

/// Writes the nodes of a tree.
private struct Packing {
  private let table: String
  private let size: Int
  /// Number of cells per node.
  private let room: Int
  /// The number of the next node; the root is 1.
  private var next: Int64 = 2

  init(table: String, size: Int) {
    (self.table, self.size) = (table, size)
    room = (size - Node.head) / Node.cell
  }

  mutating func write(
    _ points: some RandomAccessCollection<PackedTree.Point>, _ connection: borrowing Connection
  ) throws {
    // The node of each row, written in the order of the rows.
    var homes: [Home] = []
    homes.reserveCapacity(points.count)
    var level = try level(
      0, of: points.count, connection,
      cell: { Cell(points[points.index(points.startIndex, offsetBy: $0)]) },
      placed: { homes.append(try Home(rowid: $0, node: $1)) })
    homes.sort { $0.bits < $1.bits }
    for home in homes {
      try connection.execute(
        "INSERT INTO \(table)_rowid (rowid, nodeno) VALUES (?, ?)",
        [.integer(home.rowid), .integer(home.node)])
    }
    var depth = 0
    while level.count > 1 {
      depth += 1
      let below = level
      level = try self.level(
        depth, of: below.count, connection, cell: { below[$0] },
        placed: { [table] node, parent in
          try connection.execute(
            "INSERT INTO \(table)_parent (nodeno, parentnode) VALUES (?, ?)",
            [.integer(node), .integer(parent)])
        })
    }
  }

  /// Writes the nodes of one level.
  ///
  /// - Returns: one cell per node.
  private mutating func level(
    _ depth: Int, of count: Int, _ connection: borrowing Connection, cell: (Int) -> Cell,
    placed: (_ number: Int64, _ node: Int64) throws -> Void
  ) throws -> [Cell] {
    // A fifth remains free, so that later insertions do not split every node.
    let full = max(1, room * 4 / 5)
    let nodes = count <= room ? 1 : (count + full - 1) / full
    var made: [Cell] = []
    made.reserveCapacity(nodes)
    for place in 0..<nodes {
      let range = count * place / nodes..<count * (place + 1) / nodes
      let number = nodes == 1 ? 1 : next
      if nodes > 1 { next += 1 }
      var node = Node(size: size, depth: nodes == 1 ? depth : 0, count: range.count)
      var around: Box?
      for position in range {
        let cell = cell(position)
        node.add(cell)
        if around == nil { around = cell.box } else { around?.include(cell.box) }
        try placed(cell.number, number)
      }
      try connection.execute(
        "INSERT INTO \(table)_node (nodeno, data) VALUES (?, ?)",
        [.integer(number), .blob(node.bytes)])
      if let around { made.append(Cell(number: number, box: around)) }
    }
    return made
  }
}
