import Devices
import JSON
import PrivacyMap
import Service
import WebServer

/// The only tile set of a collection (OGC API – Tiles, 20-057, 7.2 and 8).
struct TilesetDescription {
  let collection: String
  let title: String
  let addresses: Addresses

  static let matrixSet = "/api/tileMatrixSets/WebMercatorQuad"
  static let matrixSetURI = "http://www.opengis.net/def/tilematrixset/OGC/1.0/WebMercatorQuad"

  private var path: String { "/api/collections/\(collection)/tiles" }

  /// The tile set alone.
  func write() -> [UInt8] {
    var json = JSONWriter()
    write(to: &json)
    return json.bytes
  }

  /// The list of the collection's tile sets.
  func writeList() -> [UInt8] {
    var json = JSONWriter()
    json.beginObject()
    json.key("tilesets")
    json.beginArray()
    write(to: &json)
    json.endArray()
    json.links([
      Link("self", addresses.url(path), type: "application/json", title: "The tile sets")
    ])
    json.endObject()
    return json.bytes
  }

  private func write(to json: inout JSONWriter) {
    json.beginObject()
    json.member("title", title)
    json.member("dataType", "vector")
    json.member("crs", CoordinateSystem.epsg3857.rawValue)
    json.member("tileMatrixSetURI", Self.matrixSetURI)
    json.links([
      Link(
        "self", addresses.url(path + "/WebMercatorQuad"), type: "application/json",
        title: "This tile set"),
      Link(
        "http://www.opengis.net/def/rel/ogc/1.0/tiling-scheme", addresses.url(Self.matrixSet),
        type: "application/json", title: "The tiling scheme"),
      Link(
        "item", addresses.url(path + "/WebMercatorQuad/{tileMatrix}/{tileRow}/{tileCol}"),
        type: TileRoutes.mediaType, title: "A tile", isTemplate: true),
    ])
    json.endObject()
  }
}
