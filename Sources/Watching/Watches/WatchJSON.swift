import JSON
import Service

/// A watch with the addresses that follow from its keys, for its owner.
struct ShownWatch: Sendable {
  let watch: StoredWatch
  let secrets: WatchSecrets
  let addresses: Addresses
  let endsOn: String

  private static let webhook = JSONShape<ShownWatch>(
    "watchWebhook", .text("url") { $0.watch.settings.webhook ?? "" },
    .text("secret") { shown in shown.watch.keys.webhook.map(shown.secrets.signingSecret) ?? "" },
    .time("proven_at", \.watch.webhookProvenAt), .time("ended_at", \.watch.webhookEndedAt))
  private static let feed = JSONShape<ShownWatch>(
    "watchFeed", .text("atom") { $0.feed("atom") ?? "" }, .text("json") { $0.feed("json") ?? "" })

  static let shape = JSONShape<ShownWatch>(
    "watch", .uuid("id", \.watch.id), .text("label", \.watch.settings.label),
    .init("area", WatchArea.schema) { $0.watch.settings.area.json },
    .object("filter", \.watch.settings.filter),
    .init("events", .list(of: .oneOf(WatchEvent.self))) {
      $0.watch.settings.events.map(\.rawValue)
    },
    .texts("properties", \.watch.settings.properties), .oneOf("mail", \.watch.settings.mail),
    .count("hour", \.watch.settings.hour), .count("weekday", \.watch.settings.weekday),
    .text("time_zone", \.watch.settings.timeZone), .flag("paused", \.watch.settings.isPaused),
    .time("failed_at", \.watch.failedAt),
    .object("feed", feed) { $0.watch.keys.feed == nil ? nil : $0 },
    .object("webhook", webhook) { $0.watch.settings.webhook == nil ? nil : $0 },
    .time("created_at", \.watch.createdAt), .day("ends_on", \.endsOn))

  static let shapeOfList = JSONShape<WatchList>(
    "watches", .list("watches", of: shape, \.watches),
    .count("maximum") { _ in WatchStore.maximum },
    .time("mail_refused_at", \.mailRefusedAt))

  static let shapeOfSent = JSONShape<SentNews>(
    "watchDelivery", .init("channel", .oneOf(["mail", "webhook"]), \.channel),
    .count("changes", \.matches), .init("outcome", .oneOf(["sent", "failed", "ended"]), \.outcome),
    .time("sent_at", \.sentAt))
  static let shapeOfSentList = JSONShape<[SentNews]>(
    "watchDeliveries", .list("deliveries", of: shapeOfSent) { $0 })

  static let components = [
    webhook.component, feed.component, shape.component, shapeOfList.component,
    shapeOfSent.component, shapeOfSentList.component,
  ]

  /// The content of a request to add a watch; a change contains any part of it.
  static func body(isNew: Bool, properties: [String]) -> JSONSchema {
    func needed(_ schema: JSONSchema) -> JSONSchema { isNew ? schema : schema.optional }
    return [
      "label": needed(.text(1...80)), "area": needed(WatchArea.schema),
      "filter": JSONSchema.object.optional,
      "events": JSONSchema.list(of: .oneOf(WatchEvent.self)).optional,
      "properties": JSONSchema.list(of: .oneOf(properties)).optional,
      "mail": JSONSchema.oneOf(WatchMail.self).optional,
      "hour": JSONSchema.integer(0...23).optional, "weekday": JSONSchema.integer(1...7).optional,
      "time_zone": JSONSchema.text(1...60).optional, "paused": JSONSchema.flag.optional,
      "feed": JSONSchema.flag.optional, "webhook": JSONSchema.text(maximum: 2_000).orNull.optional,
    ]
  }

  private func feed(_ format: String) -> String? {
    watch.keys.feed.map {
      addresses.url("/api/feeds/watches/\(secrets.feedToken($0)).\(format)")
    }
  }
}

/// The watches of an account.
struct WatchList: Sendable {
  let watches: [ShownWatch]
  let mailRefusedAt: String?
}
