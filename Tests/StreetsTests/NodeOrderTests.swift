import Testing

@testable import Streets

@Suite struct NodeOrderTests {
  /// A square grid of streets.
  private func grid(_ side: Int32) -> (edges: [(Int32, Int32)], x: [Int32], y: [Int32]) {
    var edges: [(Int32, Int32)] = []
    for row in 0..<side {
      for column in 0..<side {
        let node = row * side + column
        if column + 1 < side { edges.append((node, node + 1)) }
        if row + 1 < side { edges.append((node, node + side)) }
      }
    }
    return (
      edges, (0..<side * side).map { $0 % side * 1_000 },
      (0..<side * side).map { $0 / side * 1_000 }
    )
  }

  /// The number of arcs of the hierarchy that an order makes.
  private func arcs(_ ranks: [Int32], _ edges: [(Int32, Int32)]) -> Int {
    var higher = [Set<Int32>](repeating: [], count: ranks.count)
    for (one, other) in edges {
      let (low, high) = (
        min(ranks[Int(one)], ranks[Int(other)]), max(ranks[Int(one)], ranks[Int(other)])
      )
      if low != high { higher[Int(low)].insert(high) }
    }
    for node in higher.indices {
      guard let parent = higher[node].min() else { continue }
      higher[Int(parent)].formUnion(higher[node].filter { $0 != parent })
    }
    return higher.reduce(0) { $0 + $1.count }
  }

  @Test func `every node has a rank of its own`() {
    let (edges, x, y) = grid(40)
    let ranks = NodeOrder(count: 1_600, edges: edges, x: x, y: y).ranks
    #expect(ranks.sorted() == (0..<1_600).map { $0 })
  }

  @Test func `a grid gets few shortcuts`() {
    let (edges, x, y) = grid(40)
    let ranks = NodeOrder(count: 1_600, edges: edges, x: x, y: y).ranks
    let found = arcs(ranks, edges)
    // Row by row, each node joins a whole row: about 62,000. RoutingKit’s inertial order has 26,396.
    #expect(found < 32_000)
    #expect(arcs((0..<1_600).map { $0 }, edges) > 50_000)
  }

  @Test func `parts that are not connected, loops and double edges are ordered`() {
    let edges: [(Int32, Int32)] = [(0, 1), (1, 0), (2, 2), (3, 4), (4, 5), (5, 3), (3, 4)]
    let ranks = NodeOrder(
      count: 7, edges: edges, x: Array(repeating: 0, count: 7), y: Array(repeating: 0, count: 7)
    ).ranks
    #expect(ranks.sorted() == [0, 1, 2, 3, 4, 5, 6])
    #expect(NodeOrder(count: 0, edges: [], x: [], y: []).ranks.isEmpty)
  }

  @Test func `nodes at one place are ordered too`() {
    let (edges, _, _) = grid(20)
    let same = [Int32](repeating: 7, count: 400)
    #expect(
      NodeOrder(count: 400, edges: edges, x: same, y: same).ranks.sorted() == (0..<400).map { $0 })
  }

  @Test func `a long street becomes a flat tree`() {
    let edges = (0..<Int32(10_000)).map { ($0, $0 + 1) }
    let places = (0...Int32(10_000)).map { $0 }
    let ranks = NodeOrder(count: 10_001, edges: edges, x: places, y: places).ranks
    #expect(arcs(ranks, edges) < 25_000)
  }

  @Test func `the smallest cut between two halves is found`() {
    // Two squares of four nodes with two bridges.
    let graph = Adjacency(
      count: 8,
      edges: [
        (0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (4, 5), (5, 6), (6, 7), (7, 4), (4, 6), (1, 4),
        (2, 7),
      ])
    var flow = MaximumFlow(graph)
    let found = flow.divide(sources: [0], sinks: [5], limit: 10)
    #expect(found?.cut == 2)
    #expect(found?.sides == [0, 0, 0, 0, 1, 1, 1, 1])
    #expect(flow.divide(sources: [0], sinks: [5], limit: 2) == nil)
  }
}
