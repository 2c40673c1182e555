/// The smallest set of edges between two sets of nodes, by maximum flow (Dinic 1970). Each edge carries one unit in
/// either direction.
struct MaximumFlow {
  private let graph: Adjacency
  /// The arc in the other direction of each arc.
  private let reverse: [Int32]
  /// The flow through each arc: -1, 0 or 1.
  private var flow: [Int8]
  /// The distance of each node from the sources, in arcs that can carry more; -1 if there is no way.
  private var level: [Int32]
  /// The next arc to try at each node.
  private var next: [Int32]
  private var isSink: [Bool]
  private var queue: [Int32] = []

  init(_ graph: Adjacency) {
    self.graph = graph
    var places = graph.first
    var reverse = [Int32](repeating: 0, count: graph.targets.count)
    // The arcs to a node come in the order in which its own arcs are.
    for node in 0..<graph.count {
      for arc in Int(graph.first[node])..<Int(graph.first[node + 1]) {
        let target = Int(graph.targets[arc])
        reverse[arc] = places[target]
        places[target] += 1
      }
    }
    self.reverse = reverse
    flow = Array(repeating: 0, count: reverse.count)
    level = Array(repeating: -1, count: graph.count)
    next = graph.first
    isSink = Array(repeating: false, count: graph.count)
  }

  /// Divides the nodes.
  ///
  /// - Returns: the number of edges between the sides and the side of each node, 0 for the side of the sources; nil if
  ///   there are as many edges as the limit or more.
  mutating func divide(
    sources: [Int32], sinks: [Int32], limit: Int
  ) -> (cut: Int, sides: [UInt8])? {
    for arc in flow.indices { flow[arc] = 0 }
    for node in isSink.indices { isSink[node] = false }
    for node in sinks { isSink[Int(node)] = true }
    var cut = 0
    while findLevels(from: sources) {
      for node in 0..<graph.count { next[node] = graph.first[node] }
      for source in sources {
        while augment(from: source) {
          cut += 1
          if cut >= limit { return nil }
        }
      }
    }
    return (cut, balanced(sinks))
  }

  /// - Returns: whether a sink can be reached.
  private mutating func findLevels(from sources: [Int32]) -> Bool {
    for node in level.indices { level[node] = -1 }
    queue.removeAll(keepingCapacity: true)
    for node in sources {
      level[Int(node)] = 0
      queue.append(node)
    }
    var isReached = false
    var place = 0
    while place < queue.count {
      let node = Int(queue[place])
      place += 1
      for arc in Int(graph.first[node])..<Int(graph.first[node + 1]) where flow[arc] < 1 {
        let target = Int(graph.targets[arc])
        guard level[target] < 0 else { continue }
        level[target] = level[node] + 1
        if isSink[target] { isReached = true } else { queue.append(Int32(target)) }
      }
    }
    return isReached
  }

  /// Sends one unit along a way whose levels rise.
  private mutating func augment(from source: Int32) -> Bool {
    var path: [Int] = []
    var node = Int(source)
    while !isSink[node] {
      if next[node] < graph.first[node + 1] {
        let arc = Int(next[node])
        let target = Int(graph.targets[arc])
        if flow[arc] < 1, level[target] == level[node] + 1 {
          path.append(arc)
          node = target
        } else {
          next[node] += 1
        }
      } else {
        guard let arc = path.popLast() else { return false }
        node = Int(graph.targets[Int(reverse[arc])])
        next[node] += 1
      }
    }
    for arc in path {
      flow[arc] += 1
      flow[Int(reverse[arc])] -= 1
    }
    return true
  }

  /// The sides of the cut next to the sources or next to the sinks, whichever divides more evenly. Both have the same
  /// number of edges between them.
  private mutating func balanced(_ sinks: [Int32]) -> [UInt8] {
    // The last levels have reached every node next to the sources.
    let near = level.map { $0 >= 0 ? UInt8(0) : 1 }
    var far = [UInt8](repeating: 0, count: graph.count)
    queue = sinks
    for node in sinks { far[Int(node)] = 1 }
    var place = 0
    while place < queue.count {
      let node = Int(queue[place])
      place += 1
      for arc in Int(graph.first[node])..<Int(graph.first[node + 1])
      where flow[Int(reverse[arc])] < 1 {
        let target = graph.targets[arc]
        guard far[Int(target)] == 0 else { continue }
        far[Int(target)] = 1
        queue.append(target)
      }
    }
    func imbalance(_ sides: [UInt8]) -> Int {
      abs(sides.count - 2 * sides.reduce(0) { $0 + Int($1) })
    }
    return imbalance(near) <= imbalance(far) ? near : far
  }
}
