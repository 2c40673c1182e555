import Devices
import Reference
import Service
import SpatialDatabase
import WebServer

/// `/api/feeds/watches/{secret}.{atom|json}`: the news of a watch, for a feed reader that knows the secret address.
struct WatchFeedRoutes: Sendable {
  let watches: Watches

  /// The maximum number of entries of a feed.
  static let maxListed = 100

  var endpoints: [Endpoint] {
    [
      endpoint("getWatchAtom", "atom", "application/atom+xml"),
      endpoint("getWatchJSONFeed", "json", "application/feed+json"),
    ]
  }

  private func endpoint(_ id: String, _ format: String, _ type: String) -> Endpoint {
    Endpoint(
      id, .get, "/api/feeds/watches/{secret}.\(format)", tag: Watches.tag,
      summary:
        "What a watch found, latest first, as \(format == "atom" ? "an Atom feed" : "a JSON Feed").",
      access: .everyone,
      parameters: [
        .path("secret", .text(maxLength: 60), "The secret of the feed."),
        .language(watches.catalogue.languages),
      ],
      answers: [.ok("At most 100 entries.", type)],
      .personal { request, _ in try feed(request, format, type) }
    ).ofPrimary()
  }

  /// The news of a watch, latest first.
  ///
  /// - Throws: a 503 ``Refusal`` if its filter cannot be evaluated. The watch is set aside then.
  private func found(
    _ watch: StoredWatch, _ connection: borrowing Connection
  ) throws -> [WatchNews.Reported] {
    do {
      let found = try watches.news.latest(watch, listed: Self.maxListed, connection)
      watches.worker.failures.noteSuccess(watch.rowid)
      return found
    } catch let fault as DatabaseFault where WatchFailures.isOfFilter(fault) {
      watches.worker.failures.note(watch.rowid, fault)
      throw Refusal.tookTooLong
    }
  }

  private func feed(_ request: Request, _ format: String, _ type: String) throws -> Response {
    guard let key = watches.secrets.feedKey(request.parameter("secret")) else {
      throw WatchStore.notThere
    }
    try watches.catalogue.checkLanguage(request)
    let language = watches.catalogue.language(of: request)
    let feed = try watches.database.read { connection in
      guard let watch = try watches.store.one(feed: key, connection) else {
        throw WatchStore.notThere
      }
      let lines = WatchLines(
        language, watches.catalogue, watches.names, watches.news.devices.vocabulary)
      let entries = try found(watch, connection).map { reported in
        let line = try lines.line(reported, connection)
        return WatchFeed.Entry(
          id: reported.id(of: watch), title: line.text,
          device: line.isOnMap ? reported.device : nil,
          event: reported.event.rawValue, happenedAt: reported.happenedAt)
      }
      return WatchFeed(
        title: watches.catalogue.text(
          Message(
            "mail.watch.feed", ["label": watch.settings.label, "name": watches.instance]),
          in: language),
        name: watches.instance, language: language,
        this: watches.addresses.url(request.path), home: watches.addresses.url("/watches"),
        updatedAt: entries.first?.happenedAt ?? watch.renewedAt, entries: entries,
        addresses: watches.addresses)
    }
    var response = Response.bytes(
      format == "atom" ? feed.atom : feed.json,
      contentType: format == "atom" ? "\(type); charset=utf-8" : type)
    response.headers.add("Content-Language", language)
    // The address is a secret, which a link in an entry must not pass on.
    response.headers.add("Referrer-Policy", "no-referrer")
    response.headers.add("X-Robots-Tag", "noindex")
    return response
  }
}
