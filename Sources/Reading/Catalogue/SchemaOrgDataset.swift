import JSON
import Service

/// The data sets in terms of schema.org, for search engines of data sets.
struct SchemaOrgDataset {
  let datasets: [PublishedDataset]
  let addresses: Addresses
  let settings: InstanceSettings

  /// The data set of all devices, with the further collections and the snapshots as its parts.
  var json: JSONValue {
    guard let first = datasets.first else { return .null }
    var members = members(of: first)
    members["hasPart"] = .array(datasets.dropFirst().map { .object(self.members(of: $0)) })
    return .object(
      JSONObject([(key: "@context", value: "https://schema.org/")] + members.members))
  }

  private func members(of dataset: PublishedDataset) -> JSONObject {
    var members = JSONObject([
      ("@type", "Dataset"), ("@id", .string(dataset.id)), ("name", .string(dataset.title)),
      (
        "description",
        .string(dataset.description.isEmpty ? dataset.title : dataset.description)
      ),
      ("url", .string(dataset.page)), ("identifier", .string(dataset.id)),
      ("isAccessibleForFree", true),
      ("license", .array(dataset.licences.map { .string($0.url) })),
      ("keywords", ["surveillance", "privacy", "sensors", "cameras"]),
      (
        "creator",
        [
          "@type": "Organization", "name": .string(settings.name),
          "url": .string(addresses.url("/")),
        ]
      ),
      ("distribution", .array(dataset.distributions.map(Self.download))),
    ])
    if let attribution = dataset.attribution { members["creditText"] = .string(attribution) }
    if let issued = dataset.issued { members["datePublished"] = .string(issued) }
    if let modified = dataset.modified { members["dateModified"] = .string(modified) }
    if let version = dataset.version { members["version"] = .string(version) }
    if let versionOf = dataset.versionOf { members["isBasedOn"] = .string(versionOf) }
    if let box = dataset.box, box.count == 4 {
      // South, west, north, east.
      let text = [box[1], box[0], box[3], box[2]].map { "\($0)" }.joined(separator: " ")
      members["spatialCoverage"] = [
        "@type": "Place", "geo": ["@type": "GeoShape", "box": .string(text)],
      ]
    }
    if dataset.interval.contains(where: { $0 != nil }) {
      members["temporalCoverage"] = .string(
        dataset.interval.map { $0 ?? ".." }.joined(separator: "/"))
    }
    return members
  }

  private static func download(_ distribution: PublishedDataset.Distribution) -> JSONValue {
    var members = JSONObject([
      ("@type", "DataDownload"), ("name", .string(distribution.title)),
      ("contentUrl", .string(distribution.url)),
      ("encodingFormat", .string(distribution.mediaType)),
    ])
    if let bytes = distribution.bytes { members["contentSize"] = .string("\(bytes) B") }
    if let sha256 = distribution.sha256 { members["sha256"] = .string(sha256) }
    return .object(members)
  }
}
