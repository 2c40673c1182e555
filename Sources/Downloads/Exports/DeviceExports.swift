package import Devices
package import Import
import PrivacyMap
import Reference
package import Service
import SpatialDatabase
package import WebServer

/// Opens exports: the devices, the format, and the metadata of the file.
package struct DeviceExports: InstancePart {
  package let store: DeviceStore
  package let parameters: DeviceParameters
  package let publicTags: PublicTags
  package let settings: InstanceSettings
  package let addresses: Addresses

  package init(
    store: DeviceStore, parameters: DeviceParameters, publicTags: PublicTags,
    settings: InstanceSettings, addresses: Addresses
  ) {
    (self.store, self.parameters, self.publicTags) = (store, parameters, publicTags)
    (self.settings, self.addresses) = (settings, addresses)
  }

  package init(_ instance: Instance) throws {
    (store, parameters, publicTags) = try (instance.part(), instance.part(), instance.given())
    (settings, addresses) = (instance.settings, instance.addresses)
  }

  /// The parameter that asks for a byte order mark at the start of a CSV file.
  static let byteOrderMark = "bom"
  /// The time limit for finding the devices of an export.
  private static let selectionTime = Duration.seconds(20)
  /// The time limit for reading them; the reader waits only briefly for the client.
  private static let readingTime = Duration.seconds(900)
  /// The time limit for a snapshot of all data.
  private static let longReadingTime = Duration.seconds(3_600)

  /// Opens an export on its own database snapshot; `query` holds the same filters as the list of
  /// devices.
  ///
  /// It throws ``InvalidInput``, or a 503 when too many exports are open. With `isCounted` false, the total may be
  /// only an upper bound, unless the file states it.
  package func open(
    _ format: ExportFormat, _ query: Query, isCounted: Bool = true
  ) throws -> DeviceExport {
    var filter = try parameters.filter(query)
    let isMarked = try Self.isMarked(query)
    let snapshot: Snapshot
    do { snapshot = try store.database.snapshot(limit: Self.selectionTime) } catch let fault
      as DatabaseFault where fault.kind == .busy
    { throw Refusal.busy }
    do {
      let export = try snapshot.read { connection in
        if format.isOSM { filter = try Self.meaningful(filter, connection) }
        let devices = try ExportedDevices(
          filter, store: store, also: format.isOSM ? OSMFile.condition : nil,
          isCounted: isCounted || format == .geojson, connection)
        let notes = ExportNotes(
          title: settings.name,
          credits: try ExportCredits(own: own, for: devices.sources, connection),
          query: addresses.url("/api/exports/devices.\(format.ending)", query),
          exportedAt: store.environment.now().text, total: devices.total)
        return DeviceExport(
          format: format, notes: notes, devices: devices, snapshot: snapshot,
          publicTags: publicTags, isMarked: isMarked)
      }
      snapshot.limit(to: Self.readingTime)
      return export
    } catch let fault as DatabaseFault where fault.kind == .interrupted {
      throw Refusal(.serviceUnavailable, "error.export_too_long", headers: ["Retry-After": "60"])
    }
  }

  private static func isMarked(_ query: Query) throws -> Bool {
    switch query[byteOrderMark] {
    case "true": true
    case nil, "false": false
    case let other?: throw InvalidInput.unknownCode(byteOrderMark, other)
    }
  }

  /// Opens exports of all public devices, of every status, in several formats on one database
  /// snapshot.
  func openAll(_ formats: [ExportFormat]) throws -> [DeviceExport] {
    let snapshot = try store.database.snapshot(limit: Self.longReadingTime)
    let filter = DeviceFilter([StatusCondition(codes: DeviceStatus.allCases)])
    return try snapshot.read { connection in
      let devices = try ExportedDevices(filter, store: store, connection)
      let credits = try ExportCredits(own: own, for: devices.sources, connection)
      let exportedAt = store.environment.now().text
      return formats.map { format in
        let notes = ExportNotes(
          title: settings.name, credits: credits, query: addresses.url("/api/snapshots"),
          exportedAt: exportedAt, total: devices.total)
        return DeviceExport(
          format: format, notes: notes, devices: devices, snapshot: snapshot,
          publicTags: publicTags, sharesSnapshot: true)
      }
    }
  }

  /// The instance's own credit, for contributions to this instance.
  var own: ExportCredit {
    ExportCredit(
      name: settings.name, licence: settings.licence,
      attribution: "Contributors of \(settings.name)", url: addresses.base)
  }

  /// Narrows a filter to categories that OpenStreetMap has tags for, and to standing devices.
  private static func meaningful(
    _ filter: DeviceFilter, _ connection: borrowing Connection
  ) throws -> DeviceFilter {
    var filter = filter
    let known = try OSMTags(connection).meaningful
    let named = filter[CategoryCondition.self]?.codes.filter(known.contains)
    filter[CategoryCondition.self] = CategoryCondition(codes: named ?? known)
    filter[StatusCondition.self] = StatusCondition(
      codes: filter.statuses.filter(DeviceStatus.standing.contains))
    return filter
  }
}

/// One export, open on its database snapshot until it is read.
package final class DeviceExport: Sendable {
  let format: ExportFormat
  let notes: ExportNotes
  private let devices: ExportedDevices
  private let snapshot: Snapshot
  private let publicTags: PublicTags
  /// Whether other exports use the same snapshot; the last of them releases it.
  private let sharesSnapshot: Bool
  /// Whether a CSV file begins with a byte order mark.
  private let isMarked: Bool

  init(
    format: ExportFormat, notes: ExportNotes, devices: ExportedDevices, snapshot: Snapshot,
    publicTags: PublicTags, sharesSnapshot: Bool = false, isMarked: Bool = false
  ) {
    self.isMarked = isMarked
    self.sharesSnapshot = sharesSnapshot
    self.format = format
    self.notes = notes
    self.devices = devices
    self.snapshot = snapshot
    self.publicTags = publicTags
  }

  deinit { letGo() }

  /// Reads data that is not part of the file from the same snapshot.
  func read<T>(_ body: (Connection) throws -> T) throws -> T { try snapshot.read(body) }

  /// Ends the snapshot; a shared one ends with its last reference.
  private func letGo() { if !sharesSnapshot { snapshot.end() } }

  /// The number of devices in the export, or at least that many if they were not counted.
  package var total: Int { devices.total }

  /// Writes the file to `sink` in chunks, then releases the snapshot.
  ///
  /// `reported` is called from time to time, and at the end, with the number of devices written.
  package func write(
    reported: @escaping @Sendable (Int) -> Void = { _ in }, to sink: ([UInt8]) throws -> Void
  ) throws {
    let devices = devices.telling(reported)
    if format.isWholeFile {
      let file = try makeFile(devices)
      while let piece = try file.next() { try sink(piece) }
      return
    }
    try snapshot.read { connection in
      switch format {
      case .csv:
        if isMarked { try sink([0xEF, 0xBB, 0xBF]) }
        try DeviceCSV(notes.credits, publicTags).write(devices, connection, to: sink)
      case .osm, .osmJSON:
        try OSMFile(format, notes: notes).write(devices, connection, to: sink)
      case .geojson, .geojsonl, .geojsons, .gpkg, .flatGeobuf, .parquet, .xlsx:
        try DeviceFeatureFile(format, notes: notes, publicTags: publicTags)
          .write(devices, connection, to: sink)
      }
    }
    letGo()
  }

  /// The complete file of a format that cannot be sent while it is written.
  ///
  /// - Throws: ``ImportFailure`` if `farol-formats` is needed and missing or fails.
  func makeFile() throws -> KeptFile { try makeFile(devices) }

  private func makeFile(_ devices: ExportedDevices) throws -> KeptFile {
    if format == .parquet { return try makeParquet(devices) }
    let file = try snapshot.read { try GeoPackage(notes, publicTags).make(devices, $0) }
    letGo()
    var path = file.path
    if let target = format.converted {
      path = try FormatProgram.besideThis.converted(file.path, to: target, about: notes.about)
    }
    guard let finished = KeptFile(path: path, erases: true) else { throw Refusal.savingImpossible }
    return finished
  }

  private func makeParquet(_ devices: ExportedDevices) throws -> KeptFile {
    let path = try snapshot.read { try GeoParquet(notes, publicTags).make(devices, $0) }
    letGo()
    guard let finished = KeptFile(path: path, erases: true) else { throw Refusal.savingImpossible }
    return finished
  }
}
