import Accounts
import Devices
import Filters
import JSON
import PrivacyMap
package import Service
import SpatialDatabase
import WebServer

/// Adds and changes devices: `POST`, `PUT` and `PATCH` of `…/collections/devices/items` (OGC API –
/// Features Part 4, product page flows 3 and 4).
package struct WritingRoutes: Feature {
  private let writer: DeviceWriter
  private let duplicates: LikelyDuplicates
  private let features: DeviceFeatures
  private let editing: DeviceEditing
  private let limits: ContributionLimits
  private let reviews: ReviewStore

  private var environment: Environment { writer.environment }

  package init(_ instance: Instance) throws {
    let map = try instance.map
    writer = map.writer
    (features, editing, limits) = try (instance.part(), instance.part(), instance.part())
    duplicates = LikelyDuplicates(index: map.index, vocabulary: map.vocabulary)
    reviews = ReviewStore(environment: map.environment)
  }

  package var endpoints: [Endpoint] {
    let feature = Endpoint.Answer.ok(
      "The device as it is now.", "application/geo+json", schema: "device")
    return [
      Endpoint(
        "addDevice", .post, "/api/collections/devices/items", tag: "Devices",
        summary: "Add a device, unless it is a likely duplicate.",
        access: .contributor(.contribute),
        body: Endpoint.Body(
          type: "application/geo+json", schema: "sentDevice", limit: FeatureBody.limit,
          others: ["application/json"]),
        answers: [
          .created("The device.", "application/geo+json", schema: "device"),
          .refusal(409, "A likely duplicate; `candidates` lists the existing devices."),
        ],
        .change(add)),
      Endpoint(
        "replaceDevice", .put, "/api/collections/devices/items/{id}", tag: "Devices",
        summary: "Replace all properties of a device.", access: .contributor(.contribute),
        parameters: [.deviceID],
        body: Endpoint.Body(
          type: "application/geo+json", schema: "sentDevice", limit: FeatureBody.limit,
          others: ["application/json"]),
        answers: [feature] + Endpoint.Answer.versioned, .change(replace)),
      Endpoint(
        "changeDevice", .patch, "/api/collections/devices/items/{id}", tag: "Devices",
        summary: "Change some properties of a device (RFC 7396).",
        access: .contributor(.contribute),
        parameters: [.deviceID],
        body: Endpoint.Body(
          type: "application/merge-patch+json", schema: "devicePatch", limit: FeatureBody.limit),
        answers: [feature] + Endpoint.Answer.versioned, .change(patch)),
    ]
  }

  package var schemas: [Schema] { WritingSchemas.all }

  private var form: DeviceForm {
    DeviceForm(vocabulary: writer.vocabulary, today: environment.now().day)
  }

  @Sendable private func add(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let principal = try caller.signedIn()
    let key = try IdempotencyKey(request)
    let new = try NewDevice(
      RequestBody.object(
        of: request, types: FeatureBody.types, maximum: FeatureBody.maxValues),
      crs: CoordinateSystem(of: request), form: form, by: principal)
    return { connection in
      let now = environment.now()
      if let known = try key?.device(of: principal.account, now: now, connection) {
        // A repeated request: return the device that the first one added, in its current state.
        let device = try FoundDevice(known, for: caller, connection)
        return created(device.id, try features.feature(of: device, connection))
      }
      if new.duplicateReason == nil {
        let candidates = try duplicates.candidates(for: new.fields, at: new.placement, connection)
        guard candidates.isEmpty else { throw Refusal.duplicate(candidates) }
      }
      try limits.spendAddition(principal)
      let id = environment.newDeviceID()
      let rowid = try writer.add(
        id, new.fields, at: new.placement,
        by: DeviceWriter.Author(
          kind: .add, account: principal.account, comment: new.comment ?? new.duplicateReason),
        connection)
      if principal.isNew {
        try reviews.ask(for: .revision(1), of: rowid, by: principal.account, connection)
      }
      try key?.keep(id, of: principal.account, now: now, connection)
      return created(id, try features.feature(rowid: rowid, id: id, connection))
    }
  }

  private func created(_ id: DeviceID, _ feature: DeviceFeature) -> Response {
    return feature.response(.created).with("Location", features.address(of: id))
  }

  @Sendable private func replace(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    try change(request, caller, types: FeatureBody.types) { object, crs in
      try SentDevice(whole: object, crs: crs, form: form)
    }
  }

  @Sendable private func patch(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    try change(request, caller, types: ["application/merge-patch+json"]) { object, crs in
      try SentDevice(patch: object, crs: crs, form: form)
    }
  }

  /// The common part of PUT and PATCH; `read` parses the body before the transaction.
  private func change(
    _ request: Request, _ caller: Caller, types: Set<String>,
    _ read: (JSONObject, CoordinateSystem) throws -> SentDevice
  ) throws -> Endpoint.Change {
    let principal = try caller.signedIn()
    try limits.spendEdit(principal)
    let sent = try read(
      RequestBody.object(of: request, types: types, maximum: FeatureBody.maxValues),
      CoordinateSystem(of: request))
    let precondition = Precondition(request)
    let id = request.parameter("id")
    return { connection in
      let device = try FoundDevice(id, for: caller, connection)
      try precondition.check(device, features, connection)
      guard let stored = try StoredDevice(rowid: device.rowid, connection) else {
        throw NotFound.device
      }
      let edit = try DeviceChange(
        form: form, writer: writer, caller: caller, device: device, features: features,
        precondition: precondition
      ).edit(sent, from: stored, connection)
      guard !edit.isEmpty else {
        try limits.giveBackEdit(principal)
        return try features.feature(of: device, connection).response()
      }
      return try editing.apply(
        edit, to: device,
        by: DeviceWriter.Author(
          kind: .edit, account: principal.account, comment: sent.feature.comment),
        of: principal, connection)
    }
  }
}

extension WritingRoutes {
  package static let restores = RestoreRule.of(
    "requests-sent", ["idempotency": .remains("it ends within a day")])

  package static let retention = [
    RetentionRule.rows(
      of: "idempotency", where: "made_at <= ?", code: "idempotency", entry: "requests-sent",
      what: "answers to requests that are sent twice", why: "to carry them out once",
      period: .days(IdempotencyKey.lifetime / Seconds.day), job: AccountSweep.job,
      limit: .ago(IdempotencyKey.lifetime))
  ]
}

extension Endpoint.Answer {
  /// The refusals of writes to versioned resources.
  package static let versioned: [Endpoint.Answer] = [
    .refusal(410, "Deleted: when, by whom and why."),
    .refusal(412, "Changed meanwhile: `current` is the current device, `etag` its version."),
    .refusal(428, "If-Match is missing."),
  ]
}
