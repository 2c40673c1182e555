package import Devices
import JSON
import PrivacyMap
package import Service
import SpatialDatabase
import WebServer

/// `/api/collections` and the description of the device collection (OGC API – Features Parts 1, 3).
package struct CollectionRoutes {
  package let store: DeviceStore
  package let addresses: Addresses
  package let versions: AnswerVersions
  package let pages: ResourcePages
  /// The licence of contributions to this instance.
  package let licence: String

  init(_ instance: Instance) throws {
    store = try instance.part()
    licence = instance.settings.licence
    (addresses, versions, pages) = (instance.addresses, instance.versions, instance.pages)
  }

  private static let devices = "/api/collections/devices"

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "getCollections", "/api/collections", tag: "Collections",
        summary: "The collections of this instance.", parameters: [ResourcePages.formats],
        answers: [.ok("All collections.", schema: "collections").alsoAsPage],
        pages.also(.json, all)),
      Endpoint(
        "getCollection", Self.devices, tag: "Collections",
        summary: "The collection of devices.", parameters: [ResourcePages.formats],
        answers: [.ok("The collection.", schema: "collection").alsoAsPage],
        pages.also(.json, one)),
      Endpoint(
        "getQueryables", Self.devices + "/queryables", tag: "Collections",
        summary: "The properties that filters may name.", parameters: [ResourcePages.formats],
        answers: [
          .ok("A JSON Schema.", "application/schema+json", schema: "queryables").alsoAsPage
        ], pages.also(.schema, queryables)),
      Endpoint(
        "getSchema", Self.devices + "/schema", tag: "Collections",
        summary: "All properties of a device, with their types.",
        parameters: [ResourcePages.formats],
        answers: [
          .ok("A JSON Schema.", "application/schema+json", schema: "queryables").alsoAsPage
        ], pages.also(.schema, schema)),
      Endpoint(
        "getFeatureSchema", Self.devices + "/feature-schema", tag: "Collections",
        summary: "The JSON Schema of a device as a GeoJSON feature.",
        parameters: [ResourcePages.formats],
        answers: [
          .ok("A JSON Schema.", "application/schema+json", schema: "queryables").alsoAsPage
        ], pages.also(.schema, featureSchema)),
    ]
  }

  @Sendable private func all(_ request: Request) throws -> Response {
    return try versions.answer(request) {
      var json = JSONWriter()
      json.beginObject()
      json.key("collections")
      json.beginArray()
      try description().write(to: &json)
      let others = try store.database.readQuickly { try FurtherCollection.all($0) }
      for other in others { other.description(addresses).write(to: &json) }
      json.endArray()
      json.links([
        Link(
          "self", addresses.url("/api/collections"), type: "application/json",
          title: "The collections"),
        Link(
          "alternate", addresses.url("/api/collections?f=html"), type: "text/html",
          title: "The collections as a web page"),
      ])
      json.endObject()
      return .json(json.bytes)
    }
  }

  @Sendable private func one(_ request: Request) throws -> Response {
    return try versions.answer(request) {
      var json = JSONWriter()
      try description().write(to: &json)
      return .json(json.bytes)
    }
  }

  private func description() throws -> CollectionDescription {
    let (box, interval) = try store.extent()
    return CollectionDescription(
      id: "devices", title: "Devices",
      description:
        "Connected devices around us: the kind of each device, the personal data it collects and "
        + "its operator. Positions are as precise as the author of each record chose.",
      box: [box.west, box.south, box.east, box.north], interval: interval,
      links: CollectionDescription.links(of: "devices", titled: "Devices", addresses)
        + (try licences()))
  }

  /// A link to each licence of the records.
  private func licences() throws -> [Link] {
    let licences = RecordLicences(own: licence, addresses: addresses)
    return try store.database.readQuickly { try licences.all($0) }
      .map { Link("license", $0.url, type: "text/html", title: $0.name) }
  }

  @Sendable private func queryables(_ request: Request) throws -> Response {
    return try versions.answer(request) {
      CollectionDescription.queryables(
        DeviceQueryables.schemas, id: "devices", title: "Devices", addresses)
    }
  }

  @Sendable private func schema(_ request: Request) throws -> Response {
    return try versions.answer(request) {
      CollectionDescription.schema(
        DeviceReturnables.properties(addresses), at: Self.devices + "/schema", title: "Devices",
        addresses)
    }
  }

  @Sendable private func featureSchema(_ request: Request) throws -> Response {
    return try versions.answer(request) {
      CollectionDescription.featureSchema(
        DeviceReturnables.properties(addresses), of: "devices", title: "A device", addresses)
    }
  }
}
