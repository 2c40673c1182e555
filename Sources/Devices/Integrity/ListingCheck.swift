import Filters
import Import
import JSON
import PrivacyMap
import Service
import SpatialDatabase

/// Checks that the prepared listings match the devices.
struct ListingCheck {
  private let ready = DeviceListing()
  private let own = DeviceGeoJSON(properties: DeviceProperty.ofLists, publicTags: .none)

  /// The number of devices compared at a time.
  private static let batch: Int64 = 1_000
  private static let selection = """
    SELECT device.rowid, longitude, latitude, category.number
    FROM device JOIN category ON category.code = device.category
    WHERE device.rowid > ? AND device.hidden = 0 ORDER BY device.rowid LIMIT ?
    """

  /// The inconsistencies found.
  struct Drift {
    /// Devices with a wrong or missing listing, by rowid.
    var devices: [Int64] = []
    /// The number of listings without a public device.
    var strangers = 0
  }

  /// The problems, one sentence each.
  func findings(_ connection: Connection) throws -> [Finding] {
    let found = try drift(connection)
    var words: [String] = []
    if !found.devices.isEmpty {
      words.append("\(found.devices.count) devices have a wrong or missing listing")
    }
    if found.strangers > 0 {
      words.append("\(found.strangers) listings belong to no public device")
    }
    return words.map { Finding(kind: .derived(.listings), description: $0) }
  }

  func drift(_ connection: Connection) throws -> Drift {
    var drift = Drift()
    var found = 0
    var last = Int64.min
    while true {
      let bounds: [SQLValue] = [.integer(last), .integer(Self.batch)]
      let rows = try connection.rows(Self.selection, bounds) { row in
        DeviceStore.Page.Entry(
          rowid: row.int(0), listing: ListingKey.of(row).map { ListedPlace(key: $0) })
      }
      guard let end = rows.last else { break }
      last = end.rowid
      found += try ListedRows(rows, connection).count
      guard try !agree(rows, connection) else { continue }
      for row in rows where try !agree([row], connection) { drift.devices.append(row.rowid) }
    }
    let listings = try connection.integer("SELECT count(*) FROM device_listing") ?? 0
    drift.strangers = max(0, Int(listings) - found)
    return drift
  }

  /// The keys of listings without a public device. Does not use the view `device_to_list`, because a
  /// read connection does not trust the functions in it.
  func strangers(_ connection: Connection) throws -> [Int64] {
    var wanted: Set<Int64> = []
    try connection.forEach(
      """
      SELECT device.rowid, longitude, latitude, category.number
      FROM device JOIN category ON category.code = device.category WHERE device.hidden = 0
      """
    ) { row in
      let key: Int64? = ListingKey.of(row)
      if let key { wanted.insert(key) }
    }
    return try connection.rows("SELECT key FROM device_listing") { $0.int(0) }
      .filter { !wanted.contains($0) }
  }

  /// Whether the prepared values of these rows equal the values that would be written from the rows.
  private func agree(
    _ rows: [DeviceStore.Page.Entry], _ connection: Connection
  ) throws -> Bool {
    var listed = JSONWriter(capacity: 400 * rows.count)
    listed.beginArray()
    let count = try ready.write(rows, to: &listed, connection) { _, _ in }
    listed.endArray()
    guard count == rows.count else { return false }
    var said = JSONWriter(capacity: 400 * rows.count)
    let unlisted = rows.map { DeviceStore.Page.Entry(rowid: $0.rowid, listing: nil) }
    _ = try own.write(
      DeviceStore.Page(rows: unlisted, total: 0, next: nil), to: &said, connection: connection,
      crs: .crs84)
    return listed.bytes == said.bytes
  }
}
