import Compression
import PrivacyMap
import WebServer

/// The base map and the streets, served from this instance so that no page asks anyone else.
struct BaseMapRoutes {
  let baseMap: TileArchive?
  let streets: TileArchive?

  var endpoints: [Endpoint] {
    [
      endpoint("getBaseMapTile", "/basemap", "A tile of coasts, borders and names.", baseMap),
      endpoint("getStreetsTile", "/streets", "A tile of streets.", streets),
    ]
  }

  private func endpoint(
    _ id: String, _ path: String, _ summary: String, _ archive: TileArchive?
  ) -> Endpoint {
    Endpoint(
      id, path + "/{z}/{x}/{y}.mvt", tag: "Base map", summary: summary,
      parameters: ["z", "x", "y"].map { name in
        .path(
          name,
          .integer(minimum: 0, maximum: name == "z" ? TileAddress.zooms.upperBound : 1 << 22),
          "The tile's \(name), counted from 0.")
      },
      answers: [
        .ok("The tile.", TileRoutes.mediaType),
        Endpoint.Answer(status: 204, description: "Open sea.", content: []),
      ]
    ) { request in
      guard let archive else { throw NotFound.tile }
      let address = try TileRoutes.address(request, names: ("z", "x", "y"))
      let bytes = try archive.tile(z: address.z, x: address.x, y: address.y)
      return Self.response(bytes, of: archive)
    }
  }

  private static func response(_ bytes: [UInt8]?, of archive: TileArchive) -> Response {
    var response = Response(.noContent)
    if let bytes {
      response = .bytes(bytes, contentType: archive.mediaType)
      if Gzip.isGzip(bytes) { response.headers.add("Content-Encoding", "gzip") }
      response.mayCompress = false
    }
    response.etag = EntityTag(archive.version)
    // A new base map comes with a set-up; a day is soon enough to see it.
    response.headers.add("Cache-Control", "public, max-age=86400")
    return response
  }
}
