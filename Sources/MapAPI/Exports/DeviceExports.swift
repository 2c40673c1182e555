import Import
import PrivacyMap
import SpatialDatabase
package import WebServer

/// Opens exports: which devices, in which form, and what the file says of itself.
package struct DeviceExports: Sendable {
  let store: DeviceStore
  let parameters: DeviceParameters
  let publicTags: PublicTags
  let settings: InstanceSettings
  let addresses: Addresses

  /// How long finding the devices of an export may take.
  private static let selectionTime = Duration.seconds(20)
  /// How long the reading after it may take, which does not wait for the client for long.
  private static let readingTime = Duration.seconds(900)
  /// How long making a snapshot of everything may take.
  private static let longReadingTime = Duration.seconds(3_600)

  /// Opens an export on a snapshot of its own; `query` holds the filters of the list of devices.
  ///
  /// It throws ``InvalidInput``, or a 503 when too many are under way.
  package func open(_ format: ExportFormat, _ query: Query) throws -> DeviceExport {
    var filter = try parameters.filter(query)
    let snapshot: Snapshot
    do { snapshot = try store.database.snapshot(limit: Self.selectionTime) } catch let fault
      as DatabaseFault where fault.kind == .busy
    { throw Refusal.busy }
    do {
      let export = try snapshot.read { connection in
        if format.isOSM { filter = try Self.meaningful(filter, connection) }
        let devices = try ExportedDevices(
          filter, store: store, also: format.isOSM ? OSMFile.condition : nil, connection)
        let notes = ExportNotes(
          title: settings.name,
          credits: try ExportCredits(own: own, for: devices.sources, connection),
          query: addresses.url("/api/exports/devices.\(format.ending)", query),
          exportedAt: store.surroundings.now().text, total: devices.total)
        return DeviceExport(
          format: format, notes: notes, devices: devices, snapshot: snapshot,
          publicTags: publicTags)
      }
      snapshot.limit(to: Self.readingTime)
      return export
    } catch let fault as DatabaseFault where fault.kind == .interrupted {
      throw Refusal(.serviceUnavailable, "error.export_too_long", headers: ["Retry-After": "60"])
    }
  }

  /// Opens exports of everything public, whatever its state, in several forms on one snapshot.
  func openAll(_ formats: [ExportFormat]) throws -> [DeviceExport] {
    let snapshot = try store.database.snapshot(limit: Self.longReadingTime)
    var filter = DeviceFilter()
    filter.statuses = DeviceStatus.allCases
    return try snapshot.read { connection in
      let devices = try ExportedDevices(filter, store: store, connection)
      let credits = try ExportCredits(own: own, for: devices.sources, connection)
      let exportedAt = store.surroundings.now().text
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

  /// What people added here is the instance's to credit.
  var own: ExportCredit {
    ExportCredit(
      name: settings.name, licence: settings.licence,
      attribution: "Contributors of \(settings.name)", url: addresses.base)
  }

  /// Of what is asked for, the kinds that OpenStreetMap knows, as far as they stand.
  private static func meaningful(
    _ filter: DeviceFilter, _ connection: borrowing Connection
  ) throws -> DeviceFilter {
    var filter = filter
    let known = try OSMTags(connection).meaningful
    // A category that nothing is of keeps the filter from meaning all.
    let wanted = filter.categories.isEmpty ? known : filter.categories.filter(known.contains)
    filter.categories = wanted.isEmpty ? [""] : wanted
    filter.statuses = filter.effectiveStatuses.filter(DeviceStatus.standing.contains)
    if filter.statuses.isEmpty { filter.categories = [""] }
    return filter
  }
}

/// One export, open on its snapshot until it has been read.
package final class DeviceExport: Sendable {
  let format: ExportFormat
  let notes: ExportNotes
  private let devices: ExportedDevices
  private let snapshot: Snapshot
  private let publicTags: PublicTags
  /// Whether others are read from it as well, so that the last of them lets it go.
  private let sharesSnapshot: Bool

  init(
    format: ExportFormat, notes: ExportNotes, devices: ExportedDevices, snapshot: Snapshot,
    publicTags: PublicTags, sharesSnapshot: Bool = false
  ) {
    self.sharesSnapshot = sharesSnapshot
    self.format = format
    self.notes = notes
    self.devices = devices
    self.snapshot = snapshot
    self.publicTags = publicTags
  }

  deinit { letGo() }

  /// Reads what the file does not hold from the same snapshot.
  func read<T>(_ body: (Connection) throws -> T) throws -> T { try snapshot.read(body) }

  /// A snapshot that is shared ends with the last who holds it.
  private func letGo() { if !sharesSnapshot { snapshot.end() } }

  /// How many devices it holds.
  package var total: Int { devices.total }

  /// Hands the file to `sink` piece by piece and lets the snapshot go.
  ///
  /// `told` hears now and then how many devices have been written.
  package func write(
    told: @escaping @Sendable (Int) -> Void = { _ in }, to sink: ([UInt8]) throws -> Void
  ) throws {
    let devices = devices.telling(told)
    if format == .gpkg {
      let file = try makeGeoPackage(devices)
      while let piece = file.next() { try sink(piece) }
      return
    }
    try snapshot.read { connection in
      switch format {
      case .csv: try DeviceCSV(notes.credits, publicTags).write(devices, connection, to: sink)
      case .osm, .osmJSON:
        try OSMFile(format, notes: notes).write(devices, connection, to: sink)
      case .geojson, .geojsonl, .geojsons, .gpkg:
        try DeviceFeatureFile(format, notes: notes, publicTags: publicTags)
          .write(devices, connection, to: sink)
      }
    }
    letGo()
  }

  /// The GeoPackage, made whole in a file of its own.
  func makeGeoPackage() throws -> KeptFile { try makeGeoPackage(devices) }

  private func makeGeoPackage(_ devices: ExportedDevices) throws -> KeptFile {
    let file = try snapshot.read { try GeoPackage(notes, publicTags).make(devices, $0) }
    letGo()
    guard let finished = KeptFile(path: file.path, erases: true) else {
      throw Refusal.savingImpossible
    }
    return finished
  }
}
