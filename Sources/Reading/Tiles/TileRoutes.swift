package import Devices
import JSON
internal import Locking
package import PrivacyMap
import Reference
package import Service
import SpatialDatabase
package import WebServer

/// Vector tiles of devices: at the usual address for map libraries, and as OGC API – Tiles.
package struct TileRoutes: Feature {
  package let store: DeviceStore
  package let parameters: DeviceParameters
  package let addresses: Addresses
  package let versions: AnswerVersions
  package let cache: TileCache
  let filtered = FilteredIndexes()
  package let name: String
  package let pages: ResourcePages

  /// The address of the TileJSON description.
  package static let path = "/api/tiles/devices.json"
  package static let mediaType = "application/vnd.mapbox-vector-tile"
  static let negotiation = ContentNegotiation([ContentNegotiation.Offer("mvt", mediaType)])
  private static let collection = "/api/collections/devices"
  /// Deeper tiles show no additional detail.
  static let deepest = TileContent.stackZoom

  package var endpoints: [Endpoint] {
    [
      Endpoint(
        "getTileJSON", Self.path, tag: "Tiles",
        summary: "A description of the device tiles for map libraries (TileJSON 3.0).",
        parameters: parameters.declared,
        answers: [.ok("TileJSON.", "application/json", schema: "tilejson")]
      ) { request in
        _ = try parameters.filter(request.query)
        return try versions.answer(request) { .json(try tileJSON(request.query)) }
      },
      Endpoint(
        "getTile", "/api/tiles/devices/{z}/{x}/{y}.mvt", tag: "Tiles",
        summary: "One tile: layers `clusters` and `devices`.",
        parameters: Self.numbers(["z", "x", "y"]) + parameters.declared,
        answers: Self.tileAnswers
      ) { try tile($0, names: ("z", "x", "y")) },
      Endpoint(
        "getTilesets", Self.collection + "/tiles", tag: "Tiles",
        summary: "The tile sets of the devices (OGC API – Tiles).",
        parameters: [ResourcePages.formats],
        answers: [.ok("Tile sets.", schema: "tilesets").alsoAsPage],
        pages.also(.json, tilesets)),
      Endpoint(
        "getTileset", Self.collection + "/tiles/WebMercatorQuad", tag: "Tiles",
        summary: "The tile set.", parameters: [ResourcePages.formats],
        answers: [.ok("The tile set.", schema: "tileset").alsoAsPage],
        pages.also(.json, tileset)),
      Endpoint(
        "getTileOfTileset",
        Self.collection + "/tiles/WebMercatorQuad/{tileMatrix}/{tileRow}/{tileCol}", tag: "Tiles",
        summary: "The same tiles, addressed by row and column.",
        parameters: Self.numbers(["tileMatrix", "tileRow", "tileCol"]) + parameters.declared,
        answers: Self.tileAnswers
      ) { try tile($0, names: ("tileMatrix", "tileCol", "tileRow")) },
      Endpoint(
        "getTileMatrixSet", TilesetDescription.matrixSet, tag: "Tiles",
        summary: "The tiling scheme.", parameters: [ResourcePages.formats],
        answers: [.ok("The scheme.", schema: "tileMatrixSet").alsoAsPage],
        pages.also(.json, scheme)),
    ]
  }

  package init(_ instance: Instance) throws {
    (store, parameters, cache) = try (instance.part(), instance.part(), instance.part())
    (addresses, versions, pages) = (instance.addresses, instance.versions, instance.pages)
    name = instance.settings.name
  }

  package var schemas: [Schema] {
    [
      ("tilejson", JSONSchema.object.value), TilesetDescription.shape.component,
      TilesetDescription.list.component, Self.matrixSet.component,
    ]
  }

  package static func numbers(_ names: [String]) -> [Parameter] {
    names.map { name in
      let maximum = name == "z" || name == "tileMatrix" ? TileAddress.zooms.upperBound : 1 << 22
      return .path(
        name, .integer(minimum: 0, maximum: maximum), "The tile's \(name), counted from 0.")
    }
  }

  static var tileAnswers: [Endpoint.Answer] {
    [
      .ok("The tile.", Self.mediaType),
      Endpoint.Answer(status: 204, description: "The tile is empty.", content: []),
    ]
  }

  private func tile(_ request: Request, names: (String, String, String)) throws -> Response {
    try Self.negotiation.check(request)
    let address = try Self.address(request, names: names)
    let filter = try parameters.filter(request.query)
    return try versions.answer(request) {
      let key = TileCache.Key(
        address: [address.z, address.x, address.y],
        filter: TileCache.Key.canonical(request.query),
        isCompressed: ContentCoding.acceptsGzip(request.headers))
      let version = versions.version
      return try cache.answer(key, version: version) {
        let content = try content(address, filter, FilteredIndexes.Key(key.filter, version))
        return content.isEmpty ? [] : VectorTile.encode(content, TileVocabulary(store.vocabulary))
      }
    }
  }

  /// The content of a tile: from the main index or, if it cannot evaluate the filter, from an index built
  /// from the database. A tile at a high zoom queries only its own devices. Tiles at low zooms share one
  /// index, because all tiles of a screen need it.
  private func content(
    _ address: TileAddress, _ filter: DeviceFilter, _ key: FilteredIndexes.Key
  ) throws -> TileContent {
    let today = store.environment.now().day
    if let points = filter.pointFilter(vocabulary: store.vocabulary, today: today) {
      return store.index.snapshot.tile(address, matching: points)
    }
    // Also where an index is being built already: a tile waits for it.
    try SocketThread.leave()
    let shared =
      address.z < Self.firstOwnZoom
      ? try filtered.index(key) { try store.filteredIndex(filter, today: today) } : nil
    let index = try shared ?? store.filteredIndex(filter, within: address.box, today: today)
    return index.tile(address, matching: PointFilter())
  }

  /// From this zoom on (about 40 km wide), a tile has few enough devices to be queried on its own.
  private static let firstOwnZoom = 10

  /// Parses the three numbers of a tile.
  package static func address(
    _ request: Request, names: (String, String, String)
  ) throws -> TileAddress {
    func number(_ name: String, below limit: Int) throws -> Int {
      let text = request.parameter(name)
      guard !text.isEmpty, text.utf8.count <= 9, text.utf8.allSatisfy({ (48...57).contains($0) }),
        let number = Int(text), number < limit
      else {
        throw InvalidInput(name, Message("error.tile_number", ["maximum": "\(limit - 1)"]))
      }
      return number
    }
    let z = try number(names.0, below: TileAddress.zooms.upperBound + 1)
    let x = try number(names.1, below: 1 << z)
    let y = try number(names.2, below: 1 << z)
    guard let address = TileAddress(z: z, x: x, y: y) else { throw NotFound.tile }
    return address
  }

  /// The TileJSON description of the tiles for a filter.
  package func tileJSON(_ filter: Query) throws -> [UInt8] {
    let attribution = try store.database.readQuickly { try SourceStore().attribution($0) }
    var json = JSONWriter()
    json.value([
      "tilejson": "3.0.0", "name": .string(name), "attribution": .string(attribution),
      "minzoom": 0, "maxzoom": .integer(Int64(Self.deepest)), "scheme": "xyz",
      "bounds": [-180, -85.051_129, 180, 85.051_129],
      "tiles": [
        .string(
          addresses.url("/api/tiles/devices/", filter)
            .replacing("/api/tiles/devices/", with: "/api/tiles/devices/{z}/{x}/{y}.mvt"))
      ],
      "vector_layers": Self.layers,
    ])
    return json.bytes
  }

  static let layers: JSONValue = [
    [
      "id": "clusters", "description": "Groups of devices too close to be drawn separately.",
      "fields": [
        "count": "Number", "stack": "Boolean", "category_1": "String", "count_1": "Number",
        "category_2": "String", "count_2": "Number", "category_3": "String",
        "count_3": "Number", "west": "Number", "south": "Number", "east": "Number",
        "north": "Number",
      ],
    ],
    [
      "id": "devices", "description": "Single devices.",
      "fields": [
        "id": "String", "category": "String", "status": "String", "precision": "String",
        "bearing": "Number",
      ],
    ],
  ]

  @Sendable private func tilesets(_ request: Request) throws -> Response {
    return try versions.answer(request) { .json(tilesetDescription, as: TilesetDescription.list) }
  }

  @Sendable private func tileset(_ request: Request) throws -> Response {
    return try versions.answer(request) { .json(tilesetDescription, as: TilesetDescription.shape) }
  }

  private var tilesetDescription: TilesetDescription {
    TilesetDescription(collection: "devices", title: "Devices", addresses: addresses)
  }

  @Sendable private func scheme(_ request: Request) throws -> Response {
    return try versions.answer(request) { .json(TileAddress.zooms, as: Self.matrixSet) }
  }

  private static let matrixSet = TileMatrixSet.shape
}

extension TileVocabulary {
  /// Maps the numbers of the index to codes.
  package init(_ vocabulary: Vocabulary) {
    let last = vocabulary.categories.map(\.number).max() ?? 0
    self.init(
      categories: (0...last).map { vocabulary.categoryCode(number: $0) ?? "other" },
      statuses: DeviceStatus.allCases.map(\.rawValue),
      precisions: Precision.allCases.map(\.rawValue))
  }
}
