import Devices
package import Service

/// The OpenAPI schemas of photos.
package enum PhotoSchemas {
  static var all: [JSONSchema.Named] {
    let shownToOwner: JSONSchema = [
      "state": .oneOf(["public", "waiting", "hidden"]), "mine": .flag,
      "editable": .flag,
    ]
    return JSONSchema.named([
      "sentPhoto": ["image": .file, "alt": alt.optional],
      "photoPatch": ["alt": alt.optional, "position": .integer(from: 1).optional],
      "photoOrder": ["photos": .list(of: .text)],
      "photo": .all(of: [DeviceSchemas.photo, shownToOwner]),
      "changedDevice": ["device": version],
      "changedPhoto": .all(of: [.reference("photo"), .reference("changedDevice")]),
      "orderedPhotos": .all(of: [.reference("photos"), .reference("changedDevice")]),
      "photos": ["photos": .list(of: .reference("photo"))],
    ])
  }

  /// The photos of an earlier revision: ids and descriptions, without pictures. Photos deleted since have no
  /// description.
  package static let past = JSONSchema.list(of: ["id": .uuid, "alt": alt.orNull])

  /// The revisions of a device before and after a change of its photos.
  private static let version: JSONSchema = [
    "id": .uuid, "revision_before": .integer, "revision": .integer, "etag": .text,
  ]

  private static let alt = JSONSchema.text(maximum: 300)
}
