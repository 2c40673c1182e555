package import Contributions
import DevicePhotos
package import Devices
import JSON
import PrivacyMap
package import Service
package import SpatialDatabase
import WebServer

/// `…/items/{id}/history`: the revisions of a device, their authors and comments; and restoring.
package struct HistoryRoutes: Feature {
  package let database: Database
  package let writer: DeviceWriter
  package let features: DeviceFeatures
  package let past: PastFeature
  package let limits: ContributionLimits
  private let editing: DeviceEditing

  private static let path = "/api/collections/devices/items/{id}/history"

  package var endpoints: [Endpoint] {
    let revision = Parameter.path(
      "revision", .integer(minimum: 1, maximum: Int(Int32.max)), "The number of the revision.")
    return [
      Endpoint(
        "getHistory", .get, Self.path, tag: "Devices",
        summary: "The revisions of a device, newest first.", access: .everyone,
        parameters: [
          .deviceID,
          .query(
            "before", .integer(minimum: 1, maximum: Int(Int32.max)),
            "Only revisions below this number, from `next` of the previous page."),
          .format(["json"]),
        ],
        answers: [.ok("A page of revisions.", schema: "history")], .personal(list)),
      Endpoint(
        "getRevision", .get, Self.path + "/{revision}", tag: "Devices",
        summary: "One revision: its changes, and the device after it.",
        access: .everyone, parameters: [.deviceID, revision, .format(["json"])],
        answers: [.ok("The revision.", schema: "revision")], .personal(one)),
      Endpoint(
        "restoreRevision", .post, Self.path + "/{revision}/restore", tag: "Devices",
        summary: "Restore a device to a revision.",
        access: .contributor(.contribute),
        parameters: [.deviceID, revision], body: .json("restore", limit: Endpoint.Body.smallLimit),
        answers: [
          .ok("The restored device.", "application/geo+json", schema: "device")
        ] + Endpoint.Answer.versioned, .change(restore)),
    ]
  }

  package init(_ instance: Instance) throws {
    database = instance.database
    writer = try instance.map.writer
    (features, past, limits) = try (instance.part(), instance.part(), instance.part())
    editing = try instance.part()
  }

  package var schemas: [Schema] {
    JSONSchema.named([
      "pastDevice": DeviceSchemas.device(photos: PhotoSchemas.past),
      "restore": ["comment": .text.optional],
    ]) + [Self.page.component, Self.revision.component]
  }

  @Sendable private func list(_ request: Request, _ caller: Caller) throws -> Response {
    try ContentNegotiation.json.check(request)
    let before = try Self.number("before", request.query["before"])
    return try answer(request, caller, as: Self.page) { device, connection in
      let found = try HistoryStore().entries(of: device.rowid, before: before, connection)
      let page = found.prefix(HistoryStore.pageSize)
      return (Array(page), found.count > page.count ? page.last?.number : nil)
    }
  }

  @Sendable private func one(_ request: Request, _ caller: Caller) throws -> Response {
    try ContentNegotiation.json.check(request)
    let number = try Self.number("revision", request.parameter("revision")) ?? 0
    return try answer(request, caller, as: Self.revision) { device, connection in
      let found = try past.comparison(
        of: number, of: device.rowid, now: device.precision, connection)
      guard let found else { throw NotFound.revision }
      return Revision(entry: found.entry, comparison: found)
    }
  }

  /// A response about a device's history, as public as the device.
  private func answer<Content>(
    _ request: Request, _ caller: Caller, as shape: JSONShape<Content>,
    _ read: (FoundDevice, borrowing Connection) throws -> Content
  ) throws -> Response {
    var json = JSONWriter(capacity: 4_096)
    let isHidden = try database.read { connection in
      let device = try FoundDevice(request.parameter("id"), for: caller, connection)
      shape.write(try read(device, connection), to: &json)
      return device.isHidden
    }
    var response = Response.json(json.bytes)
    // Usernames can change without a change of the map, so the entity tag is a hash of the body.
    response.etag = EntityTag(hashing: json.bytes)
    if !isHidden { AnswerVersions.complete(&response) }
    return response
  }

  /// A revision; in lists without its changes.
  struct Revision {
    let entry: RevisionEntry
    let comparison: PastFeature.Comparison?
  }

  static let page = JSONShape<(revisions: [RevisionEntry], next: Int64?)>(
    "history",
    .list("revisions", of: revision) { $0.revisions.map { Revision(entry: $0, comparison: nil) } },
    .count("next") { $0.next })

  static let revision = JSONShape<Revision>(
    "revision", .count("number", \.entry.number), .text("kind", \.entry.kind),
    .time("made_at", \.entry.madeAt), .text("author", \.entry.author),
    .text("comment", \.entry.comment), .texts("changed", \.entry.changed),
    .count("import", \.entry.importRun),
    .init("changes", .list(of: PastFeature.change.schema)) {
      $0.comparison?.changes.map(PastFeature.change.json)
    }.optional, .init("feature", .reference("pastDevice")) { $0.comparison?.feature }.optional)

  /// Parses a number from 1. For any other text in the path the response is 404.
  private static func number(_ name: String, _ text: String?) throws -> Int64? {
    guard let text else { return nil }
    let isPlain =
      (1...10).contains(text.utf8.count) && text.utf8.allSatisfy { (48...57).contains($0) }
    guard isPlain, let number = Int64(text), number > 0 else {
      if name == "revision" { throw NotFound.revision }
      throw InvalidInput(name, Message("error.limit", ["maximum": "\(Int32.max)"]))
    }
    return number
  }

  @Sendable private func restore(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let principal = try caller.signedIn()
    let precondition = Precondition(request)
    let id = request.parameter("id")
    let revision = request.parameter("revision")
    var body = try RequestBody(request, ["comment"])
    let comment = body.text("comment", 1...500, lines: true)
    let sent = body
    return { connection in
      let device = try FoundDevice(id, for: caller, connection)
      let number = try Self.number("revision", revision) ?? 0
      guard try HistoryStore().entry(number, of: device.rowid, connection) != nil else {
        throw NotFound.revision
      }
      try precondition.check(device, features, connection)
      try sent.check()
      let edit = try restoring(number, device, caller, connection)
      guard !edit.isEmpty else { return try features.feature(of: device, connection).response() }
      try limits.spendEdit(principal)
      return try editing.apply(
        edit, to: device, by: Self.author(principal, comment), of: principal, connection)
    }
  }

  private static func author(
    _ principal: Principal, _ comment: String? = nil
  ) -> DeviceWriter.Author {
    DeviceWriter.Author(
      kind: .restore, account: principal.account, comment: comment,
      moderates: principal.moderates)
  }

  /// Columns that are not restored, because they depend on decisions and verdicts of others.
  private static let kept: Set<String> = ["status", "hidden", "last_confirmed", "stale_on"]

  /// The edit that restores a device to a revision. Its precision stays at most as fine as now, unless
  /// the caller is its author or a moderator.
  private func restoring(
    _ number: Int64, _ device: FoundDevice, _ caller: Caller, _ connection: borrowing Connection
  ) throws -> DeviceEdit {
    guard let stored = try StoredDevice(rowid: device.rowid, connection),
      let then = try HistoryStore().past(number, of: device.rowid, connection)
    else { throw NotFound.device }
    var edit = DeviceEdit(of: stored)
    edit.columns = StoredDevice.editable.filter { !Self.kept.contains($0) }
      .map { ($0, then.columns[$0] ?? .null) }
    edit.choices = then.choices
    edit.photos = try PhotoList(
      environment: writer.environment, author: Self.author(caller.signedIn())
    ).reachable(then.photos, of: device.rowid, connection)
    edit.place = try TruePlaces.place(at: number, of: device.rowid, connection)
    if then.precision.isFiner(than: device.precision), !device.isTrusted(to: caller) {
      edit.columns.removeAll { $0.name == "precision" }
    }
    edit.settlePublicPoint()
    edit.settleStaleDay(
      DeviceFields(name: "", category: then.columns["category"]?.textValue ?? ""),
      vocabulary: writer.vocabulary)
    let place = edit.place
    edit.dropUnchanged()
    if !device.isTrusted(to: caller) {
      // Decide from public values only whether to write anything. A comparison of true points would
      // reveal to a caller whether a guessed pin is right.
      let changes = !edit.columns.isEmpty || edit.choices != nil
      let isMeant =
        try changes || HistoryStore().wasMadeExact(since: number, of: device.rowid, connection)
      edit.place = isMeant ? place : nil
    }
    return edit
  }
}

extension NotFound {
  static let revision = NotFound(Message("error.not_found.revision"))
}
