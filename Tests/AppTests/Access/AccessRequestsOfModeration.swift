import JSON
import PrivacyMap
@testable import Service
import SpatialDatabase
import WebServer

extension AccessRequests {
  private static let actions = "/api/moderation/actions"

  static let moderation = flags + looks + acts + undoing

  private static let looks = ["/api/moderation/queue", "/api/moderation/log"].map { path in
    AccessRequests("GET \(path)", "–") { $0.get(path) }
  }

  private static let flags = [
    AccessRequests("POST /api/flags", "a device") {
      flag("device", try $0.device().id, $0)
    },
    AccessRequests("POST /api/flags", "a hidden device") {
      flag("device", try $0.hiddenDevice().id, $0)
    },
    AccessRequests("POST /api/flags", "a photo") {
      flag("photo", try $0.photo(), $0)
    },
    AccessRequests("POST /api/flags", "a person") {
      flag("account", try $0.somebody().id, $0)
    },
  ]

  private static func flag(_ kind: String, _ id: String, _ scene: AccessScene) -> AccessRequest {
    scene.send(
      .post, "/api/flags",
      ["target": ["type": .string(kind), "id": .string(id)], "reason": "other"])
  }

  /// The subject of a moderation decision, and its further members.
  private typealias Aim = (kind: String, id: String, more: [(String, JSONValue)])

  private static func act(
    _ of: String, _ action: String, _ aim: @escaping @Sendable (AccessScene) throws -> Aim
  ) -> AccessRequests {
    AccessRequests("POST \(actions)", of) { scene in
      let aim = try aim(scene)
      let members = [("type", JSONValue.string(aim.kind)), ("id", .string(aim.id))] + aim.more
      var body: JSONObject = [
        "action": .string(action), "target": .object(JSONObject(members)),
        "reason": "a good reason",
      ]
      if TestApp.needsVersion(action) {
        body["version"] = .string(try scene.app.version(aim.kind, aim.id))
      }
      return scene.send(.post, actions, .object(body))
    }
  }

  private static let acts = [
    act("hide a device", "hide") { ("device", try $0.device().id, []) },
    act("restore a device", "restore") { ("device", try $0.hiddenDevice().id, []) },
    act("revert a change", "revert") { scene in
      ("device", try scene.editedDevice().id, [("revision", 2)])
    },
    act("black out a part of a photo", "redact") { scene in
      let part: JSONValue = ["x": 0, "y": 0, "width": 0.5, "height": 0.5]
      return ("photo", try scene.photo(), [("regions", [part])])
    },
    act("merge a device", "merge") { scene in
      ("device", try scene.device().id, [("into", .string(try scene.device().id))])
    },
    act("dismiss flags", "dismiss") { scene in
      let device = try scene.device()
      scene.app.flag("device", device.id, as: try scene.somebody().identity)
      return ("device", device.id, [])
    },
    act("accept a contribution", "accept") { scene in
      let device = try scene.device()
      return (
        "review",
        try scene.app.review("contribution", of: device, by: scene.author, number: 1), []
      )
    },
    act("warn a person", "warn") { ("account", try $0.somebody().id, []) },
    act("suspend a person", "suspend") { ("account", try $0.somebody().id, [("days", 7)]) },
    act("lift a suspension", "unsuspend") { scene in
      let person = try scene.somebody()
      scene.app.act("suspend", "account", person.id, as: try scene.root().identity)
      return ("account", person.id, [])
    },
    act("revert a person's contributions", "revert") { scene in
      let person = try scene.somebody()
      _ = try scene.app.device(by: person)
      return ("account", person.id, [("all", true)])
    },
    act("suspend a moderator", "suspend") {
      ("account", try $0.somebody(role: .moderator).id, [])
    },
    act("suspend own account", "suspend") { ("account", $0.owner.id, []) },
  ]

  private static let undoing = [
    ("a moderator's action", Role.moderator), ("an admin's action", Role.admin),
  ].map { of, role in
    AccessRequests("POST \(actions)/{id}/undo", of) { scene in
      let device = try scene.device()
      let act = scene.app.act(
        "hide", "device", device.id, as: try scene.somebody(role: role).identity)
      let id = try act.json["id"]?.stringValue ?? ""
      return scene.send(.post, "\(actions)/\(id)/undo", ["reason": "a second thought"])
    }
  }

  static let administration =
    ["/api/admin/overview", "/api/admin/accounts", "/api/admin/imports"].map { path in
      AccessRequests("GET \(path)", "–") { $0.get(path) }
    } + [
      AccessRequests("GET /api/admin/accounts/{id}", "–") {
        $0.get("/api/admin/accounts/\($0.author.id)")
      },
      AccessRequests("PATCH /api/admin/accounts/{id}", "another's role") {
        $0.send(
          .patch, "/api/admin/accounts/\(try $0.somebody().id)",
          try $0.app.proving(["role": "moderator", "reason": "a good reason"]))
      },
      AccessRequests("PATCH /api/admin/accounts/{id}", "suspend another") {
        $0.send(
          .patch, "/api/admin/accounts/\(try $0.somebody().id)",
          ["suspended": true, "reason": "a good reason"])
      },
      AccessRequests("POST /api/admin/deletions", "preview") {
        $0.send(.post, "/api/admin/deletions", ["id": .string(try $0.device().id)])
      },
      AccessRequests("POST /api/admin/deletions", "confirmed") {
        $0.send(
          .post, "/api/admin/deletions",
          ["id": .string(try $0.device().id), "confirm": true, "reason": "a good reason"])
      },
      AccessRequests("POST /api/admin/imports", "a list") { list($0) },
      AccessRequests("POST /api/admin/import-inspections", "a list") {
        list($0, to: "/api/admin/import-inspections", mapping: nil)
      },
      AccessRequests("GET /api/admin/imports/{id}", "–") { scene in
        scene.get("/api/admin/imports/\(try imported(scene))")
      },
      AccessRequests("GET /api/admin/imports/{id}/mapping", "–") { scene in
        scene.get("/api/admin/imports/\(try imported(scene))/mapping")
      },
      AccessRequests("GET /api/admin/imports/{id}/devices", "–") { scene in
        scene.get("/api/admin/imports/\(try imported(scene))/devices")
      },
      AccessRequests("GET /api/admin/imports/{id}/map", "–") { scene in
        scene.get("/api/admin/imports/\(try imported(scene))/map")
      },
      AccessRequests("POST /api/admin/imports/{id}/missing", "–") { scene in
        scene.send(
          .post, "/api/admin/imports/\(try imported(scene))/missing", ["action": "withdraw"])
      },
      AccessRequests("POST /api/admin/imports/{id}/undo", "–") { scene in
        scene.send(
          .post, "/api/admin/imports/\(try imported(scene))/undo", ["reason": "a good reason"])
      },
    ]

  static let importSchedules =
    [
      AccessRequests("GET /api/admin/import-schedules", "–") {
        $0.get("/api/admin/import-schedules")
      },
      AccessRequests("POST /api/admin/import-schedules", "a schedule") {
        $0.send(.post, "/api/admin/import-schedules", TestSchedule.body())
      },
    ]
    + ofSchedule("GET /api/admin/import-schedules/{id}") { $0.get($1) }
    + ofSchedule("PATCH /api/admin/import-schedules/{id}") { $0.send(.patch, $1, ["hour": 5]) }
    + ofSchedule("DELETE /api/admin/import-schedules/{id}") { $0.send(.delete, $1) }
    + ofSchedule("POST /api/admin/import-schedules/{id}/run") {
      $0.send(.post, $1 + "/run", [:])
    }

  /// A request about the schedule of an admin, by its address.
  private static func ofSchedule(
    _ endpoint: String, _ make: @escaping @Sendable (AccessScene, String) -> AccessRequest
  ) -> [AccessRequests] {
    [
      AccessRequests(endpoint, "–") { scene in
        let admin = try scene.somebody(role: .admin).rowid
        let id = try scene.app.database.write { connection in
          try connection.execute(
            """
            INSERT INTO import_schedule (name, url, mapping, every, day, hour, account_rowid, created_at)
            VALUES ('City', 'https://lists.example/a.csv', '{}', 'day', 1, 3, ?, ?)
            """, [.integer(admin), .text(scene.app.clock.now.text)])
          return connection.lastInsertedRowID
        }
        return make(scene, "/api/admin/import-schedules/\(id)")
      }
    ]
  }

  /// A list of one camera, as OpenStreetMap's Overpass gives it, in a form.
  private static func list(
    _ scene: AccessScene, to path: String = "/api/admin/imports", mapping: String? = "osm"
  ) -> AccessRequest {
    let camera = """
      {"version": 0.6, "elements": [{"type": "node", "id": 1, "lat": 46.95, "lon": 7.44,
        "tags": {"man_made": "surveillance", "surveillance:type": "camera"}}]}
      """
    let named = mapping.map {
      "--XX\r\nContent-Disposition: form-data; name=\"mapping\"\r\n\r\n\($0)\r\n"
    }
    var request = scene.send(.post, path)
    request.headers.append(("Content-Type", "multipart/form-data; boundary=XX"))
    request.body = Array(
      ((named ?? "")
        + "--XX\r\nContent-Disposition: form-data; name=\"file\"; filename=\"list.json\"\r\n"
        + "Content-Type: application/json\r\n\r\n\(camera)\r\n--XX--\r\n").utf8)
    return request
  }

  /// The number of a finished import.
  private static func imported(_ scene: AccessScene) throws -> Int64 {
    try scene.app.database.write { connection in
      try connection.execute(
        """
        INSERT INTO import_run (file, mapping, state, started_at, mapping_file)
        VALUES ('list.json', 'osm', 'done', ?, '{}')
        """, [.text(scene.app.clock.now.text)])
      return connection.lastInsertedRowID
    }
  }
}
