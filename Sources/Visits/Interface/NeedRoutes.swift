import Devices
import JSON
import PrivacyMap
import Service
import SpatialDatabase
import WebServer

/// `GET /api/visits` and `/api/visits/devices/{id}`: the devices that need a visit. Public.
struct NeedRoutes: Sendable {
  let visits: Visits

  /// Square degrees of the largest box.
  private static let largestArea = 4.0
  private static let radii = 100.0...20_000.0

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "getVisits", Visits.path, tag: Visits.tag,
        summary:
          "The devices that need a visit: those that people ask about, and those whose data say so.",
        parameters: [
          .query(
            "bbox", .numbers(minimum: 4, maximum: 6),
            "West, south, east and north of at most 4 square degrees; latest devices first."),
          .query(
            "near", .numbers(minimum: 2, maximum: 2),
            "Longitude and latitude, instead of `bbox`: nearest devices first, on one page."),
          .query("radius", .number, "Metres around `near`: 100 through 20000, by default 2000."),
          .query(
            "reason", .codes(VisitReason.allCases.map(\.rawValue)), "Any of these reasons."),
          .query(
            "category", .codes(visits.forms.categories), "Any of these categories."),
          .query("asked", .boolean, "Only devices that people ask about."),
        ] + PageCursor.parameters("Devices"),
        answers: [.ok("A page of devices with their reasons.", schema: "visitNeeds")], list),
      Endpoint(
        "getDeviceNeeds", .get, Visits.path + "/devices/{id}", tag: Visits.tag,
        summary: "Whether and why a device needs a visit, and whether the caller may ask for one.",
        access: .everyone, parameters: [.deviceID],
        answers: [
          .ok("The reasons.", schema: "deviceNeeds"),
          .refusal(410, "Deleted; the response says when, by whom and why."),
        ],
        .personal(device)),
    ]
  }

  @Sendable private func list(_ request: Request) throws -> Response {
    let query = NeedsQuery(
      reasons: try codes(request, "reason", VisitReason.allCases.map(\.rawValue))
        .compactMap(VisitReason.init),
      categories: try codes(request, "category", visits.forms.categories),
      onlyAsked: try flag(request, "asked"), today: visits.environment.now().day)
    let limit = try PageCursor.limit(request.query["limit"])
    // Reads all parameters first, so that the response names an invalid one even if another is missing.
    let radius = try radius(request)
    let last = try PageCursor.rows(request.query["cursor"], count: 1)?.first ?? .max
    let page =
      try request.query["near"] != nil
      ? nearest(request, query, within: radius, limit: limit)
      : latest(request, query, before: last, limit: limit)
    var response = Response.json(page, as: NeedJSON.page)
    if case .bytes(let bytes) = response.body { response.etag = EntityTag(hashing: bytes) }
    response.headers.add("Cache-Control", AnswerVersions.cacheControl)
    return response
  }

  private func latest(
    _ request: Request, _ query: NeedsQuery, before last: Int64, limit: Int
  ) throws -> ListPage {
    guard let text = request.query["bbox"] else {
      throw InvalidInput("bbox", Message("error.missing_member"))
    }
    let box: BoundingBox
    do { box = try BoundingBox(bbox: text) } catch { throw InvalidInput("bbox", error.message) }
    let width = box.east - box.west + (box.crossesAntimeridian ? 360 : 0)
    guard width * (box.north - box.south) <= Self.largestArea else {
      throw InvalidInput("bbox", Message("error.visit.box"))
    }
    let found = try visits.database.read {
      try query.devices(in: box, before: last, limit: limit + 1, $0)
    }
    let page = found.prefix(limit)
    let next = found.count > limit ? page.last.map { "\($0.device.rowid)" } : nil
    return ListPage(
      page.map { NeedJSON.shape.json(NeedJSON(found: $0)) },
      next: next.map { PageCursor(keys: [$0]).text })
  }

  private func nearest(
    _ request: Request, _ query: NeedsQuery, within radius: Double, limit: Int
  ) throws -> ListPage {
    let place: Coordinate
    do { place = try Coordinate(text: request.query["near"] ?? "") } catch {
      throw InvalidInput("near", error.message)
    }
    let found = try visits.database.read {
      try query.devices(near: place, within: radius, limit: limit, $0)
    }
    return ListPage(
      found.map { found in
        let metres = (found.device.place.distance(to: place) * 10).rounded() / 10
        return NeedJSON.shape.json(NeedJSON(found: found, metres: metres))
      }, next: nil)
  }

  private func radius(_ request: Request) throws -> Double {
    guard let text = request.query["radius"] else { return 2_000 }
    guard let metres = Double(text), Self.radii.contains(metres) else {
      throw InvalidInput(
        "radius", Message("error.outside", ["minimum": "100", "maximum": "20000"]))
    }
    return metres
  }

  private func codes(_ request: Request, _ name: String, _ known: [String]) throws -> [String] {
    let codes = request.query[name].map { $0.split(separator: ",").map(String.init) } ?? []
    if let unknown = codes.first(where: { !known.contains($0) }) {
      throw InvalidInput.unknownCode(name, unknown)
    }
    return codes
  }

  private func flag(_ request: Request, _ name: String) throws -> Bool {
    guard let text = request.query[name] else { return false }
    guard text == "true" || text == "false" else { throw InvalidInput.unknownCode(name, text) }
    return text == "true"
  }

  @Sendable private func device(_ request: Request, _ caller: Caller) throws -> Response {
    let today = visits.environment.now().day
    return try visits.database.readQuickly { connection in
      let device = try FoundDevice(request.parameter("id"), for: caller, connection)
      let stored = try visits.workflow.store.device(device.rowid, connection)
      let isPrivate = stored?.isInHome ?? false
      let found =
        isPrivate ? nil : try NeedsQuery(today: today).device(device.rowid, connection)
      var refusal: Message?
      if let principal = caller.principal, let stored, found?.request == nil {
        do {
          try visits.asking.check(stored, .stillThere, by: principal, connection)
        } catch let error as any TranslatedError {
          refusal = error.message
        } catch let error as InvalidInput { refusal = error.fields.first?.message }
      }
      let mayAsk = caller.principal != nil && found != nil && found?.request == nil
      return .json(
        NeedJSON.Answer(
          device: device.id.text, found: found, isPrivate: isPrivate,
          mayAsk: mayAsk && refusal == nil,
          whyNot: refusal.map {
            visits.catalogue.text($0, in: visits.catalogue.language(of: request))
          }), as: NeedJSON.answer)
    }
  }
}
