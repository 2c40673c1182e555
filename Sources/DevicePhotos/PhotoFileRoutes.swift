import Devices
import Pictures
import Service
import SpatialDatabase
import WebServer

/// `GET /api/photos/{id}`: the picture, with headers that prevent any script execution.
struct PhotoFileRoutes: Sendable {
  let photos: Photos

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "getPhoto", .get, "/api/photos/{id}", tag: "Photos",
        summary: "A photo, large or small.", access: .everyone,
        parameters: [
          .photoID,
          .query(
            "size", .oneOf(MediaFolder.Size.allCases.map(\.rawValue)),
            "At most 2,048 pixels on the long side (`large`, as by default) or 480 (`thumb`)."),
          .query(
            "v", .integer(minimum: 1, maximum: Int(Int32.max)),
            "The version of the picture, as in the addresses of photos; such a response may be cached."
          ),
        ],
        answers: [
          .ok("The picture.", "image/jpeg"), .refusal(410, "The photo was deleted."),
        ], .personal(picture))
    ]
  }

  @Sendable private func picture(_ request: Request, _ caller: Caller) throws -> Response {
    let size = try Self.size(request.query["size"])
    let version = try request.query["v"].map { text in
      guard let version = Int64(text), (1...Int64(Int32.max)).contains(version) else {
        throw InvalidInput("v", Message("error.limit", ["maximum": "\(Int32.max)"]))
      }
      return version
    }
    let (photo, isHidden, bytes) = try photos.map.database.readQuickly { connection in
      let photo = try PhotoRow(request.parameter("id"), for: caller, connection)
      return (
        photo, try PhotoStore().isOfHiddenDevice(photo, connection),
        try content(of: photo, size, for: request, connection)
      )
    }
    guard let bytes else { throw NotFound.photo }
    var response = Response.bytes(bytes, contentType: "image/jpeg")
    response.etag = Self.tag(of: photo, size)
    response.mayCompress = false
    response.headers["Content-Disposition"] = "inline; filename=\"farol-\(photo.id).jpg\""
    response.headers["Content-Security-Policy"] =
      "default-src 'none'; frame-ancestors 'none'; sandbox"
    if photo.isPublic && !isHidden {
      response.headers["Cache-Control"] = Self.keeping(isExact: version == photo.version)
    } else {
      response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
    }
    return response
  }

  private static func tag(of photo: PhotoRow, _ size: MediaFolder.Size) -> EntityTag {
    EntityTag("\(photo.file)-\(size.rawValue)")
  }

  /// The picture, without its bytes if the client has them: the response is then 304. Nil if it is missing.
  private func content(
    of photo: PhotoRow, _ size: MediaFolder.Size, for request: Request,
    _ connection: borrowing Connection
  ) throws -> [UInt8]? {
    if Preconditions(request.headers).isKnown(Self.tag(of: photo, size)) { return [] }
    return try photos.pictures.bytes(of: photo.file, size, connection)
  }

  /// A day, not a year, so that pictures taken down also disappear from browser caches.
  private static func keeping(isExact: Bool) -> String {
    isExact ? "public, max-age=86400, immutable" : AnswerVersions.cacheControl
  }

  private static func size(_ text: String?) throws -> MediaFolder.Size {
    guard let text else { return .large }
    guard let size = MediaFolder.Size(rawValue: text) else {
      throw InvalidInput.unknownCode("size", text)
    }
    return size
  }
}
