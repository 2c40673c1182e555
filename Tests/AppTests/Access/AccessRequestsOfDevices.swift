import JSON
import WebServer

extension AccessRequests {
  private static let item = "\(Path.items)/{id}"

  /// A device in each state that an address may lead to.
  private static let states: [(of: String, make: @Sendable (AccessScene) throws -> TestDevice)] = [
    ("on the map", { try $0.editedDevice() }),
    (
      "hidden",
      { scene in
        let device = try scene.editedDevice()
        try scene.app.hide(device)
        return device
      }
    ),
    ("deleted", { try $0.deletedDevice() }),
  ]

  /// One request about a device in each state.
  static func each(
    _ endpoint: String,
    _ make: @escaping @Sendable (AccessScene, TestDevice) throws -> AccessRequest
  ) -> [AccessRequests] {
    states.map { state in
      AccessRequests(endpoint, state.of) { try make($0, state.make($0)) }
    }
  }

  static let devices =
    [
      AccessRequests("POST \(Path.items)", "–") {
        // Far from all devices that other requests have added.
        let place = Double(try $0.app.count("account"))
        return $0.send(
          .post, Path.items, type: "application/geo+json", Sent.feature(longitude: place))
      },
      AccessRequests("POST /api/collections/devices/search", "–") {
        $0.send(.post, "/api/collections/devices/search", ["limit": 1])
      },
    ] + reads + writes

  private static let reads =
    each("GET \(item)") { $0.get(Path.item($1.id)) }
    + each("GET \(item)/location") { $0.get("\(Path.item($1.id))/location") }
    + each("GET \(item)/sign") { $0.get("\(Path.item($1.id))/sign") }
    + each("GET \(item)/claims") { $0.get("\(Path.item($1.id))/claims") }
    + each("GET \(item)/history") { $0.get("\(Path.item($1.id))/history") }
    + each("GET \(item)/history/{revision}") { $0.get("\(Path.item($1.id))/history/1") }

  private static let writes =
    each("PUT \(item)") { scene, device in
      scene.send(
        .put, Path.item(device.id), type: "application/geo+json", tag: tag(device, scene),
        Sent.feature(["name": "A third name"]))
    }
    + each("PATCH \(item)") { scene, device in
      scene.send(
        .patch, Path.item(device.id), type: "application/merge-patch+json",
        tag: tag(device, scene), ["properties": ["name": "A third name"]])
    }
    + each("DELETE \(item)") { scene, device in
      scene.send(.delete, Path.item(device.id), tag: tag(device, scene), ["reason": "Not there"])
    }
    + each("POST \(item)/history/{revision}/restore") { scene, device in
      scene.send(
        .post, "\(Path.item(device.id))/history/1/restore", tag: tag(device, scene), [:])
    }
    + each("POST \(item)/claims") { scene, device in
      scene.send(
        .post, "\(Path.item(device.id))/claims",
        ["claim": "present", "verdict": "confirm", "basis": "seen"])
    }
    + each("POST \(item)/flags") { scene, device in
      scene.send(.post, "\(Path.item(device.id))/flags", ["reason": "gone"])
    }

  /// The ETag of an existing device; any ETag for a missing one.
  private static func tag(_ device: TestDevice, _ scene: AccessScene) -> String {
    (try? scene.tag(device)) ?? "\"1-0\""
  }
}
