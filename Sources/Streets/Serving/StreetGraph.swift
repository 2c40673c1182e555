import Foundation
import JSON
package import Logging
package import Service
import TileArchives

/// One file with a street graph, and its name in URLs.
package struct StreetGraph: Sendable {
  /// The file name in lower case and eight digits that depend on the graph. A piece of one URL therefore never changes
  /// and can be cached permanently.
  let id: String
  /// The file name without its ending.
  let name: String
  let metadata: GraphMetadata
  let bounds: TileBounds
  private let archive: TileArchive

  /// The ending of file names.
  package static let ending = ".graph"

  /// The URL template of the pieces.
  var url: String { "\(StreetGraphRoutes.pieces)/\(id)/{x}/{y}.piece" }

  /// - Throws: ``StreetFault`` for another kind or version of file, ``UnreadableArchive`` for a damaged one.
  package init(path: String) throws {
    archive = try TileArchive(path: path)
    guard archive.metadata["format"]?.stringValue == GraphMetadata.format,
      archive.zooms == GraphPieces.zoom...GraphPieces.zoom
    else { throw StreetFault.notAGraph(path) }
    let version = archive.metadata["version"]?.intValue ?? 0
    guard version == Int(GraphPieces.version) else { throw StreetFault.version(path, version) }
    guard let graph = archive.metadata["graph"]?.stringValue,
      graph.utf8.count == 2 * GraphPieces.graphSize,
      graph.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) })
    else { throw StreetFault.notAGraph(path) }
    metadata = GraphMetadata(
      graph: graph, nodes: archive.metadata["nodes"]?.intValue ?? 0,
      edges: archive.metadata["edges"]?.intValue ?? 0,
      attribution: archive.metadata["attribution"]?.stringValue ?? "")
    bounds = archive.bounds ?? .world
    name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    let plain = name.lowercased().unicodeScalars.prefix(40).map { scalar in
      ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar) ? String(scalar) : "-"
    }
    id = plain.joined() + "-" + graph.prefix(8)
  }

  /// The piece of a tile of the grid, compressed with gzip; nil if it contains no street.
  func piece(x: Int, y: Int) throws -> [UInt8]? {
    try archive.tile(z: GraphPieces.zoom, x: x, y: y)
  }

  /// The files next to the street maps of an instance, by name. An unreadable file is logged and left out, because all
  /// other features work without it.
  package static func all(in folders: Folders, logger: Logger) -> [StreetGraph] {
    folders.streetFiles(ending: ending).compactMap { path in
      do { return try StreetGraph(path: path) } catch {
        logger.warning("a street graph cannot be read: \(error)")
        return nil
      }
    }
  }
}
