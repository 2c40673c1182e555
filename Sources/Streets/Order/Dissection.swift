/// Nested dissection of a graph by inertial flow (Schild and Sommer 2015): along each of four directions, as few edges
/// as possible separate the first and the last quarter of the nodes.
struct Dissection {
  /// The positions of all nodes, in equal units.
  let x: [Float]
  let y: [Float]

  /// Parts of at most as many nodes are ordered by their degrees.
  private static let leafSize = 48

  /// A part of the graph, and the nodes of the whole that its nodes are.
  private struct Part {
    var graph: Adjacency
    var ids: [Int32]
  }

  /// The nodes in the order of their removal.
  func order(_ graph: Adjacency) -> [Int32] {
    var order: [Int32] = []
    order.reserveCapacity(graph.count)
    dissect(Part(graph: graph, ids: (0..<Int32(graph.count)).map { $0 }), into: &order)
    return order
  }

  private func dissect(_ part: Part, into order: inout [Int32]) {
    if part.ids.count <= Self.leafSize {
      order += LeastDegree.order(part.graph).map { part.ids[Int($0)] }
      return
    }
    // 0 and 1 are the sides, 2 the separator.
    let sides = divide(part)
    for side in [UInt8(0), 1] {
      for child in components(part, sides, side) { dissect(child, into: &order) }
    }
    for node in sides.indices where sides[node] == 2 { order.append(part.ids[node]) }
  }

  /// The side of each node of a part.
  private func divide(_ part: Part) -> [UInt8] {
    let directions: [(Float, Float)] = [(1, 0), (0, 1), (0.7, 0.7), (0.7, -0.7)]
    var flow = MaximumFlow(part.graph)
    var best: (cut: Int, sides: [UInt8])?
    for (east, north) in directions {
      let along = part.ids.map { x[Int($0)] * east + y[Int($0)] * north }
      let sorted = (0..<Int32(along.count)).sorted { along[Int($0)] < along[Int($1)] }
      let held = max(1, sorted.count / 4)
      let found = flow.divide(
        sources: Array(sorted.prefix(held)), sinks: Array(sorted.suffix(held)),
        limit: best.map { $0.cut } ?? Int.max)
      if let found { best = found }
    }
    var sides = best?.sides ?? [UInt8](repeating: 0, count: part.ids.count)
    separate(part.graph, &sides)
    return sides
  }

  /// Puts the ends of the edges between the sides, on the side with fewer of them, into the separator.
  private func separate(_ graph: Adjacency, _ sides: inout [UInt8]) {
    var ends: [[Int]] = [[], []]
    for node in 0..<graph.count {
      let side = sides[node]
      if graph.neighbours(node).contains(where: { sides[Int($0)] != side }) {
        ends[Int(side)].append(node)
      }
    }
    for node in ends[0].count <= ends[1].count ? ends[0] : ends[1] { sides[node] = 2 }
  }

  /// The connected parts of a side.
  private func components(_ part: Part, _ sides: [UInt8], _ side: UInt8) -> [Part] {
    let graph = part.graph
    var numbers = [Int32](repeating: -1, count: graph.count)
    var found: [Part] = []
    for start in 0..<graph.count where sides[start] == side && numbers[start] < 0 {
      var nodes = [Int32(start)]
      numbers[start] = 0
      var next = 0
      while next < nodes.count {
        for neighbour in graph.neighbours(Int(nodes[next]))
        where sides[Int(neighbour)] == side && numbers[Int(neighbour)] < 0 {
          numbers[Int(neighbour)] = Int32(nodes.count)
          nodes.append(neighbour)
        }
        next += 1
      }
      var (first, targets): ([Int32], [Int32]) = ([0], [])
      for node in nodes {
        let inside = graph.neighbours(Int(node)).filter { sides[Int($0)] == side }
        targets += inside.map { numbers[Int($0)] }.sorted()
        first.append(Int32(targets.count))
      }
      found.append(
        Part(
          graph: Adjacency(first: first, targets: targets), ids: nodes.map { part.ids[Int($0)] }))
    }
    return found
  }
}

/// Removes the node with the fewest neighbours first, in a graph of at most 64 nodes.
private enum LeastDegree {
  static func order(_ graph: Adjacency) -> [Int32] {
    var sets = (0..<graph.count).map { node in
      graph.neighbours(node).reduce(UInt64(0)) { $0 | 1 << UInt64($1) }
    }
    var left = Array(0..<graph.count)
    var order: [Int32] = []
    while let node = left.min(by: { sets[$0].nonzeroBitCount < sets[$1].nonzeroBitCount }) {
      left.removeAll { $0 == node }
      order.append(Int32(node))
      for neighbour in left where sets[node] & 1 << UInt64(neighbour) != 0 {
        sets[neighbour] |= sets[node]
        sets[neighbour] &= ~(1 << UInt64(node) | 1 << UInt64(neighbour))
      }
    }
    return order
  }
}
