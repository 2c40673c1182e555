import Compression
import JSON
import PrivacyMap
import SpatialDatabase
import WebServer

/// Vector tiles of devices: the address that map libraries like, and OGC API – Tiles.
struct TileRoutes {
  let store: DeviceStore
  let parameters: DeviceParameters
  let addresses: Addresses
  let versions: AnswerVersions
  let cache: TileCache
  let name: String

  static let mediaType = "application/vnd.mapbox-vector-tile"
  private static let collection = "/api/collections/devices"
  private static let matrixSet = "/api/tileMatrixSets/WebMercatorQuad"
  /// Tiles deeper than this show nothing new.
  static let deepest = TileContent.stackZoom

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "getTileJSON", "/api/tiles/devices.json", tag: "Tiles",
        summary: "The device tiles described for map libraries (TileJSON 3.0).",
        parameters: parameters.declared,
        answers: [.ok("TileJSON.", "application/json", schema: "tilejson")], tileJSON),
      Endpoint(
        "getTile", "/api/tiles/devices/{z}/{x}/{y}.mvt", tag: "Tiles",
        summary: "One tile: layers `clusters` and `devices`.",
        parameters: Self.numbers(["z", "x", "y"]) + parameters.declared,
        answers: tileAnswers
      ) { try tile($0, names: ("z", "x", "y")) },
      Endpoint(
        "getTilesets", Self.collection + "/tiles", tag: "Tiles",
        summary: "The tile sets of the devices (OGC API – Tiles).",
        parameters: [.format(["json"])],
        answers: [.ok("Tile sets.", "application/json", schema: "tilesets")], tilesets),
      Endpoint(
        "getTileset", Self.collection + "/tiles/WebMercatorQuad", tag: "Tiles",
        summary: "The one tile set.", parameters: [.format(["json"])],
        answers: [.ok("The tile set.", "application/json", schema: "tileset")], tileset),
      Endpoint(
        "getTileOfTileset",
        Self.collection + "/tiles/WebMercatorQuad/{tileMatrix}/{tileRow}/{tileCol}", tag: "Tiles",
        summary: "The same tiles, row before column.",
        parameters: Self.numbers(["tileMatrix", "tileRow", "tileCol"]) + parameters.declared,
        answers: tileAnswers
      ) { try tile($0, names: ("tileMatrix", "tileCol", "tileRow")) },
      Endpoint(
        "getTileMatrixSet", Self.matrixSet, tag: "Tiles", summary: "The tiling scheme.",
        parameters: [.format(["json"])],
        answers: [.ok("The scheme.", "application/json", schema: "tileMatrixSet")], scheme),
    ]
  }

  private static func numbers(_ names: [String]) -> [Parameter] {
    names.map { name in
      let maximum = name == "z" || name == "tileMatrix" ? TileAddress.zooms.upperBound : 1 << 22
      return .path(
        name, .integer(minimum: 0, maximum: maximum), "The tile's \(name), counted from 0.")
    }
  }

  private var tileAnswers: [Endpoint.Answer] {
    [
      .ok("The tile.", Self.mediaType),
      Endpoint.Answer(status: 204, description: "Nothing stands there.", content: []),
    ]
  }

  private func tile(_ request: Request, names: (String, String, String)) throws -> Response {
    let address = try Self.address(request, names: names)
    let filter = try parameters.filter(request.query)
    return try versions.answer(request) {
      let isCompressed = ContentCoding.acceptsGzip(request.headers)
      let key = TileCache.Key(
        address: [address.z, address.x, address.y],
        // No value holds a NUL, so no two filters have one key.
        filter: request.query.pairs.map { "\($0.name)=\($0.value)" }.sorted()
          .joined(separator: "\0"),
        isCompressed: isCompressed)
      let bytes = try cache.tile(key, version: versions.version) {
        let bytes = try encoded(address, filter)
        return isCompressed && bytes.count >= 200 ? Gzip.compress(bytes, level: 5) : bytes
      }
      guard !bytes.isEmpty else { return .noContent }
      var response = Response.bytes(bytes, contentType: Self.mediaType)
      if Gzip.isGzip(bytes) { response.headers.add("Content-Encoding", "gzip") }
      response.mayCompress = false
      return response
    }
  }

  private func encoded(_ address: TileAddress, _ filter: DeviceFilter) throws -> [UInt8] {
    let today = store.surroundings.now().day
    let content: TileContent
    if let points = filter.pointFilter(vocabulary: store.vocabulary, today: today) {
      content = store.index.snapshot.tile(address, matching: points)
    } else {
      content = try store.temporaryIndex(filter, today: today)
        .tile(address, matching: PointFilter())
    }
    guard !content.isEmpty else { return [] }
    return VectorTile.encode(content, TileVocabulary(store.vocabulary))
  }

  /// Reads the three numbers of a tile.
  static func address(
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

  @Sendable private func tileJSON(_ request: Request) throws -> Response {
    _ = try parameters.filter(request.query)
    return try versions.answer(request) {
      let attribution = try store.database.read { try SourceStore().attribution($0) }
      var json = JSONWriter()
      json.value([
        "tilejson": "3.0.0", "name": .string(name), "attribution": .string(attribution),
        "minzoom": 0, "maxzoom": .integer(Int64(Self.deepest)), "scheme": "xyz",
        "bounds": [-180, -85.051_129, 180, 85.051_129],
        "tiles": [
          .string(
            addresses.url("/api/tiles/devices/", request.query)
              .replacing("/api/tiles/devices/", with: "/api/tiles/devices/{z}/{x}/{y}.mvt"))
        ],
        "vector_layers": Self.layers,
      ])
      return .json(json.bytes)
    }
  }

  private static let layers: JSONValue = [
    [
      "id": "clusters", "description": "Devices that stand too close to be drawn apart.",
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
    try ContentNegotiation.json.check(request)
    return try versions.answer(request) {
      var json = JSONWriter()
      json.beginObject()
      json.key("tilesets")
      json.beginArray()
      writeTileset(to: &json)
      json.endArray()
      json.links([
        Link(
          "self", addresses.url(Self.collection + "/tiles"), type: "application/json",
          title: "The tile sets")
      ])
      json.endObject()
      return .json(json.bytes)
    }
  }

  @Sendable private func tileset(_ request: Request) throws -> Response {
    try ContentNegotiation.json.check(request)
    return try versions.answer(request) {
      var json = JSONWriter()
      writeTileset(to: &json)
      return .json(json.bytes)
    }
  }

  private func writeTileset(to json: inout JSONWriter) {
    json.beginObject()
    json.member("title", "Devices")
    json.member("dataType", "vector")
    json.member("crs", CoordinateSystem.epsg3857.rawValue)
    json.member("tileMatrixSetURI", Self.matrixSetURI)
    json.links([
      Link(
        "self", addresses.url(Self.collection + "/tiles/WebMercatorQuad"),
        type: "application/json", title: "This tile set"),
      Link(
        "http://www.opengis.net/def/rel/ogc/1.0/tiling-scheme", addresses.url(Self.matrixSet),
        type: "application/json", title: "The tiling scheme"),
      Link(
        "item",
        addresses.url(
          Self.collection + "/tiles/WebMercatorQuad/{tileMatrix}/{tileRow}/{tileCol}"),
        type: Self.mediaType, title: "A tile", isTemplate: true),
    ])
    json.endObject()
  }

  private static let matrixSetURI =
    "http://www.opengis.net/def/tilematrixset/OGC/1.0/WebMercatorQuad"

  @Sendable private func scheme(_ request: Request) throws -> Response {
    try ContentNegotiation.json.check(request)
    return try versions.answer(request) {
      var json = JSONWriter()
      json.beginObject()
      json.member("id", "WebMercatorQuad")
      json.member("title", "Google Maps Compatible for the World")
      json.member("uri", Self.matrixSetURI)
      json.member("crs", CoordinateSystem.epsg3857.rawValue)
      json.key("tileMatrices")
      json.beginArray()
      for zoom in TileAddress.zooms { Self.writeMatrix(zoom, to: &json) }
      json.endArray()
      json.endObject()
      return .json(json.bytes)
    }
  }

  /// One level of OGC 17-083r4, annex D.1: 256-pixel tiles, 0.28 mm pixels.
  private static func writeMatrix(_ zoom: Int, to json: inout JSONWriter) {
    let halfWorld = Double.pi * Earth.mercatorRadius
    let cellSize = 2 * halfWorld / 256 / Double(1 << zoom)
    json.beginObject()
    json.member("id", "\(zoom)")
    json.key("scaleDenominator")
    json.double(cellSize / 0.000_28)
    json.key("cellSize")
    json.double(cellSize)
    json.key("pointOfOrigin")
    json.beginArray()
    json.double(-halfWorld)
    json.double(halfWorld)
    json.endArray()
    for name in ["tileWidth", "tileHeight"] {
      json.key(name)
      json.integer(256)
    }
    for name in ["matrixWidth", "matrixHeight"] {
      json.key(name)
      json.integer(1 << zoom)
    }
    json.endObject()
  }
}

extension TileVocabulary {
  /// The codes behind the numbers of the index.
  init(_ vocabulary: Vocabulary) {
    let last = vocabulary.categories.map(\.number).max() ?? 0
    self.init(
      categories: (0...last).map { vocabulary.categoryCode(number: $0) ?? "other" },
      statuses: DeviceStatus.allCases.map(\.rawValue),
      precisions: Precision.allCases.map(\.rawValue))
  }
}

extension DeviceStore {
  /// An index of only the devices that `filter` means, for filters that the map's index lacks.
  func temporaryIndex(_ filter: DeviceFilter, today: Day) throws -> PointIndex {
    try database.read { connection in
      let condition = filter.condition(
        vocabulary: vocabulary, today: today, connection: connection)
      var builder = PointIndex.Builder()
      try IndexedPointReader(vocabulary: vocabulary).forEach(connection, where: condition) {
        builder.append($0)
      }
      return builder.finish(sequence: 0)
    }
  }
}
