import Compression
import Foundation
package import Import
import JSON
import Secrets
import TileArchives

/// Builds the file of a street graph from an OpenStreetMap extract.
package struct StreetBuilder {
  /// The figures about the content of a file.
  package struct Summary {
    package var nodes: Int
    package var edges: Int
    package var pieces: Int
    /// Bytes.
    package var size: Int
    /// Ways without some of their nodes, as at the border of an extract.
    package var cutWays: Int
  }

  private let program: FormatProgram

  package init(program: FormatProgram = .besideThis) { self.program = program }

  /// Reads an extract and writes the file, which appears when it is complete.
  ///
  /// - Throws: ``ImportFailure`` for an extract that cannot be read, ``StreetFault``, or ``UnwritableArchive``.
  package func build(extract: String, output: String) throws -> Summary {
    var network = StreetNetwork()
    var records = StreetRecords()
    try program.streets(
      extract, ways: StreetTags.wayKeys, nodes: StreetTags.nodeKeys, kept: StreetTags.keptKeys
    ) { bytes in
      try records.read(bytes) { network.add($0) }
    }
    try records.finish()
    network.connect()
    guard !network.edges.isEmpty else { throw StreetFault.noStreets }
    guard network.nodes.count < GraphLimits.ranks else { throw StreetFault.tooDense(extract) }
    network.order(NodeOrder(network).ranks)
    let pieces = try GraphPieces(network)
    let size = try write(pieces, network, to: output)
    return Summary(
      nodes: network.nodes.count, edges: network.edges.count, pieces: pieces.pieces.count,
      size: size, cutWays: network.cutWays)
  }

  private func write(
    _ pieces: GraphPieces, _ network: StreetNetwork, to output: String
  ) throws -> Int {
    let new = output + ".new"
    defer { try? FileManager.default.removeItem(atPath: new) }
    var archive = try PMTilesWriter(path: new)
    for (address, bytes) in pieces.pieces {
      try archive.add(
        z: GraphPieces.zoom, x: address.x, y: address.y, Gzip.compress(bytes, level: 9))
    }
    let metadata = GraphMetadata(
      graph: Hexadecimal.text(of: pieces.graph), nodes: network.nodes.count,
      edges: network.edges.count)
    try archive.finish(
      metadata: metadata.json, bounds: Self.bounds(network), content: .unknown)
    guard rename(new, output) == 0 else { throw StreetFault.notWritten(output) }
    let size = try? FileManager.default.attributesOfItem(atPath: output)[.size] as? Int
    return size ?? 0
  }

  private static func bounds(_ network: StreetNetwork) -> TileBounds {
    var (west, south, east, north) = (180.0, 90.0, -180.0, -90.0)
    for node in network.nodes.indices {
      let position = network.position(Int32(node))
      let (x, y) = (Double(position.x) / 1_000_000, Double(position.y) / 1_000_000)
      (west, east) = (min(west, x), max(east, x))
      (south, north) = (min(south, y), max(north, y))
    }
    return TileBounds(west: west, south: south, east: east, north: north) ?? .world
  }
}

/// The metadata of a file.
package struct GraphMetadata {
  /// The value of `format`.
  static let format = "farol-streets"

  /// The digest of the graph, 16 hexadecimal digits.
  package var graph: String
  package var nodes: Int
  package var edges: Int
  package var attribution = "© OpenStreetMap contributors"

  var json: JSONValue {
    [
      "format": .string(Self.format), "version": .integer(Int64(GraphPieces.version)),
      "graph": .string(graph), "nodes": .integer(Int64(nodes)), "edges": .integer(Int64(edges)),
      "attribution": .string(attribution),
    ]
  }
}

/// The reason why a graph of streets cannot be built or read.
package enum StreetFault: Error, Equatable, CustomStringConvertible {
  case noStreets
  /// A piece above the limits of readers.
  case tooDense(String)
  case notWritten(String)
  /// A file of another program, or of another version of the format.
  case notAGraph(String)
  case version(String, Int)

  package var description: String {
    switch self {
    case .noStreets: "the extract contains no streets that can be used"
    case .tooDense(let place):
      "\(place) has more streets than a graph can hold; use a smaller extract"
    case .notWritten(let path): "\(path) cannot be written"
    case .notAGraph(let path): "\(path) is not a street graph; build it with farol streets"
    case .version(let path, let version):
      "\(path) is a street graph of version \(version), and this Farol reads version "
        + "\(GraphPieces.version); build it again with farol streets"
    }
  }
}
