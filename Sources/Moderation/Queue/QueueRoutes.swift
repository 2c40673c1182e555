import Devices
import JSON
import Service
import SpatialDatabase
import WebServer

/// `GET /api/moderation/queue`: items that wait for a decision.
struct QueueRoutes: Sendable {
  let moderation: Moderation
  let store: QueueStore

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "getQueue", .get, "/api/moderation/queue", tag: "Moderation",
        summary: "Items that wait for a decision, with all details that a moderator needs.",
        access: .moderator,
        parameters: [
          .query(
            "kind", .oneOf(QueueStore.Kind.ofItems.map(\.rawValue)), "Only items of this kind.")
        ] + PageCursor.parameters("Things"),
        answers: [.ok("A page of the queue.", schema: "queue")], .personal(queue))
    ]
  }

  @Sendable private func queue(_ request: Request, _ caller: Caller) throws -> Response {
    let kind = try request.query["kind"].map { text in
      guard let kind = QueueStore.Kind.ofItems.first(where: { $0.rawValue == text }) else {
        throw InvalidInput.unknownCode("kind", text)
      }
      return kind
    }
    let limit = try PageCursor.limit(request.query["limit"])
    let place = try request.query["cursor"].map {
      try QueueStore.Place(cursor: try PageCursor(text: $0))
    }
    // Moderators see the true points of devices.
    return try moderation.map.database.readPrivate { connection in
      // Fetches one item more than the limit, to know whether there is a next page.
      let found = try store.items(kind: kind, after: place, limit: limit + 1, connection)
      let items = found.prefix(limit)
      let next = found.count > limit ? items.last.map { QueueStore.Place($0).cursor.text } : nil
      let waiting = try store.waiting(connection)
      let json = QueueJSON(moderation: moderation)
      let counts = QueueStore.Kind.ofItems.map { ($0.rawValue, (waiting[$0]?.count ?? 0).json) }
      return .json(
        ListPage(
          try items.map { try json.value(of: $0, connection) }, next: next,
          counts: JSONObject(counts)), as: QueueJSON.page)
    }
  }
}
