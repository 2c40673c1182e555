package import Devices
import JSON
import PrivacyMap
package import Service
import SpatialDatabase
import WebServer

/// `/api/feeds/devices.{atom|json}`: new and changed devices of a filter, the latest first.
package struct FeedRoutes: Feature {
  package let store: DeviceStore
  package let parameters: DeviceParameters
  package let addresses: Addresses
  package let catalogue: Catalogue
  package let versions: AnswerVersions
  package let settings: InstanceSettings

  /// The two formats of a feed.
  package enum Form: String, CaseIterable {
    /// RFC 4287, with paging as in RFC 5005 §3.
    case atom
    /// JSON Feed 1.1.
    case json

    package var mediaType: String {
      switch self {
      case .atom: "application/atom+xml"
      case .json: "application/feed+json"
      }
    }
  }

  /// The media types and paths of all formats.
  package static let all = Form.allCases.map { (type: $0.mediaType, path: path($0)) }

  package static func path(_ form: Form) -> String { "/api/feeds/devices.\(form.rawValue)" }

  package var endpoints: [Endpoint] {
    Form.allCases.map { form in
      Endpoint(
        form == .atom ? "getDevicesAtom" : "getDevicesJSONFeed", Self.path(form), tag: "Data",
        summary: form == .atom
          ? "New and changed devices, the latest first, as an Atom feed."
          : "New and changed devices, the latest first, as a JSON Feed.",
        parameters: parameters.declared + PageCursor.parameters("Devices")
          + [.language(catalogue.languages)],
        answers: [
          .ok("A page of the feed.", form.mediaType, schema: form == .json ? "feed" : nil)
        ]
      ) { try get($0, form) }
    }
  }

  package init(_ instance: Instance) throws {
    (store, parameters) = try (instance.part(), instance.part())
    (addresses, catalogue) = (instance.addresses, instance.catalogue)
    (versions, settings) = (instance.versions, instance.settings)
  }

  package var schemas: [Schema] { [("feed", JSONSchema.object.value)] }

  private func get(_ request: Request, _ form: Form) throws -> Response {
    let filter = try parameters.filter(request.query)
    let limit = try PageCursor.limit(request.query["limit"])
    if let lang = request.query["lang"], !catalogue.languages.contains(lang) {
      throw InvalidInput.unknownCode("lang", lang)
    }
    let digest = Self.digest(request.query)
    let keys = try request.query["cursor"].map { try PageCursor(text: $0).keys(count: 3) }
    if let keys {
      guard keys[2] == digest else {
        throw InvalidInput("cursor", Message("error.cursor_of_another_list"))
      }
      guard Timestamp(text: keys[0]) != nil, Int64(keys[1]) != nil else {
        throw InvalidInput("cursor", Message("error.cursor"))
      }
    }
    return try versions.answer(request) {
      let language = catalogue.language(of: request)
      let (entries, changedAt) = try store.database.read { connection in
        (
          try FeedStore().page(
            filter, store: store, after: keys.map { ($0[0], Int64($0[1]) ?? 0) },
            limit: limit + 1, language: language, connection),
          try FeedStore().lastChange(connection)
        )
      }
      let page = page(
        Array(entries.prefix(limit)), hasMore: entries.count > limit, digest: digest,
        request: request, form, language: language, changedAt: changedAt)
      var response = Response.bytes(
        form == .atom ? page.atom : page.json, contentType: form.contentType)
      response.headers.add("Content-Language", language)
      response.lastModified = changedAt.flatMap { Timestamp(text: $0) }
        .map { HTTPDate(seconds: Int($0.secondsSinceEpoch)) }
      return response
    }
  }

  private func page(
    _ entries: [FeedEntry], hasMore: Bool, digest: String, request: Request, _ form: Form,
    language: String, changedAt: String?
  ) -> FeedPage {
    let path = Self.path(form)
    var next: String?
    if hasMore, let last = entries.last {
      let cursor = PageCursor(keys: [last.updatedAt, "\(last.rowid)", digest]).text
      next = addresses.url(path, request.query, setting: ("cursor", cursor))
    }
    let first = addresses.url(
      path,
      Query(
        request.query.pairs.filter { $0.name != "cursor" }.map { ($0.name, $0.value) }))
    return FeedPage(
      title: catalogue.text(Message("mail.feed.title", ["name": settings.name]), in: language),
      name: settings.name, language: language, first: first,
      this: addresses.url(path, request.query), next: next, home: addresses.url("/"),
      updatedAt: entries.first?.updatedAt ?? changedAt ?? store.environment.now().text,
      licence: settings.licence, entries: entries, addresses: addresses
    ) { entry in
      catalogue.text(
        Message(
          entry.isNew ? "mail.feed.added" : "mail.feed.changed",
          ["category": entry.category, "status": entry.status]), in: language)
    }
  }

  /// The digest that a cursor is bound to.
  private static func digest(_ query: Query) -> String {
    let free: Set<String> = ["limit", "cursor", "lang"]
    return DeviceCursor.digest(
      of: query.pairs.filter { !free.contains($0.name) }.map { "\($0.name)=\($0.value)" }.sorted())
  }
}

extension FeedRoutes.Form {
  fileprivate var contentType: String {
    self == .atom ? "application/atom+xml; charset=utf-8" : mediaType
  }
}
