import WebServer

/// A line of shell that carries an operation out, made from its declaration.
///
/// `$TOKEN` is a personal token and `$DEVICE` the id of a device; other ids bear the name of what they
/// belong to, `$COLLECTION` that of one beside the devices. A test runs each line and looks whether the document declares the answer.
struct OperationExample {
  /// The line; nil where an operation is only for its owner's browser, or where no body is at hand.
  let line: String?

  init(_ endpoint: Endpoint, server: String) {
    // A session is a browser's, never a program's.
    guard !endpoint.access.isForBrowsers, endpoint.path != "/api/session" else {
      line = nil
      return
    }
    var words = ["curl"]
    if endpoint.method != .get { words.append("--request \(endpoint.method.rawValue)") }
    if endpoint.access != .everyone { words.append("--header \"Authorization: Bearer $TOKEN\"") }
    if let body = endpoint.body {
      guard let example = Self.bodies[endpoint.id] else {
        line = nil
        return
      }
      words.append("--header 'Content-Type: \(body.type)'")
      if Self.versioned.contains(endpoint.id) { words.append("--header \"If-Match: $ETAG\"") }
      words.append("--data '\(example)'")
    }
    let query = Self.queries[endpoint.id].map { "?\($0)" } ?? ""
    words.append("\"\(server)\(Self.filled(endpoint))\(query)\"")
    if Self.isBinary(endpoint) { words.append("--output answer") }
    line = words.joined(separator: " ")
  }

  /// The path with a variable of the shell, or a value that is always there, for each parameter.
  private static func filled(_ endpoint: Endpoint) -> String {
    var path = endpoint.path
    for (part, value) in variables where path.contains(part) {
      path = path.replacing(part, with: part.replacing("{id}", with: value))
    }
    for (name, value) in values { path = path.replacing("{\(name)}", with: value) }
    return path
  }

  private static func isBinary(_ endpoint: Endpoint) -> Bool {
    endpoint.answers.contains { answer in
      answer.content.contains { $0.schema == nil && !$0.type.hasPrefix("text/") }
    }
  }

  /// What stands for `{id}`, by the path it stands in.
  private static let variables = [
    ("/items/{id}", "$DEVICE"), ("/photos/{id}", "$PHOTO"), ("/choices/{id}", "$CHOICE"),
    ("/operators/{id}", "$ORGANISATION"), ("/operator/requests/{id}", "$REQUEST"),
    ("/data-requests/{id}", "$DATA_REQUEST"), ("/accounts/{id}", "$ACCOUNT"),
    ("/imports/{id}", "$IMPORT"), ("/actions/{id}", "$ACTION"),
    ("/operator-claims/{id}", "$CLAIM"), ("/tokens/{id}", "$TOKEN_ID"),
    ("/research-access/{id}", "$RESEARCH"),
  ]
  private static let values = [
    ("collection", "$COLLECTION"), ("feature", "$FEATURE"), ("file", "$SNAPSHOT"),
    ("scheme", "data"), ("revision", "1"), ("username", "$USERNAME"),
    ("z", "0"), ("x", "0"), ("y", "0"), ("tileMatrix", "0"), ("tileRow", "0"), ("tileCol", "0"),
  ]

  /// Queries that say something, by operation.
  private static let queries = [
    "getDevices": "bbox=6.05,46.1,6.3,46.3&category=camera_fixed,camera_ptz&limit=2",
    "getDevice": "crs=http://www.opengis.net/def/crs/EPSG/0/3857",
    "getTile": "category=camera_fixed", "getTileJSON": "operator_kind=public",
    "getPlaces": "q=Genf&lang=pt", "getTaxonomy": "lang=pt",
    "getLetter": "device=$DEVICE&kind=access&country=PT",
    "getStatistics": "group_by=category&country=CH",
  ]

  /// Operations that need `If-Match`.
  private static let versioned: Set<String> = ["replaceDevice", "changeDevice", "restoreRevision"]

  /// Bodies that say something, by operation.
  private static let bodies = [
    "addDevice": """
    {"type": "Feature", "geometry": {"type": "Point", "coordinates": [6.1432, 46.2044]}, \
    "properties": {"name": "Camera above the tram stop", "category": "camera_fixed", \
    "data_collected": ["video"]}}
    """,
    "changeDevice": """
    {"properties": {"signage": "clear"}, "comment": "There is a sign with an address now"}
    """,
    "addVerdict": """
    {"claim": "present", "verdict": "confirm", "basis": "seen"}
    """,
    "addDeviceFlag": """
    {"reason": "gone", "note": "The pole was taken down"}
    """,
  ]
}
