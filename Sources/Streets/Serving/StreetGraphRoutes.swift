import JSON
package import Service
import TileArchives
import WebServer

/// The street graphs on which pages search for ways, in pieces of a fixed grid.
///
/// A piece is the same for all clients. The pieces that a client loads reveal no more than the part of a map that it
/// shows.
package struct StreetGraphRoutes: Feature {
  package let graphs: [StreetGraph]
  package let versions: AnswerVersions
  private let byID: [String: StreetGraph]

  static let pieces = "/street-graphs"
  /// The media type of a piece (docs/reference/street-graph.md).
  private static let mediaType = "application/octet-stream"
  /// The columns and rows of the grid.
  private static let side = 1 << GraphPieces.zoom

  package init(_ instance: Instance) {
    graphs = StreetGraph.all(in: instance.folders, logger: instance.logger)
    versions = instance.versions
    byID = Dictionary(graphs.map { ($0.id, $0) }) { first, _ in first }
  }

  package var endpoints: [Endpoint] {
    let number = Parameter.Schema.integer(minimum: 0, maximum: Self.side - 1)
    return [
      Endpoint(
        "getStreetGraphs", "/api/street-graphs", tag: "Base map",
        summary: "The street graphs for searches for ways, with their areas.",
        parameters: [.format(["json"])],
        answers: [.ok("The graphs.", "application/json", schema: "streetGraphs")]
      ) { request in
        try ContentNegotiation.json.check(request)
        return try versions.answer(request) { .json(graphs, as: Self.shape) }
      },
      Endpoint(
        "getStreetPiece", Self.pieces + "/{graph}/{x}/{y}.piece", tag: "Base map",
        summary: "The streets in one tile of the grid.",
        parameters: [
          .path("graph", .text(maxLength: 60), "A graph, by its id in `/api/street-graphs`."),
          .path("x", number, "The column of the tile at zoom \(GraphPieces.zoom), from the west."),
          .path("y", number, "The row of the tile, from the north."),
        ],
        answers: [.ok("The piece.", Self.mediaType), .done("No streets.")], piece),
    ]
  }

  package var schemas: [Schema] { [Self.shape.component] }

  private static let shape = JSONShape<[StreetGraph]>(
    "streetGraphs", .list("graphs", of: graph, \.self))

  private static let graph = JSONShape<StreetGraph>(
    nil, .text("id", \.id), .text("name", \.name), .text("url", \.url),
    .count("version") { _ in Int(GraphPieces.version) },
    .count("zoom") { _ in GraphPieces.zoom },
    .init("bounds", .box) { graph in
      let bounds = graph.bounds
      return [bounds.west, bounds.south, bounds.east, bounds.north]
    },
    .count("nodes", \.metadata.nodes), .count("edges", \.metadata.edges),
    .text("attribution", \.metadata.attribution))

  @Sendable private func piece(_ request: Request) throws -> Response {
    guard let graph = byID[request.parameter("graph")] else { throw NotFound.tile }
    let (x, y) = (try Self.number("x", request), try Self.number("y", request))
    var response = Response(.noContent)
    if let bytes = try graph.piece(x: x, y: y) {
      response = .bytes(bytes, contentType: Self.mediaType)
      response.headers.add("Content-Encoding", "gzip")
      response.mayCompress = false
    }
    response.etag = EntityTag(graph.metadata.graph)
    // The URL changes with the graph.
    response.headers.add("Cache-Control", "public, max-age=31536000, immutable")
    return response
  }

  private static func number(_ name: String, _ request: Request) throws -> Int {
    let text = request.parameter(name)
    guard !text.isEmpty, text.utf8.count <= 5, text.utf8.allSatisfy({ (48...57).contains($0) }),
      let number = Int(text), number < side
    else {
      throw InvalidInput(name, Message("error.tile_number", ["maximum": "\(side - 1)"]))
    }
    return number
  }
}
