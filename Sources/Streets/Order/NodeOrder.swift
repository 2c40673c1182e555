import Foundation

/// The order in which a search hierarchy removes the nodes of a graph, whatever the costs of its edges are.
///
/// Nodes with at most two neighbours go first, since they add no more than they take. The others are ordered by nested
/// dissection: a few nodes whose removal divides the graph into two halves go last, and each half is ordered in the
/// same way (George 1973; for street networks Dibbelt, Strasser and Wagner 2016). At the end, nodes are renumbered
/// along the elimination tree, which changes no shortcut and puts neighbours side by side.
struct NodeOrder {
  /// The rank of each node, from 0.
  let ranks: [Int32]

  init(_ network: StreetNetwork) {
    let positions = network.nodes.indices.map { network.position(Int32($0)) }
    self.init(
      count: network.nodes.count, edges: network.edges.map { ($0.tail, $0.head) },
      x: positions.map(\.x), y: positions.map(\.y))
  }

  /// - Parameters:
  ///   - count: the number of nodes.
  ///   - edges: pairs of nodes.
  ///   - x: the longitude of each node, in millionths of a degree.
  ///   - y: the latitude of each node.
  init(count: Int, edges: [(Int32, Int32)], x: [Int32], y: [Int32]) {
    let graph = Adjacency(count: count, edges: edges)
    var reduction = Reduction(graph)
    reduction.run()
    // Degrees of longitude are shorter than degrees of latitude.
    let middle = y.isEmpty ? 0 : Double(y[y.count / 2]) / 1_000_000
    let width = Float(cos(middle * .pi / 180))
    let rest = reduction.rest
    let dissection = Dissection(
      x: rest.ids.map { Float(x[Int($0)]) * width }, y: rest.ids.map { Float(y[Int($0)]) })
    let inner = dissection.order(rest.graph)
    let order = reduction.removed + inner.map { rest.ids[Int($0)] }
    ranks = EliminationTree(graph, order: order).ranks
  }
}

/// The neighbours of each node, each once and in order.
struct Adjacency {
  /// Where the neighbours of each node begin, and their end.
  var first: [Int32]
  var targets: [Int32]

  var count: Int { first.count - 1 }

  init(first: [Int32], targets: [Int32]) { (self.first, self.targets) = (first, targets) }

  init(count: Int, edges: [(Int32, Int32)]) {
    var first = [Int32](repeating: 0, count: count + 1)
    for (one, other) in edges where one != other {
      first[Int(one) + 1] += 1
      first[Int(other) + 1] += 1
    }
    for node in 0..<count { first[node + 1] += first[node] }
    var next = first
    var targets = [Int32](repeating: 0, count: Int(first[count]))
    for (one, other) in edges where one != other {
      for (here, there) in [(one, other), (other, one)] {
        targets[Int(next[Int(here)])] = there
        next[Int(here)] += 1
      }
    }
    self.first = [0]
    self.first.reserveCapacity(count + 1)
    self.targets = []
    self.targets.reserveCapacity(targets.count)
    for node in 0..<count {
      var last: Int32 = -1
      for target in targets[Int(first[node])..<Int(first[node + 1])].sorted() where target != last {
        self.targets.append(target)
        last = target
      }
      self.first.append(Int32(self.targets.count))
    }
  }

  func neighbours(_ node: Int) -> ArraySlice<Int32> {
    targets[Int(first[node])..<Int(first[node + 1])]
  }
}

/// Removes nodes with at most two neighbours and joins these, again and again.
private struct Reduction {
  /// The removed nodes, in order.
  private(set) var removed: [Int32] = []
  /// The neighbours of each node that is still there.
  private var neighbours: [[Int32]]

  init(_ graph: Adjacency) {
    neighbours = (0..<graph.count).map { Array(graph.neighbours($0)) }
  }

  /// In rounds, in which no two neighbours go, so that a long street becomes a flat tree.
  mutating func run() {
    var waiting = neighbours.indices.filter { neighbours[$0].count <= 2 }.map { Int32($0) }
    var isRemoved = [Bool](repeating: false, count: neighbours.count)
    var touched = [Int32](repeating: -1, count: neighbours.count)
    var round: Int32 = 0
    while !waiting.isEmpty {
      var next: [Int32] = []
      for node in waiting where !isRemoved[Int(node)] && neighbours[Int(node)].count <= 2 {
        if touched[Int(node)] == round {
          next.append(node)
          continue
        }
        isRemoved[Int(node)] = true
        removed.append(node)
        let around = neighbours[Int(node)]
        neighbours[Int(node)] = []
        for neighbour in around {
          let other = around.first { $0 != neighbour }
          replace(node, in: neighbour, by: other)
          touched[Int(neighbour)] = round
          if neighbours[Int(neighbour)].count <= 2 { next.append(neighbour) }
        }
      }
      waiting = next
      round += 1
    }
    isKept = isRemoved.map { !$0 }
  }

  private var isKept: [Bool] = []

  private mutating func replace(_ node: Int32, in place: Int32, by other: Int32?) {
    neighbours[Int(place)].removeAll { $0 == node }
    if let other, !neighbours[Int(place)].contains(other) {
      neighbours[Int(place)].append(other)
    }
  }

  /// The graph of the nodes that are left, and their former numbers.
  var rest: (graph: Adjacency, ids: [Int32]) {
    let ids = isKept.indices.filter { isKept[$0] }.map { Int32($0) }
    var numbers = [Int32](repeating: -1, count: isKept.count)
    for (number, id) in ids.enumerated() { numbers[Int(id)] = Int32(number) }
    var edges: [(Int32, Int32)] = []
    for id in ids {
      for neighbour in neighbours[Int(id)] where neighbour > id {
        edges.append((numbers[Int(id)], numbers[Int(neighbour)]))
      }
    }
    return (Adjacency(count: ids.count, edges: edges), ids)
  }
}

/// The tree in which the parent of a node is its lowest higher neighbour after the removal of all lower nodes (Liu
/// 1990).
struct EliminationTree {
  /// The rank of each node, along the tree.
  private(set) var ranks: [Int32]

  init(_ graph: Adjacency, order: [Int32]) {
    let count = order.count
    var places = [Int32](repeating: 0, count: count)
    for (place, node) in order.enumerated() { places[Int(node)] = Int32(place) }
    var parents = [Int32](repeating: -1, count: count)
    var ancestors = [Int32](repeating: -1, count: count)
    for place in 0..<count {
      for neighbour in graph.neighbours(Int(order[place])) {
        var lower = places[Int(neighbour)]
        guard lower < place else { continue }
        while ancestors[Int(lower)] >= 0, ancestors[Int(lower)] != place {
          let next = ancestors[Int(lower)]
          ancestors[Int(lower)] = Int32(place)
          lower = next
        }
        if ancestors[Int(lower)] < 0 {
          ancestors[Int(lower)] = Int32(place)
          parents[Int(lower)] = Int32(place)
        }
      }
    }
    ranks = [Int32](repeating: 0, count: count)
    for (rank, place) in Self.postorder(parents).enumerated() {
      ranks[Int(order[Int(place)])] = Int32(rank)
    }
  }

  /// The places in an order in which children come before their parents, and whole subtrees together.
  private static func postorder(_ parents: [Int32]) -> [Int32] {
    let count = parents.count
    var firstChild = [Int32](repeating: -1, count: count)
    var nextChild = [Int32](repeating: -1, count: count)
    var stack: [Int32] = []
    for place in stride(from: count - 1, through: 0, by: -1) {
      let parent = parents[place]
      if parent < 0 {
        stack.append(Int32(place))
      } else {
        nextChild[place] = firstChild[Int(parent)]
        firstChild[Int(parent)] = Int32(place)
      }
    }
    var ordered: [Int32] = []
    ordered.reserveCapacity(count)
    while let place = stack.last {
      let child = firstChild[Int(place)]
      if child >= 0 {
        firstChild[Int(place)] = nextChild[Int(child)]
        stack.append(child)
      } else {
        ordered.append(place)
        stack.removeLast()
      }
    }
    return ordered
  }
}
