package import Service

/// The collections of OGC API – Features: the list of all, and the further ones.
package struct Collections: Feature {
  package let overview: CollectionRoutes
  package let features: FeatureRoutes
  package let tiles: FeatureTileRoutes

  package init(_ instance: Instance) throws {
    overview = try CollectionRoutes(instance)
    features = FeatureRoutes(instance)
    tiles = try FeatureTileRoutes(instance)
  }

  package var endpoints: [Endpoint] { overview.endpoints + features.endpoints + tiles.endpoints }
  package var schemas: [Schema] {
    JSONSchema.named([
      "collections": ["collections": .list(of: .reference("collection")), "links": .links],
      "collection": [
        "id": .text, "title": .text, "description": .text, "attribution": .text.optional,
        "itemType": .text, "extent": .object, "crs": .list(of: .text), "storageCrs": .text,
        "links": .links,
      ],
      "queryables": .object,
      // Query parameters as members.
      "search": .object,
      "feature": [
        "type": .oneOf(["Feature"]), "id": .text, "geometry": .object.orNull,
        "properties": .object, "links": .links.optional,
      ],
      "features": .page(of: "feature"),
    ])
  }
}
