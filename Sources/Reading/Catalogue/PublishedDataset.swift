import Devices
import Downloads
import PrivacyMap
import Reference
import Service
import SpatialDatabase
import WebServer

/// One data set that the instance publishes: all devices, a further collection, or a snapshot.
struct PublishedDataset {
  /// A file or an interface with the data.
  struct Distribution {
    let title: String
    let url: String
    /// The media type without parameters; for a compressed file, the media type of its content.
    let mediaType: String
    /// The code of the format in the file types of the Publications Office of the EU; nil if it has
    /// none.
    let fileType: String?
    /// Whether the file is compressed with gzip.
    var isCompressed = false
    var bytes: Int64?
    var sha256: String?
    /// The licence of all its records, if they share one.
    var licence: (name: String, url: String)?

    /// Whether IANA has registered the media type.
    var isRegistered: Bool {
      !["application/x-ndjson", "application/flatgeobuf"].contains(mediaType)
    }
  }

  let id: String
  let title: String
  let description: String
  /// The page that a person opens.
  let page: String
  let licences: [(name: String, url: String)]
  /// The page that explains the licences if there are several.
  let licencePage: String
  let attribution: String?
  /// West, south, east, north.
  var box: [Double]?
  /// The first and the last moment; nil is open.
  var interval: [String?] = [nil, nil]
  /// RFC 3339.
  var issued: String?
  var modified: String?
  var distributions: [Distribution]
  /// The data set of which it is a fixed version.
  var versionOf: String?
  /// The name of the version: the day of a snapshot.
  var version: String?
}

/// Collects the data sets of an instance.
struct PublishedDatasets {
  let store: DeviceStore
  let addresses: Addresses
  let settings: InstanceSettings
  let snapshots: SnapshotRoutes

  /// The id of the data set of all devices.
  private var devicesID: String { addresses.url("/api/collections/devices") }

  private var recordLicences: RecordLicences {
    RecordLicences(own: settings.licence, addresses: addresses)
  }

  /// All devices, the further collections, and the snapshots with the latest first.
  func all() throws -> [PublishedDataset] {
    let (licences, attribution, others) = try store.database.readQuickly { connection in
      (
        try recordLicences.all(connection), try SourceStore().attribution(connection),
        try FurtherCollection.all(connection)
      )
    }
    let credit = attribution.isEmpty ? nil : attribution
    return [try devices(licences, credit)] + others.map(collection)
      + (try snapshots.published()).map { snapshot($0, licences, credit) }
  }

  private func devices(
    _ licences: [(name: String, url: String)], _ attribution: String?
  ) throws -> PublishedDataset {
    let (box, interval) = try store.extent()
    return PublishedDataset(
      id: devicesID, title: "\(settings.name): devices",
      description:
        "Connected devices around us: the kind of each device, the personal data it collects and "
        + "its operator.",
      page: addresses.url("/about#data"), licences: licences, licencePage: recordLicences.page,
      attribution: attribution, box: [box.west, box.south, box.east, box.north],
      interval: interval, modified: interval.last ?? nil,
      distributions: ExportFormat.allCases.map { export($0) } + (try nightlyTiles())
        + separate(licences))
  }

  private func export(_ format: ExportFormat) -> PublishedDataset.Distribution {
    PublishedDataset.Distribution(
      title: "All devices as \(format.title)",
      url: addresses.url("/api/exports/devices.\(format.ending)"),
      mediaType: format.declaredType, fileType: format.fileType)
  }

  /// The records of each licence in a file of their own, if there are several licences.
  private func separate(
    _ licences: [(name: String, url: String)]
  ) -> [PublishedDataset.Distribution] {
    guard licences.count > 1 else { return [] }
    return licences.flatMap { licence in
      [ExportFormat.csv, .geojson, .gpkg, .parquet].map { format in
        PublishedDataset.Distribution(
          title: "Devices under \(licence.name) as \(format.title)",
          url: addresses.url(
            "/api/exports/devices.\(format.ending)", Query([("licence", licence.name)])),
          mediaType: format.declaredType, fileType: format.fileType, licence: licence)
      }
    }
  }

  /// The file with all tiles, if there is one.
  private func nightlyTiles() throws -> [PublishedDataset.Distribution] {
    guard let made = try store.database.readQuickly(NightlyTilesFile.current),
      try snapshots.folder.files.has(made.file)
    else { return [] }
    return [
      PublishedDataset.Distribution(
        title: "Tiles of all devices as PMTiles", url: addresses.url(NightlyTiles.path),
        mediaType: NightlyTiles.mediaType, fileType: nil)
    ]
  }

  private func collection(_ collection: FurtherCollection) -> PublishedDataset {
    let path = "/api/collections/\(collection.id)"
    let licence = LicenceAddress.url(of: collection.licence) ?? collection.url
    return PublishedDataset(
      id: addresses.url(path), title: collection.title, description: collection.description,
      page: addresses.url(path + "?f=html"),
      licences: licence.map { [(collection.licence, $0)] } ?? [],
      licencePage: addresses.url(path + "?f=html"), attribution: collection.attribution,
      box: collection.box, interval: collection.interval, issued: collection.createdAt,
      modified: collection.createdAt,
      distributions: [
        PublishedDataset.Distribution(
          title: "Features page by page", url: addresses.url(path + "/items"),
          mediaType: "application/geo+json", fileType: "GEOJSON")
      ])
  }

  private func snapshot(
    _ snapshot: SnapshotRoutes.Published, _ licences: [(name: String, url: String)],
    _ attribution: String?
  ) -> PublishedDataset {
    PublishedDataset(
      id: addresses.url("/api/snapshots#\(snapshot.day)"),
      title: "\(settings.name): devices, snapshot of \(snapshot.day)",
      description: "All public devices on \(snapshot.day).",
      page: addresses.url("/api/snapshots"), licences: licences,
      licencePage: recordLicences.page, attribution: attribution, issued: snapshot.madeAt,
      modified: snapshot.modifiedAt,
      distributions: snapshot.files.map { file in
        PublishedDataset.Distribution(
          title: "All devices as \(file.format.exported.title)"
            + (file.format.isText ? ", compressed with gzip" : ""),
          url: addresses.url("/api/snapshots/\(snapshot.day).\(file.format.ending)"),
          mediaType: file.format.exported.declaredType,
          fileType: file.format.exported.fileType, isCompressed: file.format.isText,
          bytes: file.bytes,
          sha256: file.sha256)
      }, versionOf: devicesID, version: snapshot.day)
  }
}

extension ExportFormat {
  /// The code of the EU's table of file types (http://publications.europa.eu/resource/authority/file-type).
  fileprivate var fileType: String? {
    switch self {
    case .csv: "CSV"
    case .geojson: "GEOJSON"
    case .gpkg: "GPKG"
    case .parquet: "PARQUET"
    case .xlsx: "XLSX"
    case .osm: "XML"
    case .osmJSON: "JSON"
    case .geojsons, .geojsonl, .flatGeobuf: nil
    }
  }
}
