import JSON
import Service

/// The data sets as a catalogue in JSON-LD, in terms of DCAT-AP 3.0.
struct DCATCatalogue {
  let datasets: [PublishedDataset]
  let addresses: Addresses
  let settings: InstanceSettings

  private static let authority = "http://publications.europa.eu/resource/authority"
  private static let iana = "https://www.iana.org/assignments/media-types"

  private static let context: JSONValue = [
    "dcat": "http://www.w3.org/ns/dcat#", "dct": "http://purl.org/dc/terms/",
    "foaf": "http://xmlns.com/foaf/0.1/", "vcard": "http://www.w3.org/2006/vcard/ns#",
    "spdx": "http://spdx.org/rdf/terms#", "xsd": "http://www.w3.org/2001/XMLSchema#",
    "geo": "http://www.opengis.net/ont/geosparql#",
  ]

  private var publisherID: String { addresses.url("/#publisher") }
  private var serviceID: String { addresses.url("/api") }

  var json: JSONValue {
    let publisher: JSONValue = [
      "@id": .string(publisherID), "@type": "foaf:Agent", "foaf:name": .string(settings.name),
    ]
    let catalogue: JSONValue = [
      "@id": .string(addresses.url("/api/catalogue")), "@type": "dcat:Catalog",
      "dct:title": Self.english(settings.name),
      "dct:description": Self.english(
        "Data about connected devices around us and what they collect."),
      "dct:publisher": Self.id(publisherID), "foaf:homepage": Self.id(addresses.url("/")),
      "dct:language": .array(["ENG", "POR"].map { Self.id("\(Self.authority)/language/\($0)") }),
      "dcat:dataset": .array(datasets.map { Self.id($0.id) }),
      "dcat:service": Self.id(serviceID),
    ]
    return [
      "@context": Self.context,
      "@graph": .array([catalogue, publisher, service] + datasets.map(dataset)),
    ]
  }

  private var service: JSONValue {
    [
      "@id": .string(serviceID), "@type": "dcat:DataService",
      "dct:title": Self.english("OGC API – Features and Tiles"),
      "dcat:endpointURL": Self.id(addresses.url("/api")),
      "dcat:endpointDescription": Self.id(addresses.url("/api/openapi.json")),
      "dct:conformsTo": .array(
        ["ogcapi-features-1/1.0", "ogcapi-features-3/1.0", "ogcapi-tiles-1/1.0"].map {
          Self.id("http://www.opengis.net/spec/\($0)")
        }),
      "dct:publisher": Self.id(publisherID),
      "dcat:servesDataset": .array(datasets.filter { $0.version == nil }.map { Self.id($0.id) }),
    ]
  }

  private func dataset(_ dataset: PublishedDataset) -> JSONValue {
    var members = JSONObject([
      ("@id", .string(dataset.id)), ("@type", "dcat:Dataset"),
      ("dct:title", Self.english(dataset.title)),
      (
        "dct:description",
        Self.english(dataset.description.isEmpty ? dataset.title : dataset.description)
      ),
      ("dct:identifier", .string(dataset.id)), ("dct:publisher", Self.id(publisherID)),
      ("dcat:landingPage", Self.id(dataset.page)),
      ("dct:accessRights", Self.id("\(Self.authority)/access-right/PUBLIC")),
      (
        "dcat:theme",
        .array(["GOVE", "JUST", "TECH"].map { Self.id("\(Self.authority)/data-theme/\($0)") })
      ),
      (
        "dcat:keyword",
        .array(["surveillance", "privacy", "sensors", "cameras"].map(Self.english))
      ),
      ("dcat:distribution", .array(dataset.distributions.map { distribution($0, dataset) })),
    ])
    if let contact { members["dcat:contactPoint"] = contact }
    if let box = dataset.box { members["dct:spatial"] = Self.location(box) }
    if dataset.interval.contains(where: { $0 != nil }) {
      members["dct:temporal"] = Self.period(dataset.interval)
    }
    if let issued = dataset.issued { members["dct:issued"] = Self.time(issued) }
    if let modified = dataset.modified { members["dct:modified"] = Self.time(modified) }
    if let version = dataset.version { members["dcat:version"] = .string(version) }
    if let versionOf = dataset.versionOf { members["dcat:isVersionOf"] = Self.id(versionOf) }
    if dataset.version == nil, dataset.id == datasets.first?.id {
      members["dct:accrualPeriodicity"] = Self.id("\(Self.authority)/frequency/UPDATE_CONT")
      members["dcat:hasVersion"] = .array(
        datasets.filter { $0.versionOf == dataset.id }.map { Self.id($0.id) })
    }
    return .object(members)
  }

  private func distribution(
    _ distribution: PublishedDataset.Distribution, _ dataset: PublishedDataset
  ) -> JSONValue {
    var members = JSONObject([
      ("@id", .string(distribution.url)), ("@type", "dcat:Distribution"),
      ("dct:title", Self.english(distribution.title)),
      ("dcat:accessURL", Self.id(distribution.url)),
      ("dcat:downloadURL", Self.id(distribution.url)),
      ("dct:license", Self.id(distribution.licence?.url ?? licence(of: dataset))),
    ])
    if distribution.isRegistered {
      members["dcat:mediaType"] = Self.id("\(Self.iana)/\(distribution.mediaType)")
    }
    if distribution.isCompressed {
      members["dcat:compressFormat"] = Self.id("\(Self.iana)/application/gzip")
    }
    if let code = distribution.fileType {
      members["dct:format"] = Self.id("\(Self.authority)/file-type/\(code)")
    }
    members["dct:rights"] = [
      "@type": "dct:RightsStatement", "dct:description": .string(rights(of: dataset)),
    ]
    if let bytes = distribution.bytes {
      members["dcat:byteSize"] = ["@value": .string("\(bytes)"), "@type": "xsd:nonNegativeInteger"]
    }
    if let sha256 = distribution.sha256 {
      members["spdx:checksum"] = [
        "@type": "spdx:Checksum", "spdx:algorithm": Self.id("spdx:checksumAlgorithm_sha256"),
        "spdx:checksumValue": ["@value": .string(sha256), "@type": "xsd:hexBinary"],
      ]
    }
    return .object(members)
  }

  /// A distribution has at most one licence. If its records have several, this is the page that explains
  /// them.
  private func licence(of dataset: PublishedDataset) -> String {
    if dataset.licences.count == 1, let only = dataset.licences.first { return only.url }
    return dataset.licencePage
  }

  private func rights(of dataset: PublishedDataset) -> String {
    let licences = dataset.licences.map { "\($0.name) (\($0.url))" }.joined(separator: ", ")
    let terms = licences.isEmpty ? [] : ["Licences of the records: \(licences)"]
    return (terms + [dataset.attribution].compactMap { $0 }).joined(separator: ". ")
  }

  /// The contact of the instance, if the settings name one.
  private var contact: JSONValue? {
    guard let contact = settings.contact else { return nil }
    let isAddress = contact.contains("@") && !contact.contains("://")
    let address = isAddress && !contact.hasPrefix("mailto:") ? "mailto:\(contact)" : contact
    return [
      "@type": "vcard:Kind", "vcard:fn": .string(settings.name),
      isAddress ? "vcard:hasEmail" : "vcard:hasURL": Self.id(address),
    ]
  }

  private static func location(_ box: [Double]) -> JSONValue {
    func text(_ place: Int) -> String { box.indices.contains(place) ? "\(box[place])" : "0.0" }
    let (west, south, east, north) = (text(0), text(1), text(2), text(3))
    let ring = [(west, south), (east, south), (east, north), (west, north), (west, south)]
    let wkt = ring.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    return [
      "@type": "dct:Location",
      "dcat:bbox": ["@value": .string("POLYGON((\(wkt)))"), "@type": "geo:wktLiteral"],
    ]
  }

  private static func period(_ interval: [String?]) -> JSONValue {
    var members = JSONObject([("@type", "dct:PeriodOfTime")])
    for (name, end) in zip(["dcat:startDate", "dcat:endDate"], interval) {
      if let end { members[name] = time(end) }
    }
    return .object(members)
  }

  private static func id(_ text: String) -> JSONValue { ["@id": .string(text)] }

  private static func english(_ text: String) -> JSONValue {
    ["@value": .string(text), "@language": "en"]
  }

  /// A moment or a day.
  private static func time(_ text: String) -> JSONValue {
    ["@value": .string(text), "@type": text.utf8.count == 10 ? "xsd:date" : "xsd:dateTime"]
  }
}
