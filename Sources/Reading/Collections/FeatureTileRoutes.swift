import JSON
import PrivacyMap
package import Service
package import SpatialDatabase
import WebServer

/// Further collections as vector tiles (OGC API – Tiles): one layer, named like the collection.
package struct FeatureTileRoutes {
  package let database: Database
  package let addresses: Addresses
  package let versions: AnswerVersions
  package let cache: TileCache
  package let pages: ResourcePages

  private static let path = "/api/collections/{collectionId}/tiles"
  private static let numbers = ["tileMatrix", "tileRow", "tileCol"]

  /// Maximum number of features in a tile. If there are more, the features with the lowest numbers are drawn.
  static let maximumFeatures = 20_000

  var endpoints: [Endpoint] {
    var tile = Endpoint(
      "getFeatureTile", Self.path + "/WebMercatorQuad/{tileMatrix}/{tileRow}/{tileCol}",
      tag: "Further collections", summary: "A tile of another collection.",
      parameters: [FeatureRoutes.collection] + TileRoutes.numbers(Self.numbers)
        + FeatureQuery.declared,
      answers: TileRoutes.tileAnswers, tile)
    tile.judgesQuery = true
    return [
      Endpoint(
        "getFeatureTilesets", Self.path, tag: "Further collections",
        summary: "The tile sets of another collection.",
        parameters: [FeatureRoutes.collection, ResourcePages.formats],
        answers: [.ok("Tile sets.", schema: "tilesets").alsoAsPage],
        pages.also(.json, tilesets)),
      Endpoint(
        "getFeatureTileset", Self.path + "/WebMercatorQuad", tag: "Further collections",
        summary: "The only tile set of another collection.",
        parameters: [FeatureRoutes.collection, ResourcePages.formats],
        answers: [.ok("The tile set.", schema: "tileset").alsoAsPage],
        pages.also(.json, tileset)),
      tile,
    ]
  }

  init(_ instance: Instance) throws {
    (database, cache) = (instance.database, try instance.part())
    (addresses, versions, pages) = (instance.addresses, instance.versions, instance.pages)
  }

  @Sendable private func tilesets(_ request: Request) throws -> Response {
    let collection = try FurtherCollection.asked(by: request, in: database)
    return try versions.answer(request) {
      .json(tileset(of: collection), as: TilesetDescription.list)
    }
  }

  @Sendable private func tileset(_ request: Request) throws -> Response {
    let collection = try FurtherCollection.asked(by: request, in: database)
    return try versions.answer(request) {
      .json(tileset(of: collection), as: TilesetDescription.shape)
    }
  }

  private func tileset(of collection: FurtherCollection) -> TilesetDescription {
    TilesetDescription(collection: collection.id, title: collection.title, addresses: addresses)
  }

  @Sendable private func tile(_ request: Request) throws -> Response {
    try TileRoutes.negotiation.check(request)
    let address = try TileRoutes.address(request, names: ("tileMatrix", "tileCol", "tileRow"))
    let collection = try FurtherCollection.asked(by: request, in: database)
    let query = try FeatureQuery(request.query, of: collection, own: [])
    return try versions.answer(request) {
      let key = TileCache.Key(
        address: [address.z, address.x, address.y],
        filter: "\(collection.rowid)\0" + TileCache.Key.canonical(request.query),
        isCompressed: ContentCoding.acceptsGzip(request.headers))
      return try cache.answer(key, version: versions.version) {
        ShapeTile.encode(
          try shapes(query, in: address), layer: collection.id, at: address)
      }
    }
  }

  /// The features that intersect a tile including its margin.
  private func shapes(_ query: FeatureQuery, in address: TileAddress) throws -> [TileShape] {
    let collection = query.collection
    return try database.read { connection in
      try CollectionStore.features(
        query, in: address.boxWithMargin, limit: Self.maximumFeatures, connection
      ) { row -> TileShape? in
        guard let shape = row.optionalBlob(1).flatMap({ Geometry(wellKnownBinary: $0) }) else {
          return nil
        }
        let properties = FeatureGeoJSON.properties(row.text(2), of: collection)
        return TileShape(
          id: UInt64(clamping: row.int(3)), geometry: shape,
          properties: [("id", .text(row.text(0)))]
            + properties.members.compactMap { member in
              member.key == "id" ? nil : TileValue(member.value).map { (member.key, $0) }
            })
      }.compactMap { $0 }
    }
  }
}

extension TileValue {
  /// A tile value for a property; nil if tiles cannot represent it.
  fileprivate init?(_ value: JSONValue) {
    switch value {
    case .string(let text): self = .text(text)
    case .integer(let number): self = .number(Double(number))
    case .double(let number): self = .number(number)
    case .bool(let flag): self = .bool(flag)
    case .array(let values):
      self = .text(values.compactMap(\.stringValue).joined(separator: ", "))
    case .object, .null: return nil
    }
  }
}
