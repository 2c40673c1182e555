package import Service

/// The collections of OGC API – Features: the list of all, and the further ones.
package struct Collections: Feature {
  package let overview: CollectionRoutes
  package let features: FeatureRoutes
  package let tiles: FeatureTileRoutes

  package init(overview: CollectionRoutes, features: FeatureRoutes, tiles: FeatureTileRoutes) {
    self.overview = overview
    self.features = features
    self.tiles = tiles
  }

  package var endpoints: [Endpoint] { overview.endpoints + features.endpoints + tiles.endpoints }
  package var schemas: [Schema] { CollectionSchemas.all }
}
