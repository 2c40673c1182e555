import Devices
import Filters
import Import
import JSON
import PrivacyMap
import Reference
import Service
import SpatialDatabase

/// Writes devices as GeoJSON features: as a feature collection, a text sequence, or one feature per
/// line.
///
/// In all three formats each feature is on its own line.
struct DeviceFeatureFile {
  private let format: ExportFormat
  private let notes: ExportNotes
  private let writer: DeviceGeoJSON

  init(_ format: ExportFormat, notes: ExportNotes, publicTags: PublicTags) {
    self.format = format
    self.notes = notes
    var writer = DeviceGeoJSON(
      properties: DeviceProperty.exported, publicTags: publicTags,
      licence: notes.credits.own.licence)
    writer.ownCredit = notes.credits.own
    self.writer = writer
  }

  /// The size of a chunk of output, in bytes.
  private static let pieceSize = 65_536
  /// RFC 8142 §2: written before each text.
  private static let recordSeparator: [UInt8] = [0x1E]

  func write(
    _ devices: ExportedDevices, _ connection: borrowing Connection,
    to sink: ([UInt8]) throws -> Void
  ) throws {
    var piece: [UInt8] = []
    piece.reserveCapacity(Self.pieceSize + 16_384)
    if format == .geojson { piece += head() }
    var json = JSONWriter(capacity: 8_192)
    var isFirst = true
    try devices.forEach(writer.head, connection) { row in
      if format == .geojsons { piece += Self.recordSeparator }
      if format == .geojson, !isFirst { piece += Array(",\n".utf8) }
      isFirst = false
      try writer.write(row, to: &json, crs: .crs84)
      piece += json.bytes
      json.removeAll()
      if format != .geojson { piece.append(0x0A) }
      if piece.count >= Self.pieceSize {
        try sink(piece)
        piece.removeAll(keepingCapacity: true)
      }
    }
    if format == .geojson { piece += Array("\n]}\n".utf8) }
    try sink(piece)
  }

  /// The start of the collection up to its features: title, credits, time and query, as foreign
  /// members (RFC 7946 §6.1).
  private func head() -> [UInt8] {
    var json = JSONWriter()
    json.beginObject()
    json.member("type", "FeatureCollection")
    json.member("name", "devices")
    json.member("title", notes.title)
    json.member("licence", notes.credits.licences)
    json.member("attribution", notes.credits.attribution)
    json.key("sources")
    json.beginArray()
    for credit in notes.credits.all { credit.write(to: &json) }
    json.endArray()
    json.member("query", notes.query)
    json.member("timeStamp", notes.exportedAt)
    json.member("generator", ExportNotes.generator)
    json.member("numberMatched", notes.total)
    json.key("features")
    json.beginArray()
    return json.bytes + [0x0A]
  }
}
