import Compression
import PrivacyMap
import Reading
package import Service
package import TileArchives
import WebServer

/// The base map and the street maps, served by this instance so that pages need no third party.
package struct BaseMapRoutes: Feature {
  package let baseMap: TileArchive?
  package let streets: [StreetMap]
  package let satellite: StreetMap?

  package var endpoints: [Endpoint] {
    let maps = Dictionary((streets + [satellite].compactMap { $0 }).map { ($0.id, $0.archive) }) {
      first, _ in first
    }
    return [
      endpoint(
        "getBaseMapTile", Self.baseMapPath, "A tile of coasts, borders and names.",
        [.query(Self.version, .text(maxLength: 16), "The version of the base map.")],
        seconds: { request, archive in
          // Another server may have another base map for a while.
          switch request.query[Self.version] {
          case archive.version?: Self.year
          case nil: 86_400
          default: 0
          }
        }
      ) { _ in baseMap },
      endpoint(
        "getStreetsTile", "/streets/{map}", "A tile of streets or aerial images.",
        [.path("map", .text(maxLength: 60), "A street map, by its name in `/api/settings`.")],
        // The URL changes with the file.
        seconds: { _, _ in Self.year }
      ) { maps[$0.parameter("map")] },
    ]
  }

  package init(_ instance: Instance) throws {
    let archives: Archives = try instance.given()
    (baseMap, streets, satellite) = (archives.baseMap, archives.streets, archives.satellite)
  }

  private static let baseMapPath = "/basemap"
  private static let version = "v"
  private static let year = 31_536_000

  /// The URL template of the base map, which changes with its content, so that browsers may cache a tile for a year.
  static func baseMapTiles(_ archive: TileArchive) -> String {
    "\(baseMapPath)/{z}/{x}/{y}.mvt?\(version)=\(archive.version)"
  }

  private func endpoint(
    _ id: String, _ path: String, _ summary: String, _ parameters: [Parameter] = [],
    seconds: @escaping @Sendable (Request, TileArchive) -> Int,
    archive: @escaping @Sendable (Request) -> TileArchive?
  ) -> Endpoint {
    Endpoint(
      id, path + "/{z}/{x}/{y}.mvt", tag: "Base map", summary: summary,
      parameters: parameters + TileRoutes.numbers(["z", "x", "y"]),
      answers: [
        .ok("The tile.", TileRoutes.mediaType),
        Endpoint.Answer(status: 204, description: "Open sea.", content: []),
      ]
    ) { request in
      guard let archive = archive(request) else { throw NotFound.tile }
      let address = try TileRoutes.address(request, names: ("z", "x", "y"))
      let bytes = try archive.tile(z: address.z, x: address.x, y: address.y)
      return Self.response(bytes, of: archive, seconds: seconds(request, archive))
    }
  }

  private static func response(
    _ bytes: [UInt8]?, of archive: TileArchive, seconds: Int
  ) -> Response {
    var response = Response(.noContent)
    if let bytes {
      response = .bytes(bytes, contentType: archive.mediaType)
      if Gzip.isGzip(bytes) { response.headers.add("Content-Encoding", "gzip") }
      response.mayCompress = false
    }
    response.etag = EntityTag(archive.version)
    response.headers.add("Cache-Control", "public, max-age=\(seconds)")
    return response
  }
}
