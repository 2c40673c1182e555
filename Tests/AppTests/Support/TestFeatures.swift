import JSON
import PrivacyMap
@testable import Service
import Testing
import WebServer

/// A device as a client sends it.
enum Sent {
  /// A feature at a position, by default a fixed camera with a name.
  static func feature(
    _ properties: JSONValue = [:], longitude: Double = 7.4, latitude: Double = 46.9
  ) -> JSONValue {
    var members = JSONObject([("name", "A camera"), ("category", "camera_fixed")])
    for member in properties.objectValue?.members ?? [] { members[member.key] = member.value }
    return [
      "type": "Feature",
      "geometry": [
        "type": "Point", "coordinates": [.double(longitude), .double(latitude)],
      ],
      "properties": .object(members),
    ]
  }
}

extension TestApp {
  /// `POST …/items`.
  func add(
    _ feature: JSONValue, key: String? = nil, as identity: Identity
  ) -> TestAnswer {
    var headers: Headers = ["Content-Type": "application/geo+json"]
    if let key { headers["Idempotency-Key"] = key }
    return send(.post, Path.items, headers: headers, json: feature, as: identity)
  }

  /// Adds a device for an account and returns its id.
  func added(
    _ properties: JSONValue = [:], longitude: Double = 7.4, latitude: Double = 46.9,
    as account: TestAccount
  ) throws -> String {
    let answer = add(
      Sent.feature(properties, longitude: longitude, latitude: latitude), as: account.identity)
    try #require(answer.status == .created, "\(answer.text)")
    return try #require(try answer.json["id"]?.stringValue)
  }

  /// The current ETag of the device.
  func tag(_ id: String, as identity: Identity = .visitor) throws -> String {
    try #require(get(Path.item(id), as: identity).headers["ETag"])
  }

  /// `PATCH …/items/{id}` of the current version, or of the version in `tag`.
  func patch(
    _ id: String, _ patch: JSONValue, tag: String? = nil, as identity: Identity
  ) throws -> TestAnswer {
    send(
      .patch, Path.item(id),
      headers: [
        "Content-Type": "application/merge-patch+json",
        "If-Match": try tag ?? self.tag(id, as: identity),
      ], json: patch, as: identity)
  }

  /// `PUT …/items/{id}`.
  func put(
    _ id: String, _ feature: JSONValue, tag: String? = nil, as identity: Identity
  ) throws -> TestAnswer {
    send(
      .put, Path.item(id),
      headers: [
        "Content-Type": "application/geo+json", "If-Match": try tag ?? self.tag(id, as: identity),
      ], json: feature, as: identity)
  }
}

extension TestAnswer {
  /// The value of one property in the feature.
  func property(_ name: String) throws -> JSONValue? { try json["properties"]?[name] }

  /// Longitude and latitude of the feature.
  var position: [Double] {
    get throws {
      try (json["geometry"]?["coordinates"]?.arrayValue ?? []).compactMap(\.numberValue)
    }
  }
}

extension JSONValue {
  /// The object with one member set, or removed by nil; `path` leads through objects.
  func setting(_ path: String..., to value: JSONValue?) -> JSONValue { setting(path[...], value) }

  private func setting(_ path: ArraySlice<String>, _ value: JSONValue?) -> JSONValue {
    guard let first = path.first else { return value ?? .null }
    var object = objectValue ?? JSONObject()
    object[first] =
      path.count == 1 ? value : (object[first] ?? [:]).setting(path.dropFirst(), value)
    return .object(object)
  }
}
