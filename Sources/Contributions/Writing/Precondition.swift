package import Devices
import JSON
import Service
package import SpatialDatabase
package import WebServer

/// The version of a device that a write refers to, from `If-Match` (RFC 9110 §13.1.1).
///
/// A tag is the revision, a hyphen and a hash of the whole feature. Only the revision must match, so
/// that confirmations by others in the meantime do not cause an edit to be refused.
package struct Precondition: Sendable {
  private let known: EntityTag.List?

  package init(_ request: Request) {
    known = request.headers["If-Match"].map { EntityTag.List($0) }
  }

  /// - Throws: a 428 without `If-Match`; a 412 with the current device if `If-Match` names another
  ///   revision.
  package func check(
    _ device: FoundDevice, _ features: DeviceFeatures, _ connection: borrowing Connection
  ) throws {
    guard let known else { throw Refusal.ifMatch }
    guard case .tags(let tags) = known else { return }
    guard !tags.contains(where: { !$0.isWeak && Self.revision($0) == device.revision }) else {
      return
    }
    let feature = try features.feature(of: device, connection)
    throw Refusal(
      .preconditionFailed, "error.stale", type: "stale",
      members: [
        ("current", try feature.value()), ("etag", .string(feature.tag.headerValue)),
      ])
  }

  /// Whether the client had seen exactly this version, including the data outside the revision.
  func names(_ tag: EntityTag) -> Bool {
    guard case .tags(let tags) = known else { return false }
    return tags.contains { $0.stronglyMatches(tag) }
  }

  private static func revision(_ tag: EntityTag) -> Int64? {
    Int64(tag.opaque.prefix { $0 != "-" })
  }
}
