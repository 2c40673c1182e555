import Foundation
import Secrets
import TileArchives

/// The pieces of a graph, one for each tile of the grid (docs/reference/street-graph.md).
struct GraphPieces {
  /// The zoom of the grid.
  static let zoom = 12
  /// The version of the format.
  static let version: UInt8 = 1
  static let magic = Array("FSTP".utf8)
  /// Where the digest of the graph is.
  private static let graphPlace = 16..<16 + graphSize
  /// The bytes of the digest.
  static let graphSize = 8

  struct Address: Hashable {
    var x: Int
    var y: Int
  }

  /// In the order of their numbers in an archive.
  let pieces: [(address: Address, bytes: [UInt8])]
  /// Eight bytes that differ between two graphs.
  let graph: [UInt8]

  /// - Parameter network: ordered, so that the tail of each edge has the lower rank.
  /// - Throws: ``StreetFault/tooDense(_:)`` for a piece above the limits of readers.
  init(_ network: StreetNetwork) throws {
    var edges: [Address: [Int]] = [:]
    for (index, edge) in network.edges.enumerated() {
      edges[Self.address(network.position(edge.tail)), default: []].append(index)
    }
    let ordered = edges.sorted { Self.number($0.key) < Self.number($1.key) }
    var pieces = try ordered.map { address, edges in
      (address, try PieceBytes(network, edges, at: address).bytes)
    }
    let digests = pieces.flatMap { Digest.sha256($0.1) }
    graph = Array(Digest.sha256(digests).prefix(Self.graphPlace.count))
    for index in pieces.indices {
      pieces[index].1.replaceSubrange(Self.graphPlace, with: graph)
    }
    self.pieces = pieces.map { ($0.0, $0.1) }
  }

  private static func number(_ address: Address) -> UInt64 {
    PMTilesNumber.number(z: zoom, x: address.x, y: address.y)
  }

  /// The tile of Web Mercator at a position in millionths of a degree.
  static func address(_ position: (x: Int32, y: Int32)) -> Address {
    let side = Double(1 << zoom)
    let latitude = max(-85.051129, min(85.051129, Double(position.y) / 1_000_000))
    let sine = sin(latitude * .pi / 180)
    let row = (0.5 - log((1 + sine) / (1 - sine)) / (4 * .pi)) * side
    let column = (Double(position.x) / 1_000_000 + 180) / 360 * side
    func inGrid(_ number: Double) -> Int { max(0, min(Int(side) - 1, Int(number))) }
    return Address(x: inGrid(column), y: inGrid(row))
  }
}

/// The bytes of one piece.
private struct PieceBytes {
  private(set) var bytes: [UInt8] = []

  init(
    _ network: StreetNetwork, _ indices: [Int], at address: GraphPieces.Address
  ) throws(StreetFault) {
    let edges = indices.map { network.edges[$0] }
    let ranks = Set(edges.flatMap { [$0.tail, $0.head] }).sorted()
    let places = Dictionary(uniqueKeysWithValues: ranks.enumerated().map { ($1, UInt32($0)) })
    var (columns, points, words) = (Varints(), Varints(), Varints())
    Self.write(ranks, network, to: &columns)
    let names = Self.write(edges, network, places, to: &columns, &points)
    for name in names {
      let text = Array(name.utf8)
      words.append(UInt32(text.count))
      words.bytes += text
    }
    bytes = GraphPieces.magic + [GraphPieces.version, UInt8(GraphPieces.zoom), 0, 0]
    for number in [address.x, address.y, 0, 0, ranks.count, edges.count, names.count] {
      append(number)
    }
    for section in [columns, points, words] { append(section.bytes.count) }
    bytes += columns.bytes + points.bytes + words.bytes
    guard bytes.count <= GraphLimits.bytes, ranks.count <= GraphLimits.nodes,
      edges.count <= GraphLimits.edges
    else { throw .tooDense("\(address.x)/\(address.y)") }
  }

  private mutating func append(_ number: Int) {
    let number = UInt32(clamping: number)
    for shift in stride(from: UInt32(0), to: 32, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }

  /// The nodes: their ranks, and their positions as steps.
  private static func write(
    _ ranks: [Int32], _ network: StreetNetwork, to columns: inout Varints
  ) {
    var last: Int32 = -1
    for rank in ranks {
      columns.append(UInt32(rank - last - 1))
      last = rank
    }
    let positions = ranks.map(network.position)
    for axis in [positions.map(\.x), positions.map(\.y)] {
      var before: Int32 = 0
      for value in axis {
        columns.append(signed: value - before)
        before = value
      }
    }
  }

  /// The edges, column by column, and their points.
  ///
  /// - Returns: the names, in the order of their numbers from 1.
  private static func write(
    _ edges: [StreetNetwork.Edge], _ network: StreetNetwork, _ places: [Int32: UInt32],
    to columns: inout Varints, _ points: inout Varints
  ) -> [String] {
    var last: UInt32 = 0
    for edge in edges {
      let tail = places[edge.tail] ?? 0
      columns.append(tail - last)
      last = tail
    }
    for edge in edges {
      columns.append((places[edge.head] ?? 0) - (places[edge.tail] ?? 0) - 1)
    }
    for edge in edges { columns.append(UInt32(edge.length)) }
    for edge in edges { columns.append(UInt32(network.flags(edge))) }
    let streets = edges.map { network.streets[Int($0.street)] }
    for street in streets { columns.bytes.append(street.speed) }
    for street in streets { columns.bytes.append(UInt8(bitPattern: street.level)) }
    var names: [String: UInt32] = ["": 0]
    var ordered: [String] = []
    for street in streets {
      if names[street.name] == nil {
        ordered.append(street.name)
        names[street.name] = UInt32(ordered.count)
      }
      columns.append(names[street.name] ?? 0)
    }
    for edge in edges {
      let line = network.points(edge)
      columns.append(UInt32(line.count))
      var before = network.position(edge.tail)
      for point in line {
        points.append(signed: point.x - before.x)
        points.append(signed: point.y - before.y)
        before = point
      }
    }
    return ordered
  }
}

/// Numbers with seven bits in a byte, the lowest first.
private struct Varints {
  var bytes: [UInt8] = []

  mutating func append(_ number: UInt32) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Small numbers of both signs as small numbers: 0, -1, 1, -2…
  mutating func append(signed number: Int32) {
    append(UInt32(bitPattern: (number << 1) ^ (number >> 31)))
  }
}
