import Devices
import Foundation
package import PrivacyMap
import Reference
package import SpatialDatabase

/// The statements that add a device, without HTTP, duplicate search and in-memory index: the limit set by
/// the disk and SQLite. `make bench` measures the server against it.
package struct BareWrites {
  private let database: Database
  private let writer: DeviceWriter

  /// Writes to `database`; `countries` is the country map of the server.
  package init(database: Database, countries: CountryMap?) throws {
    self.database = database
    let vocabulary = try database.read { try TaxonomyStore().vocabulary($0) }
    writer = DeviceWriter(
      vocabulary: vocabulary,
      environment: Environment {
        Timestamp(secondsSinceEpoch: Int64(Date().timeIntervalSince1970))
      },
      countries: countries)
  }

  /// Adds `rows` devices in one transaction and returns when they are on the disk.
  package func commit(rows: Int) throws {
    try database.write { connection in
      for _ in 0..<rows {
        _ = try writer.add(
          Self.fields, at: Self.placement(), source: nil,
          by: DeviceWriter.Author(kind: .add), connection)
      }
    }
  }

  /// The same data as `bench/writes.lua`.
  private static let fields: DeviceFields = {
    var fields = DeviceFields(name: "Camera over the door", category: "camera_fixed")
    fields.description = "Over the entrance, pointing at the pavement and the bus stop."
    fields.setting = .outdoor
    fields.mount = "wall"
    fields.bearings = [135]
    fields.dataCollected = ["video"]
    fields.assumed = ["data_collected"]
    fields.answersFor = Operator(name: "City of Examples", kind: .public)
    fields.choices = [OfferedChoice(kind: "access")]
    return fields
  }()

  private static func placement() -> DeviceWriter.Placement {
    DeviceWriter.Placement(
      place: .clamped(
        longitude: .random(in: -180...180), latitude: .random(in: -80...80)), precision: .exact)
  }
}
