package import Devices
import JSON
import Reading
import Reference
package import Service
import SpatialDatabase
package import TileArchives
import WebServer

/// `GET /api/settings`: the settings that pages need.
package struct SettingsRoutes: Feature {
  package let settings: InstanceSettings
  package let catalogue: Catalogue
  package let baseMap: TileArchive?
  package let isBaseMapCoarse: Bool
  package let streets: [StreetMap]
  package let satellite: StreetMap?
  package let store: DeviceStore
  package let versions: AnswerVersions
  package let release: String

  package init(_ instance: Instance) throws {
    let archives: Archives = try instance.given()
    (settings, catalogue) = (instance.settings, instance.catalogue)
    (baseMap, streets, satellite) = (archives.baseMap, archives.streets, archives.satellite)
    isBaseMapCoarse = archives.isBaseMapCoarse
    (store, versions) = (try instance.part(), instance.versions)
    release = try instance.given(ProgramFiles.self).front.release
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

  package var schemas: [Schema] { [SettingsJSON.shape.component] }

  @Sendable private func get(_ request: Request) throws -> Response {
    try versions.answer(request) { .json(try json()) }
  }

  /// The body of the response.
  func json() throws -> [UInt8] {
    let sources = try store.database.readQuickly { connection in
      try connection.rows(SourceStore.credited) { row in
        (row.text(0), row.optionalText(1), row.optionalText(2), row.optionalText(3))
      }
    }
    var json = JSONWriter()
    SettingsJSON.shape.write(
      SettingsJSON(
        routes: self, sources: sources,
        collections: try store.database.readQuickly { try FurtherCollection.all($0) },
        devices: try store.count(DeviceFilter())), to: &json)
    return json.bytes
  }
}
