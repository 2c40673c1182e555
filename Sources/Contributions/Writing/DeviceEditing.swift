package import Devices
import PrivacyMap
package import Service
package import SpatialDatabase
package import WebServer

/// The end of every request that edits a device: PUT, PATCH and a restored revision.
package struct DeviceEditing: InstancePart {
  private let writer: DeviceWriter
  private let features: DeviceFeatures
  private let reviews: ReviewStore

  package init(_ instance: Instance) throws {
    let map = try instance.map
    (writer, features) = (map.writer, try instance.part())
    reviews = ReviewStore(environment: map.environment)
  }

  /// Applies an edit by a person as a revision, which a new account has reviewed, and answers with the device as it is
  /// now.
  package func apply(
    _ edit: DeviceEdit, to device: FoundDevice, by author: DeviceWriter.Author,
    of principal: Principal, _ connection: borrowing Connection
  ) throws -> Response {
    try writer.apply(edit, to: device.rowid, by: author, kind: .changed, connection)
    if principal.isNew {
      try reviews.ask(
        for: .revision(edit.stored.revision + 1), of: device.rowid, by: principal.account,
        connection)
    }
    return try features.feature(of: device, connection).response()
  }
}
