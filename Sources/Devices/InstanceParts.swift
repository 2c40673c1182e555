package import Reference
package import Service

extension Instance {
  /// The interface through which background work writes.
  package var map: LiveMap { get throws { try given() } }
  /// The gazetteer; nil if set-up has not made it.
  package var places: PlaceStore? { get throws { try given(ReferenceFiles.self).places } }
}

extension DeviceStore: InstancePart {
  package init(_ instance: Instance) throws {
    let map = try instance.map
    self.init(
      database: map.database, index: map.index, vocabulary: map.vocabulary,
      environment: map.environment)
  }
}

extension DeviceParameters: InstancePart {
  package init(_ instance: Instance) throws {
    self.init(
      vocabulary: try instance.map.vocabulary, places: try instance.places,
      licence: instance.settings.licence,
      further: instance.features.flatMap { ($0 as? any FilteringFeature.Type)?.conditions ?? [] })
  }
}

extension DeviceFeatures: InstancePart {
  package init(_ instance: Instance) throws {
    self.init(
      publicTags: try instance.given(), licence: instance.settings.licence,
      addresses: instance.addresses)
  }
}
