import Filters
import Service

/// The only tile set of a collection (OGC API – Tiles, 20-057, 7.2 and 8).
struct TilesetDescription {
  let collection: String
  let title: String
  let addresses: Addresses

  static let matrixSet = "/api/tileMatrixSets/WebMercatorQuad"
  static let matrixSetURI = "http://www.opengis.net/def/tilematrixset/OGC/1.0/WebMercatorQuad"

  private var path: String { "/api/collections/\(collection)/tiles" }

  static let shape = JSONShape<TilesetDescription>(
    "tileset", .text("title", \.title), .text("dataType") { _ in "vector" },
    .text("crs") { _ in CoordinateSystem.epsg3857.rawValue },
    .text("tileMatrixSetURI") { _ in matrixSetURI },
    .list("links", of: Link.shape) { tileset in
      let addresses = tileset.addresses
      return [
        Link(
          "self", addresses.url(tileset.path + "/WebMercatorQuad"), type: "application/json",
          title: "This tile set"),
        Link(
          "http://www.opengis.net/def/rel/ogc/1.0/tiling-scheme", addresses.url(matrixSet),
          type: "application/json", title: "The tiling scheme"),
        Link(
          "item",
          addresses.url(tileset.path + "/WebMercatorQuad/{tileMatrix}/{tileRow}/{tileCol}"),
          type: TileRoutes.mediaType, title: "A tile", isTemplate: true),
      ]
    })

  /// The list of the collection's tile sets.
  static let list = JSONShape<TilesetDescription>(
    "tilesets", .list("tilesets", of: shape) { [$0] },
    .list("links", of: Link.shape) { tileset in
      [
        Link(
          "self", tileset.addresses.url(tileset.path), type: "application/json",
          title: "The tile sets")
      ]
    })
}
