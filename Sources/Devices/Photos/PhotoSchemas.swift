package import JSON
import Service

/// The OpenAPI schemas of photos.
package enum PhotoSchemas {
  private typealias Schema = OpenAPISchemas

  static var all: [(key: String, value: JSONValue)] {
    [
      (
        "sentPhoto",
        Schema.object(
          ["image": ["type": "string", "format": "binary"], "alt": alt], required: ["image"])
      ),
      (
        "photoPatch",
        Schema.object(["alt": alt, "position": ["type": "integer", "minimum": 1]])
      ),
      (
        "photoOrder",
        Schema.object(["photos": Schema.array(Schema.text)], required: ["photos"])
      ),
      (
        "photo",
        [
          "allOf": [
            shown,
            Schema.object(
              [
                "state": ["type": "string", "enum": ["public", "waiting", "hidden"]],
                "mine": ["type": "boolean"],
              ], required: ["state", "mine"]),
          ]
        ]
      ),
      ("changedDevice", Schema.object(["device": version], required: ["device"])),
      (
        "changedPhoto",
        ["allOf": [Schema.reference("photo"), Schema.reference("changedDevice")]]
      ),
      (
        "orderedPhotos",
        ["allOf": [Schema.reference("photos"), Schema.reference("changedDevice")]]
      ),
      (
        "photos",
        Schema.object(["photos": Schema.array(Schema.reference("photo"))], required: ["photos"])
      ),
    ]
  }

  /// The public members of a photo.
  static let shown = Schema.object(
    [
      "id": ["type": "string", "format": "uuid"], "alt": alt, "width": ["type": "integer"],
      "height": ["type": "integer"], "url": Schema.text, "thumb": Schema.text,
    ], required: ["id", "alt", "width", "height", "url", "thumb"])

  /// The photos of an earlier revision: ids and descriptions, without pictures.
  package static let past = Schema.array(
    Schema.object(
      ["id": ["type": "string", "format": "uuid"], "alt": alt], required: ["id", "alt"]))

  /// The revisions of a device before and after a change of its photos.
  private static let version = Schema.object(
    [
      "id": ["type": "string", "format": "uuid"], "revision_before": ["type": "integer"],
      "revision": ["type": "integer"], "etag": Schema.text,
    ], required: ["id", "revision_before", "revision", "etag"])

  private static let alt: JSONValue = ["type": "string", "maxLength": 300]
}
