import Devices
import Import
import JSON
import PrivacyMap
package import Service
import SpatialDatabase
import WebServer

/// `/api/exports`: all devices of a filter as a file, which is sent while it is written.
package struct ExportRoutes: Feature {
  package let exports: DeviceExports
  package let versions: AnswerVersions
  private let files: ExportFiles

  private static let tag = "Data"
  /// The maximum time by which a slow client may delay the reading of the database; the remaining output is then
  /// buffered on the disk.
  private static let clientTimeout = Duration.seconds(20)

  private static let byteOrderMark = Parameter.query(
    DeviceExports.byteOrderMark, .oneOf(["true", "false"], byDefault: "false"),
    "Whether the file begins with a byte order mark, without which Excel reads UTF-8 as another encoding."
  )

  package var endpoints: [Endpoint] {
    ExportFormat.allCases.map { format in
      Endpoint(
        Self.operation(format), .get, "/api/exports/devices.\(format.ending)", tag: Self.tag,
        summary: "All devices of a filter as \(format.title).", access: .everyone,
        parameters: exports.parameters.declared + (format == .csv ? [Self.byteOrderMark] : []),
        answers: [
          .ok(
            "The file; `OGC-NumberMatched` is the number of devices in it. Parts of it can be requested (`Range`).",
            format.declaredType,
            schema: Self.schema(of: format))
        ],
        .long { request, _ in try export(request, as: format) })
    } + [
      Endpoint(
        "describeDevicesCSV", "/api/exports/devices.csv-metadata.json", tag: Self.tag,
        summary: "Description of the CSV table: columns, licences, sources (CSV on the Web).",
        parameters: exports.parameters.declared,
        answers: [.ok("The description.", "application/csvm+json", schema: "tableDescription")],
        describe)
    ]
  }

  package var schemas: [Schema] {
    JSONSchema.named([
      "deviceFile": [
        "type": .oneOf(["FeatureCollection"]), "name": .text, "title": .text, "licence": .text,
        "attribution": .text, "sources": .list(of: .object), "query": .text, "timeStamp": .time,
        "generator": .text, "numberMatched": .count, "features": .list(of: .object),
      ],
      "osmFile": [
        "version": .number, "generator": .text,
        "osm3s": ["timestamp_osm_base": .time, "copyright": .text], "copyright": .text,
        "attribution": .text, "license": .text, "query": .text, "note": .text,
        "elements": .list(of: .object),
      ],
    ]) + [TableDescription.shape.component]
  }

  package init(_ instance: Instance) throws {
    exports = try instance.part()
    versions = instance.versions
    files = ExportFiles(
      instance.database.holdsFiles
        ? SharedExportShelf(database: instance.database) : OwnExportShelf())
  }

  /// The schema of a file that is one JSON text.
  private static func schema(of format: ExportFormat) -> String? {
    switch format {
    case .geojson: "deviceFile"
    case .osmJSON: "osmFile"
    default: nil
    }
  }

  private static func operation(_ format: ExportFormat) -> String {
    switch format {
    case .csv: "exportDevicesCSV"
    case .geojson: "exportDevicesGeoJSON"
    case .geojsons: "exportDevicesGeoJSONSequence"
    case .geojsonl: "exportDevicesGeoJSONLines"
    case .gpkg: "exportDevicesGeoPackage"
    case .flatGeobuf: "exportDevicesFlatGeobuf"
    case .parquet: "exportDevicesGeoParquet"
    case .xlsx: "exportDevicesXLSX"
    case .osm: "exportDevicesOSM"
    case .osmJSON: "exportDevicesOSMJSON"
    }
  }

  @Sendable private func export(_ request: Request, as format: ExportFormat) throws -> Response {
    let now = exports.store.environment.now()
    files.expire(at: now)
    guard request.method == .head || request.headers.contains("Range") else {
      return try whole(request, as: format).with("Accept-Ranges", "bytes")
    }
    let address = exports.addresses.url(request.path, request.query)
    var tag: EntityTag?
    var response = try versions.answer(request) {
      let kept = try files.response(address, version: versions.version, at: now) {
        let export = try exports.open(format, request.query)
        return try described(
          Response(
            headers: ["Content-Type": format.mediaType], body: .kept(try file(of: export))), export)
      }
      tag = kept.etag
      return linked(kept, request, format)
    }
    // The tag of this file, not of the map's version.
    if let tag { response.etag = tag }
    return response
  }

  private func whole(_ request: Request, as format: ExportFormat) throws -> Response {
    try versions.answer(request) {
      let export = try exports.open(format, request.query)
      return linked(try described(try body(of: export), export), request, format)
    }
  }

  /// A response with the headers of an export that do not depend on the request.
  private func described(_ response: Response, _ export: DeviceExport) throws -> Response {
    return
      response
      .with("Content-Disposition", "attachment; filename=\"\(Self.fileName(export))\"")
      .with("OGC-NumberMatched", String(export.total))
  }

  private func linked(
    _ response: Response, _ request: Request, _ format: ExportFormat
  ) -> Response {
    var response = response
    Link.add(links(request, format), to: &response)
    return response
  }

  private func body(of export: DeviceExport) throws -> Response {
    let type = export.format.mediaType
    guard export.format.isWholeFile else {
      return .stream(contentType: type) { writer in
        writer.putAside(after: Self.clientTimeout)
        try export.write { try writer.write($0) }
      }
    }
    let file = try file(of: export)
    return Response(
      headers: ["Content-Type": type], body: .pull({ try file.next() }, length: file.count))
  }

  /// The complete file, also in a format that can be sent while it is written.
  private func file(of export: DeviceExport) throws -> KeptFile {
    guard !export.format.isWholeFile else {
      do { return try export.makeFile() } catch is ImportFailure {
        throw Refusal(.serviceUnavailable, "error.export_format")
      }
    }
    guard let stored = StoredBody() else { throw Refusal.savingImpossible }
    try export.write { piece in
      guard piece.withUnsafeBytes(stored.append) else { throw Refusal.savingImpossible }
    }
    return KeptFile(count: stored.count) { offset, length in
      stored.bytes(offset..<offset + length)
    }
  }

  /// `devices-2026-11-21.csv`.
  private static func fileName(_ export: DeviceExport) -> String {
    "devices-\(export.notes.exportedAt.prefix(10)).\(export.format.ending)"
  }

  private func links(_ request: Request, _ format: ExportFormat) -> [Link] {
    let addresses = exports.addresses
    var links = [
      Link(
        "self", addresses.url(request.path, request.query), type: format.declaredType,
        title: "This file"),
      Link(
        "license", addresses.url("/about"), type: "text/html", title: "Sources and licences"),
    ]
    if format == .csv {
      links.append(
        Link(
          "describedby", addresses.url("/api/exports/devices.csv-metadata.json", request.query),
          type: "application/csvm+json", title: "Description of the columns"))
    }
    return links
  }

  @Sendable private func describe(_ request: Request) throws -> Response {
    _ = try exports.parameters.filter(request.query)
    return try versions.answer(request) {
      .json(
        try TableDescription(exports, request.query), as: TableDescription.shape,
        contentType: "application/csvm+json")
    }
  }
}

extension ExportFormat {
  /// The media type without parameters.
  package var declaredType: String { String(mediaType.prefix { $0 != ";" }) }
}
