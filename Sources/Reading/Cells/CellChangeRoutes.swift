import Devices
import Filters
import Import
import JSON
import PrivacyMap
package import Service
import SpatialDatabase
import WebServer

/// `GET /api/cells/{cell}/changes`: the devices of a coarse cell that changed on a day.
///
/// A browser that watches an area reads the cells around it and filters by itself, so the server learns
/// only the region. The addresses contain no filter and no time of a visit, and are the same for all
/// clients.
package struct CellChangeRoutes: Feature {
  private let devices: DeviceStore
  private let addresses: Addresses
  private let writer: DeviceGeoJSON
  private let store = CellChangeStore()

  /// The days that can be read, today included.
  package static let reach = 31
  /// The devices on a page.
  package static let limit = 500
  /// Seconds after the end of a day until all its changes are stored. Imports store devices with the time at
  /// which they began.
  static let delay: Int64 = 3_600
  /// The properties of lists, and further properties for the filters of lists.
  static let properties = DeviceProperty.all.filter { $0.isInLists || filtered.contains($0.name) }
  private static let filtered: Set<String> = [
    "choices", "country", "legal_basis", "setting", "stale_on", "zone",
  ]

  package init(_ instance: Instance) throws {
    devices = try instance.part()
    addresses = instance.addresses
    writer = DeviceGeoJSON(properties: Self.properties, publicTags: try instance.given())
  }

  package var endpoints: [Endpoint] {
    [
      Endpoint(
        "getCellChanges", "/api/cells/{cell}/changes", tag: "Devices",
        summary: "Devices in a coarse cell by the day of their last change.",
        parameters: [
          .path("cell", .text(maxLength: 7), "The number of a cell, without leading zeros."),
          .query(
            "day", .date, "A day (UTC) of the last \(Self.reach); without it, the current one."),
          .query("cursor", .text(maxLength: 1_000), "Where a page begins, from a `next` link."),
        ],
        answers: [
          .ok("A page of the changed devices.", "application/geo+json", schema: "cellChanges")
        ], get)
    ]
  }

  package var schemas: [Schema] {
    JSONSchema.named([
      "cellChanges": .page(
        of: "device",
        with: [("cell", .count), ("bbox", .box), ("day", .day), ("complete", .flag)])
    ])
  }

  @Sendable private func get(_ request: Request) throws -> Response {
    let cell = try Self.cell(request.parameter("cell"))
    let now = devices.environment.now()
    let day = try Self.day(request.query["day"], today: now.day)
    let position = try request.query["cursor"].map { try Self.position($0, on: day) }
    let end = Timestamp(startOf: Day(daysSinceEpoch: day.daysSinceEpoch + 1))
    let isComplete = now.secondsSinceEpoch >= end.secondsSinceEpoch + Self.delay
    let body = try devices.database.read { connection in
      let found = try store.changes(
        in: cell, on: day, after: position, limit: Self.limit + 1, connection)
      return try page(
        Array(found.prefix(Self.limit)), hasMore: found.count > Self.limit, cell, day,
        isComplete: isComplete, self: addresses.url(request.path, request.query), connection)
    }
    var response = Response.json(body, contentType: "application/geo+json")
    response.etag = EntityTag(hashing: body)
    // A device that is hidden must leave the caches soon, so no page is cached for long.
    response.headers.add("Cache-Control", "public, max-age=\(isComplete ? 3_600 : 60)")
    return response
  }

  private func page(
    _ found: [CellChangeStore.Position], hasMore: Bool, _ cell: WatchCell, _ day: Day,
    isComplete: Bool, self address: String, _ connection: borrowing Connection
  ) throws -> [UInt8] {
    var json = JSONWriter(capacity: 600 + 700 * found.count)
    json.beginObject()
    json.member("type", "FeatureCollection")
    json.member("cell", Int64(cell.number))
    json.key("bbox")
    json.beginArray()
    let box = cell.box
    for edge in [box.west, box.south, box.east, box.north] { json.double(edge) }
    json.endArray()
    json.member("day", day.text)
    json.member("complete", isComplete)
    json.key("features")
    let rows = found.map { DeviceStore.Page.Entry(rowid: $0.rowid, listing: nil) }
    let count = try writer.write(
      DeviceStore.Page(rows: rows, total: rows.count), to: &json, connection: connection,
      crs: .crs84)
    json.member("numberReturned", Int64(count))
    var links = [
      Link("self", address, type: "application/geo+json", title: "This page")
    ]
    if hasMore, let last = found.last {
      let query = Query([("day", day.text), ("cursor", Self.cursor(last))])
      links.append(
        Link(
          "next", addresses.url("/api/cells/\(cell.number)/changes", query),
          type: "application/geo+json", title: "Next page"))
    }
    json.links(links)
    json.endObject()
    return json.bytes
  }

  /// Only the plain form of a number, so that each cell has one address.
  private static func cell(_ text: String) throws -> WatchCell {
    guard let number = Int(text), String(number) == text, let cell = WatchCell(number: number)
    else { throw NotFound(Message("error.not_found.cell")) }
    return cell
  }

  private static func day(_ text: String?, today: Day) throws -> Day {
    guard let text else { return today }
    let first = Day(daysSinceEpoch: today.daysSinceEpoch - Int32(reach) + 1)
    guard let day = Day(text: text), (first...today).contains(day) else {
      throw InvalidInput(
        "day", Message("error.cell_day", ["first": first.text, "last": today.text]))
    }
    return day
  }

  private static func cursor(_ position: CellChangeStore.Position) -> String {
    PageCursor(keys: [position.changedAt.text, "\(position.rowid)"]).text
  }

  private static func position(_ text: String, on day: Day) throws -> CellChangeStore.Position {
    let keys = try PageCursor(text: text).keys(count: 2)
    guard let changedAt = Timestamp(text: keys[0]), changedAt.day == day,
      let rowid = Int64(keys[1]), rowid > 0
    else { throw InvalidInput("cursor", Message("error.cursor_of_another_list")) }
    return CellChangeStore.Position(changedAt: changedAt, rowid: rowid)
  }
}
