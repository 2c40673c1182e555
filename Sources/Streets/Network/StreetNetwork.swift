import Foundation
import PrivacyMap

/// The ways of an extract, and the graph of nodes and edges that they make.
///
/// A node is a junction, the end of a way, or a barrier. An edge is the part of a way between two nodes.
struct StreetNetwork {
  /// An edge has the nodes of its way between its ends, or the same in reverse.
  struct Edge {
    var tail: Int32
    var head: Int32
    var street: Int32
    /// Decimetres.
    var length: Int32
    /// The first and the last place of the edge in ``refs``.
    var first: Int32
    var last: Int32
    var isReversed = false
    /// The bits of modes that a barrier takes away.
    var closed: UInt16 = 0
  }

  /// The OpenStreetMap node of each graph node.
  private(set) var nodes: [Int32] = []
  private(set) var edges: [Edge] = []
  private(set) var streets: [Street] = []
  /// Ways that lack some of their nodes, as at the border of an extract.
  private(set) var cutWays = 0

  private var numbers: [Street: Int32] = [:]
  /// The positions of OpenStreetMap nodes, in ten-millionths of a degree.
  private var longitudes: [Int32] = []
  private var latitudes: [Int32] = []
  /// The number of times that ways pass each node; two and more make it a junction.
  private var uses: [UInt8] = []
  /// The modes that nodes close.
  private var closed: [Int: UInt16] = [:]
  /// The nodes of all lines, and the street and the end of each line in it.
  private var refs: [Int32] = []
  private var lines: [(street: Int32, end: Int)] = []
  /// The graph node of an OpenStreetMap node, or -1.
  private var graphNodes: [Int32] = []

  mutating func add(_ record: StreetRecords.Record) {
    switch record {
    case .node(let number, let tags):
      let modes = StreetTags(tags).closedModes
      if modes != 0 { closed[number] = modes }
    case .places(let places):
      for place in places {
        longitudes.append(place.longitude)
        latitudes.append(place.latitude)
        uses.append(0)
      }
    case .way(let nodes, let tags):
      guard let street = StreetTags(tags).street else { return }
      addLines(nodes, number(of: street))
    }
  }

  private mutating func number(of street: Street) -> Int32 {
    if let known = numbers[street] { return known }
    let number = Int32(streets.count)
    streets.append(street)
    numbers[street] = number
    return number
  }

  /// Adds the parts of a way whose nodes are all there.
  private mutating func addLines(_ nodes: [UInt32], _ street: Int32) {
    var start = refs.count
    var isCut = false
    for node in nodes {
      if let node = place(node) {
        if refs.count == start || refs[refs.count - 1] != node { refs.append(node) }
      } else {
        isCut = true
        endLine(&start, street)
      }
    }
    endLine(&start, street)
    if isCut { cutWays += 1 }
  }

  private func place(_ node: UInt32) -> Int32? {
    guard let number = Int32(exactly: node), Int(number) < longitudes.count,
      abs(Int(longitudes[Int(number)])) <= 1_800_000_000,
      abs(Int(latitudes[Int(number)])) <= 900_000_000
    else { return nil }
    return number
  }

  private mutating func endLine(_ start: inout Int, _ street: Int32) {
    guard refs.count - start >= 2 else {
      refs.removeLast(refs.count - start)
      return
    }
    for index in start..<refs.count {
      let isEnd = index == start || index == refs.count - 1
      uses[Int(refs[index])] = min(uses[Int(refs[index])] + (isEnd ? 2 : 1), 100)
    }
    lines.append((street, refs.count))
    start = refs.count
  }

  /// Makes the nodes and edges of all ways.
  mutating func connect() {
    graphNodes = Array(repeating: -1, count: longitudes.count)
    var start = 0
    for line in lines {
      var first = start
      for index in start + 1..<line.end where isNode(refs[index]) {
        addEdge(first, index, line.street)
        first = index
      }
      start = line.end
    }
    closeBarriers()
  }

  private func isNode(_ ref: Int32) -> Bool { uses[Int(ref)] >= 2 || closed[Int(ref)] != nil }

  /// The edge between two places of a line. One that ends where it begins is divided, so that no edge is a loop.
  private mutating func addEdge(_ first: Int, _ last: Int, _ street: Int32) {
    if refs[first] == refs[last] {
      guard last - first >= 2 else { return }
      let middle = first + (last - first) / 2
      addEdge(first, middle, street)
      return addEdge(middle, last, street)
    }
    let length = (first..<last).reduce(0.0) { $0 + distance(refs[$1], refs[$1 + 1]) }
    edges.append(
      Edge(
        tail: node(refs[first]), head: node(refs[last]), street: street,
        length: Int32(max(1, min((length * 10).rounded(), Double(GraphLimits.length)))),
        first: Int32(first), last: Int32(last)))
  }

  private mutating func node(_ ref: Int32) -> Int32 {
    if graphNodes[Int(ref)] < 0 {
      graphNodes[Int(ref)] = Int32(nodes.count)
      nodes.append(ref)
    }
    return graphNodes[Int(ref)]
  }

  /// Puts an edge of ten centimetres that lacks the closed modes into each street with a barrier. Where more than two
  /// edges meet, it is not known which of them the barrier closes, so it closes none.
  private mutating func closeBarriers() {
    var around: [Int32: [Int]] = [:]
    let barriers = Set(closed.keys.map { Int32(truncatingIfNeeded: $0) })
    for (index, edge) in edges.enumerated() {
      for end in [edge.tail, edge.head] where barriers.contains(nodes[Int(end)]) {
        around[end, default: []].append(index)
      }
    }
    for (node, found) in around.sorted(by: { $0.key < $1.key }) where found.count == 2 {
      let twin = Int32(nodes.count)
      nodes.append(nodes[Int(node)])
      let index = found[1]
      let place = edges[index].tail == node ? edges[index].first : edges[index].last
      if edges[index].tail == node { edges[index].tail = twin } else { edges[index].head = twin }
      edges.append(
        Edge(
          tail: node, head: twin, street: edges[index].street, length: 1, first: place,
          last: place, closed: closed[Int(nodes[Int(node)])] ?? 0))
    }
  }

  /// Metres between two OpenStreetMap nodes.
  private func distance(_ one: Int32, _ other: Int32) -> Double {
    coordinate(one).distance(to: coordinate(other))
  }

  private func coordinate(_ node: Int32) -> Coordinate {
    .clamped(
      longitude: Double(longitudes[Int(node)]) / 10_000_000,
      latitude: Double(latitudes[Int(node)]) / 10_000_000)
  }

  /// The position of a graph node in millionths of a degree.
  func position(_ node: Int32) -> (x: Int32, y: Int32) { position(ref: nodes[Int(node)]) }

  private func position(ref: Int32) -> (x: Int32, y: Int32) {
    func rounded(_ value: Int32) -> Int32 { Int32((Double(value) / 10).rounded()) }
    return (rounded(longitudes[Int(ref)]), rounded(latitudes[Int(ref)]))
  }

  /// The points of an edge between its ends, from its tail.
  func points(_ edge: Edge) -> [(x: Int32, y: Int32)] {
    guard edge.last - edge.first > 1 else { return [] }
    let points = (Int(edge.first) + 1..<Int(edge.last)).map { position(ref: refs[$0]) }
    return edge.isReversed ? points.reversed() : points
  }

  /// The flags of an edge, from its tail to its head.
  func flags(_ edge: Edge) -> UInt16 {
    let flags = streets[Int(edge.street)].flags & ~edge.closed
    return edge.isReversed ? Street.turned(flags) : flags
  }

  /// Gives each node its rank, and each edge the direction from the lower rank to the higher.
  mutating func order(_ ranks: [Int32]) {
    for index in edges.indices {
      edges[index].tail = ranks[Int(edges[index].tail)]
      edges[index].head = ranks[Int(edges[index].head)]
      if edges[index].tail > edges[index].head {
        let edge = edges[index]
        (edges[index].tail, edges[index].head) = (edge.head, edge.tail)
        edges[index].isReversed = true
      }
    }
    var ordered = nodes
    for (node, rank) in ranks.enumerated() { ordered[Int(rank)] = nodes[node] }
    nodes = ordered
    edges.sort { ($0.tail, $0.head, $0.length) < ($1.tail, $1.head, $1.length) }
  }
}
