import JSON

/// The shapes of what people send and get about photos, for the OpenAPI document.
enum PhotoSchemas {
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

  /// A photo as everybody sees it.
  static let shown = Schema.object(
    [
      "id": ["type": "string", "format": "uuid"], "alt": alt, "width": ["type": "integer"],
      "height": ["type": "integer"], "url": Schema.text, "thumb": Schema.text,
    ], required: ["id", "alt", "width", "height", "url", "thumb"])

  /// The photos of an earlier revision: which there were, not the pictures.
  static let past = Schema.array(
    Schema.object(
      ["id": ["type": "string", "format": "uuid"], "alt": alt], required: ["id", "alt"]))

  /// The version of a device that a change of its photos led to, and from which.
  private static let version = Schema.object(
    [
      "id": ["type": "string", "format": "uuid"], "revision_before": ["type": "integer"],
      "revision": ["type": "integer"], "etag": Schema.text,
    ], required: ["id", "revision_before", "revision", "etag"])

  private static let alt: JSONValue = ["type": "string", "maxLength": 300]
}
