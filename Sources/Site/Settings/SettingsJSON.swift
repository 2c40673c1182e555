import PrivacyMap
import Reading
import Service
import TileArchives

/// The JSON of ``SettingsRoutes``.
struct SettingsJSON {
  let routes: SettingsRoutes
  /// The sources of devices that must be credited.
  let sources: [Source]
  /// The additional collections that the map can show.
  let collections: [FurtherCollection]
  let devices: Int

  typealias Source = (name: String, licence: String?, attribution: String?, url: String?)
  private typealias Tiles = (archive: TileArchive, path: String)

  static let shape = JSONShape<SettingsJSON>(
    "settings", .text("name", \.routes.settings.name), .text("contact", \.routes.settings.contact),
    .text("licence", \.routes.settings.licence), .text("version") { _ in Farol.version },
    .text("release", \.routes.release), .texts("languages", \.routes.catalogue.languages),

    .group(
      "view", .degrees("longitude", \.view.center.longitude),
      .degrees("latitude", \.view.center.latitude), .number("zoom", \.view.zoom)),
    .object("base_map", tiles) {
      $0.routes.baseMap.map { ($0, BaseMapRoutes.baseMapTiles($0)) }
    },
    .flag("is_base_map_coarse", \.routes.isBaseMapCoarse),
    .list("streets", of: tiles) { $0.routes.streets.map { ($0.archive, $0.tiles) } },
    .object("tile_url", foreignTiles, \.routes.settings.foreignTiles),
    .object("satellite", images, \.images),
    .list("sources", of: source, \.sources), .list("collections", of: collection, \.collections),
    .group("counts", .count("devices", \.devices)))

  private var view: InstanceSettings.View { routes.settings.view }

  private static let tiles = JSONShape<Tiles>(
    nil, .text("tiles") { $0.path }, .count("min_zoom") { $0.archive.zooms.lowerBound },
    .count("max_zoom") { $0.archive.zooms.upperBound },
    .text("attribution") { $0.archive.attribution },
    .init("format", .oneOf(["raster", "vector"])) {
      $0.archive.mediaType.hasPrefix("image/") ? "raster" : "vector"
    }, .text("schema") { $0.archive.schema?.rawValue },
    .init("bounds", .box) { $0.archive.bounds.map(edges) }, .texts("layers") { $0.archive.layers })

  private static let foreignTiles = JSONShape<InstanceSettings.ForeignTiles>(
    nil, .text("url", \.url), .text("host", \.host), .text("attribution", \.attribution),
    .init("type", .oneOf(["raster", "vector"])) {
      $0.url.contains(".mvt") || $0.url.contains(".pbf") ? "vector" : "raster"
    })

  /// Aerial images that visitors may switch on.
  private struct Images {
    var tiles: String
    var attribution: String
    /// The server that receives visitors' IP addresses; nil for a file of this instance.
    var host: String?
    var zooms: ClosedRange<Int>
    var bounds: TileBounds?
  }

  private var images: Images? {
    if let tiles = routes.settings.foreignSatellite {
      return Images(
        tiles: tiles.url, attribution: tiles.attribution, host: tiles.host, zooms: 0...tiles.deepest
      )
    }
    return routes.satellite.map { map in
      Images(
        tiles: map.tiles,
        attribution: routes.settings.satelliteAttribution ?? map.archive.attribution,
        zooms: map.archive.zooms, bounds: map.archive.bounds)
    }
  }

  private static let images = JSONShape<Images>(
    nil, .text("tiles", \.tiles), .text("attribution", \.attribution), .text("host", \.host),
    .count("min_zoom", \.zooms.lowerBound), .count("max_zoom", \.zooms.upperBound),
    .init("bounds", .box) { $0.bounds.map(edges) })

  private static func edges(_ box: TileBounds) -> [Degrees] {
    [box.west, box.south, box.east, box.north].map(Degrees.init)
  }

  private static let source = JSONShape<Source>(
    nil, .text("name") { $0.name }, .text("licence") { $0.licence },
    .text("attribution") { $0.attribution }, .text("url") { $0.url })

  private static let collection = JSONShape<FurtherCollection>(
    nil, .text("id", \.id), .text("title", \.title), .text("attribution", \.attribution))
}
