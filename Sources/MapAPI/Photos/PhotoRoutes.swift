import JSON
import PrivacyMap
import SpatialDatabase
import WebServer

/// `…/items/{id}/photos`: the photos of a device, one more, and their order.
struct PhotoRoutes: Sendable {
  let photos: Photos

  private static let path = "/api/collections/devices/items/{id}/photos"
  /// A picture with what a form puts around it.
  static let bodyLimit = Photos.longestPicture + (64 << 10)

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "getPhotos", .get, Self.path, tag: "Photos",
        summary: "The photos of a device that you may see, yours that wait among them.",
        access: .everyone, parameters: [.deviceID, .format(["json"])],
        answers: [.ok("The photos.", schema: "photos")], .personal(list)),
      Endpoint(
        "addPhoto", .post, Self.path, tag: "Photos",
        summary: "Add a photo; nothing of the file but its pixels is kept.",
        access: .contributor(.contribute),
        parameters: [.deviceID],
        body: .form("sentPhoto", limit: Self.bodyLimit, isStored: true),
        answers: [.created("The photo.", schema: "changedPhoto")] + Endpoint.Answer.pictures
          + [.refusal(409, "The device has twelve photos already.")],
        .slow(add)),
      Endpoint(
        "orderPhotos", .put, Self.path, tag: "Photos",
        summary: "Put the photos of a device in another order.", access: .contributor(.contribute),
        parameters: [.deviceID], body: .json("photoOrder"),
        answers: [
          .ok("The photos.", schema: "orderedPhotos"),
          .refusal(409, "Others are there than the ones named."),
        ], .change(order)),
    ]
  }

  @Sendable private func list(_ request: Request, _ caller: Caller) throws -> Response {
    try ContentNegotiation.json.check(request)
    return try photos.map.database.read { connection in
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
    // Before the form is looked at: nobody has work done for a device that is not there.
    _ = try database.read { try FoundDevice(id, for: caller, $0) }
    let form = try PhotoForm(request)
    let key = try IdempotencyKey(request, content: form.content)
    let known = try database.read { connection in
      try check(id, key, caller, connection)
    }
    if let known { return known }
    try photos.limits.spendPhoto(principal)
    let picture = try photos.image.draw(form.image)
    let file = try photos.keep(picture)
    return try photos.write(showing: file) { connection in
      if let known = try check(id, key, caller, connection) {
        // Sent twice side by side: the other was quicker.
        photos.folder.erase(file)
        return known
      }
      let device = try FoundDevice(id, for: caller, connection)
      let photo = try insert(
        picture, file: file, alt: form.alt ?? "", of: device, by: principal, connection)
      try key?.keep(
        photo, of: principal.account, now: photos.map.surroundings.now(), connection)
      return try created(photo.text, before: device.revision, caller, connection)
    }
  }

  /// What came of the same request before; nil when this is the first.
  ///
  /// - Throws: why the device takes no photo.
  private func check(
    _ id: String, _ key: IdempotencyKey?, _ caller: Caller, _ connection: borrowing Connection
  ) throws -> Response? {
    let device = try FoundDevice(id, for: caller, connection)
    let account = try caller.signedIn().account
    if let known = try key?.device(
      of: account, now: photos.map.surroundings.now(), connection)
    {
      return try created(
        known, before: try revision(before: known, of: device, connection), caller, connection)
    }
    let count = try connection.integer(
      "SELECT count(*) FROM photo WHERE device_rowid = ? AND state <> 'deleted'",
      [.integer(device.rowid)])
    guard count ?? 0 < Photos.most else { throw Refusal.tooManyPhotos }
    return nil
  }

  /// The revision that a photo was added to, where nothing has changed since; else the one there is, so
  /// that nobody takes what others have changed for seen.
  private func revision(
    before photo: String, of device: FoundDevice, _ connection: borrowing Connection
  ) throws -> Int64 {
    let added = try connection.integer(
      """
      SELECT 1 FROM revision JOIN photo ON photo.id = ?
      WHERE revision.device_rowid = ? AND number = ? AND made_at = photo.created_at
        AND revision.account_rowid = photo.account_rowid
        AND NOT EXISTS (
          SELECT 1 FROM json_each(before, '$.photos') WHERE value ->> 'id' = photo.id)
        AND json_type(before, '$.photos') IS NOT NULL
      """, [.text(photo), .integer(device.rowid), .integer(device.revision)])
    return device.revision - (added == nil ? 0 : 1)
  }

  private func insert(
    _ picture: DrawnPicture, file: String, alt: String, of device: FoundDevice,
    by principal: Principal, _ connection: borrowing Connection
  ) throws -> DeviceID {
    guard let stored = try StoredDevice(rowid: device.rowid, connection) else {
      throw NotFound.device
    }
    let surroundings = photos.map.surroundings
    let id = surroundings.newDeviceID()
    try PhotoVersions.note(file, picture, of: id.text, connection)
    try connection.execute(
      """
      INSERT INTO photo (id, device_rowid, account_rowid, position, alt, state, file, width,
        height, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .text(id.text), .integer(device.rowid), .integer(principal.account),
        SQLValue(stored.photos.count + 1), .text(alt),
        .text(principal.isNew ? "waiting" : "public"), .text(file),
        SQLValue(picture.large.width), SQLValue(picture.large.height),
        .text(surroundings.now().text),
      ])
    let photo = connection.lastInsertedRowID
    try photos.revise(
      device.rowid, to: stored.photos + [KeptPhoto(id: id.text, alt: alt, version: 1)],
      from: stored, by: principal, connection)
    if principal.isNew {
      try photos.reviews.ask(
        forPhoto: photo, of: device.rowid, by: principal.account, connection)
    }
    return id
  }

  private func created(
    _ id: String, before: Int64, _ caller: Caller, _ connection: borrowing Connection
  ) throws -> Response {
    var response = try photos.answer(
      id, before: before, for: caller, status: .created, connection)
    response.headers["Location"] = photos.addresses.url("/api/photos/\(id)")
    return response
  }

  @Sendable private func order(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let principal = try caller.signedIn()
    let id = request.parameter("id")
    var body = try RequestBody(request, ["photos"])
    let wanted = body.texts("photos", most: Photos.most * 4)
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
      // Those that the caller does not see keep their order, at the end.
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
  /// What a picture may be refused with.
  static let pictures: [Endpoint.Answer] = [
    .refusal(413, "The picture has too many bytes."),
    .refusal(415, "The file is no JPEG, PNG, WebP or HEIF, whatever it is called."),
  ]
}

extension Refusal {
  /// 409: a device has as many photos as it may.
  static let tooManyPhotos = Refusal(
    .conflict, "error.too_many_photos", ["maximum": "\(Photos.most)"], type: "too-many-photos")
  /// 409: the photos to be put in order are not those that are there.
  static let otherPhotos = Refusal(.conflict, "error.other_photos", type: "other-photos")
}

extension RequestBody {
  /// Different texts; none where the member is missing or at fault, which is noted.
  mutating func texts(_ name: String, most: Int) -> [String] {
    let texts = value(name)?.arrayValue?.compactMap(\.stringValue)
    guard let texts, texts.count == value(name)?.arrayValue?.count, texts.count <= most,
      Set(texts).count == texts.count
    else {
      fault(name, Message("error.type.texts", ["maximum": "\(most)"]))
      return []
    }
    return texts
  }
}
