import JSON
import Service

/// JSON schemas of collections, for the OpenAPI document.
enum CollectionSchemas {
  private typealias Schema = OpenAPISchemas

  static var all: [(key: String, value: JSONValue)] {
    [
      (
        "collections",
        Schema.object(
          ["collections": Schema.array(Schema.reference("collection")), "links": Schema.links])
      ),
      ("collection", collection), ("queryables", Schema.anyObject), ("feature", feature),
      ("features", Schema.page(of: "feature")),
    ]
  }

  private static var collection: JSONValue {
    Schema.object(
      [
        "id": Schema.text, "title": Schema.text, "description": Schema.text,
        "itemType": Schema.text, "extent": Schema.anyObject,
        "crs": Schema.array(Schema.text), "storageCrs": Schema.text, "links": Schema.links,
      ], required: ["id", "links"])
  }

  private static var feature: JSONValue {
    Schema.object(
      [
        "type": ["type": "string", "enum": ["Feature"]], "id": Schema.text,
        "geometry": ["type": "object", "nullable": true], "properties": Schema.anyObject,
        "links": Schema.links,
      ], required: ["type", "id", "geometry", "properties"])
  }
}
