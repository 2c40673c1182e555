import Service
import WebServer

/// A shell command that carries out an operation, generated from its declaration.
///
/// `$TOKEN` is a personal token and `$DEVICE` the id of a device. Other ids are named after their resource;
/// `$COLLECTION` is a collection other than the devices. A test runs each command and checks that the document
/// declares the response.
struct OperationExample {
  /// The command; nil for operations that only the owner's browser can use, or without an example body.
  let line: String?

  init(_ endpoint: Endpoint, server: String) {
    // Only browsers use sessions, not programs.
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

  /// The path with a shell variable, or an existing value, for each parameter.
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

  /// The variable for `{id}`, by the path around it.
  private static let variables = [
    ("/items/{id}", "$DEVICE"), ("/cards/devices/{id}", "$DEVICE"),
    ("/places/{id}", "$PLACE"), ("/mapping-days/{id}", "$DAY"),
    ("/common-requests/{id}", "$COMMON_REQUEST"), ("/visits/{id}", "$VISIT"),
    ("/visits/devices/{id}", "$DEVICE"),
    ("/photos/{id}", "$PHOTO"), ("/choices/{id}", "$CHOICE"),
    ("/operators/{id}", "$ORGANISATION"), ("/operator/requests/{id}", "$REQUEST"),
    ("/data-requests/{id}", "$DATA_REQUEST"), ("/accounts/{id}", "$ACCOUNT"),
    ("/imports/{id}", "$IMPORT"), ("/import-schedules/{id}", "$SCHEDULE"),
    ("/proposals/{id}", "$PROPOSAL"),
    ("/actions/{id}", "$ACTION"),
    ("/operator-claims/{id}", "$CLAIM"), ("/tokens/{id}", "$TOKEN_ID"),
    ("/research-access/{id}", "$RESEARCH"),
  ]
  private static let values = [
    ("collectionId", "$COLLECTION"), ("feature", "$FEATURE"), ("file", "$SNAPSHOT"),
    ("secret", "$SECRET"), ("key", "$OPERATOR"), ("graph", "$GRAPH"), ("map", "$MAP"),
    ("scheme", "data"), ("revision", "1"), ("username", "$USERNAME"), ("cell", "783732"),
    ("z", "0"), ("x", "0"), ("y", "0"), ("tileMatrix", "0"), ("tileRow", "0"), ("tileCol", "0"),
  ]

  /// Example queries, by operation.
  private static let queries = [
    "getDevices": "bbox=6.05,46.1,6.3,46.3&category=camera_fixed,camera_ptz&limit=2",
    "getDevice": "crs=http://www.opengis.net/def/crs/EPSG/0/3857",
    "getTile": "category=camera_fixed", "getTileJSON": "operator_kind=public",
    "getPlaces": "q=Genf&lang=pt", "getNearestPlaces": "near=6.1432,46.2044&near=-9.1393,38.7223",
    "getTaxonomy": "lang=pt", "askToEndWatchMails": "token=$WATCH_TOKEN",
    "getLetter": "device=$DEVICE&kind=access&country=PT",
    "getStatistics": "group_by=category&country=CH", "getVisits": "bbox=6.05,46.1,6.3,46.3",
    "countPageError": "kind=error",
  ]

  /// Operations that need `If-Match`.
  private static let versioned: Set<String> = ["replaceDevice", "changeDevice", "restoreRevision"]

  /// Example bodies, by operation.
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
