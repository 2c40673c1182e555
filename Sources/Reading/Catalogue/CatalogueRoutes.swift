import Devices
import Downloads
package import JSON
package import Service
import WebServer

/// `/api/catalogue`: the data sets of the instance, for data portals and search engines.
package struct CatalogueRoutes: Feature {
  private let datasets: PublishedDatasets

  package init(_ instance: Instance) throws {
    datasets = PublishedDatasets(
      store: try instance.part(), addresses: instance.addresses, settings: instance.settings,
      snapshots: SnapshotRoutes(instance))
  }

  package static let path = "/api/catalogue"
  private static let types = ContentNegotiation([
    ContentNegotiation.Offer("dcat", "application/ld+json"),
    ContentNegotiation.Offer("schema.org", "application/ld+json"),
    ContentNegotiation.Offer("dcat", "application/json"),
  ])

  package var endpoints: [Endpoint] {
    [
      Endpoint(
        "getCatalogue", Self.path, tag: "Data",
        summary: "The data sets of this instance: devices, further collections and snapshots.",
        parameters: [
          .query(
            "f", .oneOf(["dcat", "schema.org"], byDefault: "dcat"),
            "The vocabulary: DCAT-AP 3.0, or a `Dataset` of schema.org.")
        ],
        answers: [.ok("The catalogue.", "application/ld+json", schema: "catalogue")], catalogue)
    ]
  }

  package var schemas: [Schema] { JSONSchema.named(["catalogue": .object]) }

  @Sendable private func catalogue(_ request: Request) throws -> Response {
    let format = try Self.types.choose(for: request).format
    let bytes = Array((format == "dcat" ? try dcat() : try schemaOrg()).text.utf8)
    var response = Response.json(bytes, contentType: "application/ld+json")
    // Files of snapshots change without a change of the public data.
    response.etag = EntityTag(hashing: bytes)
    AnswerVersions.complete(&response)
    return response
  }

  private func dcat() throws -> JSONValue {
    DCATCatalogue(
      datasets: try datasets.all(), addresses: datasets.addresses, settings: datasets.settings
    ).json
  }

  /// The data sets in terms of schema.org.
  package func schemaOrg() throws -> JSONValue {
    SchemaOrgDataset(
      datasets: try datasets.all(), addresses: datasets.addresses, settings: datasets.settings
    ).json
  }
}
