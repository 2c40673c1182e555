import Devices
import Service
import SpatialDatabase
import WebServer

/// `/api/admin/imports/{id}/…`: the mapping and the devices of one import.
struct ImportDeviceRoutes: Sendable {
  let map: LiveMap
  private var runs: ImportRunStore { ImportRunStore() }
  private var store: ImportDeviceStore { ImportDeviceStore() }

  /// Maximum numbers of devices and of flagged devices on the small map.
  private static let maximum: (devices: Int64, flagged: Int) = (1_500, 500)

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "getImportMapping", .get, "/api/admin/imports/{id}/mapping", tag: "Administration",
        summary: "The mapping file that an import used. It can be used for another import.",
        access: .admin, parameters: [ImportRoutes.id],
        answers: [.ok("The mapping file.", schema: "importMapping")], .personal(mapping)),
      Endpoint(
        "getImportDevices", .get, "/api/admin/imports/{id}/devices", tag: "Administration",
        summary: "The devices of an import that are on the map.", access: .admin,
        parameters: [ImportRoutes.id] + PageCursor.parameters("Devices"),
        answers: [.ok("A page of devices.", schema: "importDevices")], .slow(devices)),
      Endpoint(
        "getImportMap", .get, "/api/admin/imports/{id}/map", tag: "Administration",
        summary:
          "The state of an import's devices now: counts, and positions of up to 2,000 devices for a small map.",
        access: .admin, parameters: [ImportRoutes.id],
        answers: [.ok("The counts and the devices.", schema: "importMap")], .slow(devicesOnMap)),
    ]
  }

  @Sendable private func mapping(_ request: Request, _ caller: Caller) throws -> Response {
    let id = try ImportRoutes.id(of: request)
    let text = try map.database.read { try runs.mapping(of: id, $0) }
    guard let text else { throw ImportRoutes.notFound }
    return .json(Array(text.utf8))
  }

  @Sendable private func devices(_ request: Request, _ caller: Caller) throws -> Response {
    let limit = try PageCursor.limit(request.query["limit"])
    let last = try PageCursor.rows(request.query["cursor"], count: 1)?.first ?? 0
    return try read(request) { id, connection in
      let found = try store.devices(of: id, after: last, limit: limit + 1, connection)
      let (shown, next) = PageCursor.cut(found, to: limit) { ["\($0.rowid)"] }
      return .json(ImportedDevices(devices: shown, next: next), as: ImportedDevices.shape)
    }
  }

  @Sendable private func devicesOnMap(_ request: Request, _ caller: Caller) throws -> Response {
    try read(request) { id, connection in
      let counts = try store.counts(of: id, connection)
      let step = (counts.shown + Self.maximum.devices - 1) / Self.maximum.devices
      let flagged = try store.flagged(of: id, limit: Self.maximum.flagged, connection)
      let known = Set(flagged.map(\.rowid))
      let others = try store.sample(of: id, step: step, connection).filter {
        !known.contains($0.rowid)
      }
      return .json(
        ImportMap(counts: counts, devices: others + flagged), as: ImportMap.shape)
    }
  }

  /// Reads about an import that exists. A long list needs more than the usual time limit.
  private func read(
    _ request: Request, _ body: (Int64, Connection) throws -> Response
  ) throws -> Response {
    let id = try ImportRoutes.id(of: request)
    return try map.database.read(limit: .none) { connection in
      guard try runs.progress(of: id, connection) != nil else { throw ImportRoutes.notFound }
      return try body(id, connection)
    }
  }
}

/// A page of the devices of an import.
struct ImportedDevices {
  let devices: [ImportDeviceStore.Device]
  let next: String?

  static let shape = JSONShape<ImportedDevices>(
    "importDevices", .list("devices", of: device, \.devices), .text("next", \.next))

  static let device = JSONShape<ImportDeviceStore.Device>(
    nil, .uuid("id", \.id), .text("name", \.name), .text("category", \.category),
    .text("status", \.status), .degrees("longitude", \.longitude),
    .degrees("latitude", \.latitude), .flag("added", \.isAdded), .flag("flagged", \.isFlagged),
    .flag("edited", \.isEdited))
}

/// The devices of an import on a small map.
struct ImportMap {
  let counts: ImportDeviceStore.Counts
  let devices: [ImportDeviceStore.Device]

  static let shape = JSONShape<ImportMap>(
    "importMap", .count("shown", \.counts.shown), .count("hidden", \.counts.hidden),
    .count("edited", \.counts.edited), .count("withdrawable", \.counts.withdrawable),
    .count("flagged", \.counts.flagged),
    .list("devices", of: ImportedDevices.device, \.devices))
}
