package import Devices
import JSON
import PrivacyMap
import Reading
package import Service
import SpatialDatabase
package import TileArchives
import WebServer

/// `GET /api/settings`: the settings that pages need.
package struct SettingsRoutes: Feature {
  package let settings: InstanceSettings
  package let catalogue: Catalogue
  package let baseMap: TileArchive?
  package let streets: [StreetMap]
  package let store: DeviceStore
  package let versions: AnswerVersions
  package let assets: String

  package init(
    settings: InstanceSettings, catalogue: Catalogue, baseMap: TileArchive?, streets: [StreetMap],
    store: DeviceStore, versions: AnswerVersions, assets: String
  ) {
    self.settings = settings
    self.catalogue = catalogue
    self.baseMap = baseMap
    self.streets = streets
    self.store = store
    self.versions = versions
    self.assets = assets
  }

  static let path = "/api/settings"

  package var endpoints: [Endpoint] {
    [
      Endpoint(
        "getSettings", Self.path, tag: "Interface",
        summary: "The settings of this instance that pages need.",
        answers: [.ok("Settings.", "application/json", schema: "settings")], get)
    ]
  }

  package var schemas: [Schema] { [("settings", OpenAPISchemas.anyObject)] }

  @Sendable private func get(_ request: Request) throws -> Response {
    try versions.answer(request) { .json(try json()) }
  }

  /// The body of the response.
  func json() throws -> [UInt8] {
    var json = JSONWriter()
    json.beginObject()
    json.member("name", settings.name)
    json.key("contact")
    if let contact = settings.contact { json.string(contact) } else { json.null() }
    json.member("licence", settings.licence)
    json.member("version", Farol.version)
    json.member("assets", assets)
    json.key("languages")
    json.strings(catalogue.languages)
    json.key("view")
    writeView(to: &json)
    json.key("base_map")
    Self.write(baseMap, at: "/basemap/{z}/{x}/{y}.mvt", to: &json)
    json.key("streets")
    json.beginArray()
    for map in streets { Self.write(map.archive, at: map.tiles, to: &json) }
    json.endArray()
    json.key("tile_url")
    writeForeignTiles(to: &json)
    json.key("sources")
    try writeSources(to: &json)
    json.key("collections")
    try writeCollections(to: &json)
    json.key("counts")
    json.beginObject()
    json.key("devices")
    json.integer(try store.count(DeviceFilter()))
    json.endObject()
    json.endObject()
    return json.bytes
  }

  private func writeView(to json: inout JSONWriter) {
    let view = settings.view
    json.beginObject()
    json.key("longitude")
    json.coordinate(view.center.longitude)
    json.key("latitude")
    json.coordinate(view.center.latitude)
    json.key("zoom")
    json.double(view.zoom)
    json.endObject()
  }

  private static func write(_ archive: TileArchive?, at path: String, to json: inout JSONWriter) {
    guard let archive else { return json.null() }
    json.beginObject()
    json.member("tiles", path)
    json.key("min_zoom")
    json.integer(archive.zooms.lowerBound)
    json.key("max_zoom")
    json.integer(archive.zooms.upperBound)
    json.member("attribution", archive.attribution)
    json.member("format", archive.mediaType.hasPrefix("image/") ? "raster" : "vector")
    json.key("schema")
    if let schema = archive.schema { json.string(schema.rawValue) } else { json.null() }
    json.key("bounds")
    if let bounds = archive.bounds {
      json.beginArray()
      for edge in [bounds.west, bounds.south, bounds.east, bounds.north] { json.coordinate(edge) }
      json.endArray()
    } else {
      json.null()
    }
    json.key("layers")
    json.strings(archive.layers)
    json.endObject()
  }

  /// The sources of devices that must be credited.
  private func writeSources(to json: inout JSONWriter) throws {
    json.beginArray()
    try store.database.read { connection in
      try connection.forEach(SourceStore.credited) { row in
        json.beginObject()
        for (column, name) in ["name", "licence", "attribution", "url"].enumerated() {
          json.key(name)
          json.text(row, column)
        }
        json.endObject()
      }
    }
    json.endArray()
  }

  /// The additional collections that the map can show.
  private func writeCollections(to json: inout JSONWriter) throws {
    json.beginArray()
    for collection in try store.database.read({ try FurtherCollection.all($0) }) {
      json.beginObject()
      json.member("id", collection.id)
      json.member("title", collection.title)
      json.member("attribution", collection.attribution)
      json.endObject()
    }
    json.endArray()
  }

  private func writeForeignTiles(to json: inout JSONWriter) {
    guard let tiles = settings.foreignTiles else { return json.null() }
    json.beginObject()
    json.member("url", tiles.url)
    json.member("host", tiles.host)
    json.member("attribution", tiles.attribution)
    let isVector = tiles.url.contains(".mvt") || tiles.url.contains(".pbf")
    json.member("type", isVector ? "vector" : "raster")
    json.endObject()
  }
}
