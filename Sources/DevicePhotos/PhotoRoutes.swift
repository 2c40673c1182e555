import Contributions
import Devices
import JSON
import Pictures
import PrivacyMap
import Service
import SpatialDatabase
import WebServer

/// `…/items/{id}/photos`: lists, adds and reorders the photos of a device.
struct PhotoRoutes: Sendable {
  let photos: Photos

  private static let path = "/api/collections/devices/items/{id}/photos"
  /// The limit of a request body: a picture and the form around it.
  static let bodyLimit = Photos.maxPictureSize + (64 << 10)

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "getPhotos", .get, Self.path, tag: "Photos",
        summary: "The photos of a device that the caller may see, including own ones in review.",
        access: .everyone, parameters: [.deviceID, .format(["json"])],
        answers: [.ok("The photos.", schema: "photos")], .personal(list)),
      Endpoint(
        "addPhoto", .post, Self.path, tag: "Photos",
        summary: "Add a photo; only the pixels of the file are stored, no metadata.",
        access: .contributor(.contribute),
        parameters: [.deviceID],
        body: .form("sentPhoto", limit: Self.bodyLimit, isStored: true),
        answers: [.created("The photo.", schema: "changedPhoto")] + Endpoint.Answer.pictures
          + [.refusal(409, "The device has twelve photos already.")],
        .slow(add)),
      Endpoint(
        "orderPhotos", .put, Self.path, tag: "Photos",
        summary: "Reorder the photos of a device.", access: .contributor(.contribute),
        parameters: [.deviceID], body: .json("photoOrder"),
        answers: [
          .ok("The photos.", schema: "orderedPhotos"),
          .refusal(409, "The photos named are not those of the device."),
        ], .change(order)),
    ]
  }

  @Sendable private func list(_ request: Request, _ caller: Caller) throws -> Response {
    try ContentNegotiation.json.check(request)
    return try photos.map.database.readQuickly { connection in
      let device = try FoundDevice(request.parameter("id"), for: caller, connection)
      var json = JSONWriter()
      json.beginObject()
      try Self.write(photosOf: device.rowid, for: caller, to: &json, connection)
      json.endObject()
      return .json(json.bytes)
    }
  }

  private static func write(
    photosOf device: Int64, for caller: Caller, to json: inout JSONWriter,
    _ connection: borrowing Connection
  ) throws {
    json.key("photos")
    json.beginArray()
    for row in try PhotoRow.all(of: device, for: caller, connection) {
      PhotoJSON.write(row, for: caller, to: &json)
    }
    json.endArray()
  }

  @Sendable private func add(_ request: Request, _ caller: Caller) throws -> Response {
    let principal = try caller.signedIn()
    let id = request.parameter("id")
    let database = photos.map.database
    // Checked before the form is parsed, so that a request for a missing device causes no work.
    let device = try database.read { try FoundDevice(id, for: caller, $0) }
    let form = try PhotoForm(request)
    let key = try IdempotencyKey(request, content: form.content)
    let known = try database.read { try check(device, key, caller, $0) }
    if let known { return known }
    try photos.limits.spendPhoto(principal)
    let picture = try photos.image.draw(form.image)
    let file = try photos.prepare(picture)
    return try photos.write(showing: file) { connection in
      let device = try FoundDevice(id, for: caller, connection)
      if let known = try check(device, key, caller, connection) {
        // The same upload was sent twice at once, and the other request finished first.
        photos.pictures.erase(file)
        return known
      }
      let photo = try insert(
        picture, file: file, alt: form.alt ?? "", of: device, by: principal, connection)
      try key?.keep(
        photo, of: principal.account, now: photos.map.environment.now(), connection)
      return try created(
        photo.text, before: device.revision, now: (device.id, device.revision + 1), caller,
        connection)
    }
  }

  /// The response to an earlier request with the same key; nil for the first one.
  ///
  /// - Throws: the reason why the device accepts no photo.
  private func check(
    _ device: FoundDevice, _ key: IdempotencyKey?, _ caller: Caller,
    _ connection: borrowing Connection
  ) throws -> Response? {
    let account = try caller.signedIn().account
    if let known = try key?.device(
      of: account, now: photos.map.environment.now(), connection)
    {
      // The device may have changed since it was found.
      let device = try FoundDevice(device.id.text, for: caller, connection)
      return try created(
        known, before: try revision(before: known, of: device, connection), caller, connection)
    }
    let count = try PhotoTable().count(of: device.rowid, connection)
    guard count < Photos.maximum else { throw Refusal.tooManyPhotos }
    return nil
  }

  /// The revision before the photo was added, if the device has not changed since; otherwise the current
  /// one, so that the client does not overlook changes by others.
  private func revision(
    before photo: String, of device: FoundDevice, _ connection: borrowing Connection
  ) throws -> Int64 {
    device.revision - (try PhotoStore().isLastChange(photo, of: device, connection) ? 1 : 0)
  }

  private func insert(
    _ picture: DrawnPicture, file: String, alt: String, of device: FoundDevice,
    by principal: Principal, _ connection: borrowing Connection
  ) throws -> DeviceID {
    guard let stored = try StoredDevice(rowid: device.rowid, connection) else {
      throw NotFound.device
    }
    let environment = photos.map.environment
    let id = environment.newDeviceID()
    try PhotoVersions.add(picture, as: file, of: id.text, to: photos.pictures, connection)
    // The photo of a new account waits for review.
    let photo = try PhotoTable().add(
      id, picture, file: file, alt: alt, at: stored.photos.count + 1, of: device.rowid,
      by: principal.account, state: principal.isNew ? "waiting" : "public", environment.now(),
      connection)
    try photos.revise(
      device.rowid, to: stored.photos + [KeptPhoto(id: id.text, alt: alt, version: 1)],
      from: stored, by: principal, connection)
    if principal.isNew {
      try photos.reviews.ask(
        for: .photo(photo), of: device.rowid, by: principal.account, connection)
    }
    return id
  }

  private func created(
    _ id: String, before: Int64, now: Photos.Version? = nil, _ caller: Caller,
    _ connection: borrowing Connection
  ) throws -> Response {
    return try photos.answer(
      id, before: before, now: now, for: caller, status: .created, connection
    )
    .with("Location", photos.addresses.url("/api/photos/\(id)"))
  }

  @Sendable private func order(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let principal = try caller.signedIn()
    let id = request.parameter("id")
    var body = try RequestBody(request, ["photos"])
    let wanted = body.texts("photos", maximum: Photos.maximum * 4)
    try body.check()
    return { connection in
      let device = try FoundDevice(id, for: caller, connection)
      guard let stored = try StoredDevice(rowid: device.rowid, connection) else {
        throw NotFound.device
      }
      let seen = try PhotoRow.all(of: device.rowid, for: caller, connection)
      guard device.isTrusted(to: caller) || seen.contains(where: { $0.author == principal.account })
      else { throw Refusal.photoOfAnother }
      guard wanted.count == seen.count, Set(wanted) == Set(seen.map(\.id)) else {
        throw Refusal.otherPhotos
      }
      // Photos that the caller may not see keep their order, at the end.
      let order = wanted + stored.photos.map(\.id).filter { !wanted.contains($0) }
      let list = order.compactMap { id in stored.photos.first { $0.id == id } }
      if list != stored.photos { try photos.limits.spendEdit(principal) }
      try photos.revise(device.rowid, to: list, from: stored, by: principal, connection)
      var json = JSONWriter()
      json.beginObject()
      try Self.write(photosOf: device.rowid, for: caller, to: &json, connection)
      try photos.writeVersion(
        of: device.rowid, before: device.revision, to: &json, connection)
      json.endObject()
      return .json(json.bytes)
    }
  }
}

extension Endpoint.Answer {
  /// The responses for a refused picture.
  static let pictures: [Endpoint.Answer] = [
    .refusal(413, "The picture has too many bytes."),
    .refusal(415, "The content of the file is not JPEG, PNG, WebP or HEIF."),
  ]
}

extension Refusal {
  /// 409: the device has the maximum number of photos.
  static let tooManyPhotos = Refusal(
    .conflict, "error.too_many_photos", ["maximum": "\(Photos.maximum)"], type: "too-many-photos")
  /// 409: the request names other photos than the device has.
  static let otherPhotos = Refusal(.conflict, "error.other_photos", type: "other-photos")
}

extension RequestBody {
  /// Distinct texts; an empty list if the member is missing or invalid, which is reported as a fault.
  mutating func texts(_ name: String, maximum: Int) -> [String] {
    let texts = value(name)?.arrayValue?.compactMap(\.stringValue)
    guard let texts, texts.count == value(name)?.arrayValue?.count, texts.count <= maximum,
      Set(texts).count == texts.count
    else {
      fault(name, Message("error.type.texts", ["maximum": "\(maximum)"]))
      return []
    }
    return texts
  }
}
