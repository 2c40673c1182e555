@testable import App
@testable import Devices
import Foundation
import JSON
@testable import Pictures
import Service
import SpatialDatabase
import Testing
import WebServer

/// Pictures for uploads, several hundred bytes each.
enum TestPicture {
  /// A JPEG of 64 by 48 pixels, all red.
  static let red = decoded(
    """
    /9j/2wBDAAgGBgcGBQgHBwcJCQgKDBQNDAsLDBkSEw8UHRofHh0aHBwgJC4nICIsIxwcKDcpLDAxNDQ0Hyc5PTgy \
    PC4zNDL/2wBDAQkJCQwLDBgNDRgyIRwhMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIy \
    MjIyMjIyMjL/wAARCAAwAEADASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAA \
    AgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0 \
    NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKz \
    tLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAA \
    AAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAV \
    YnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImK \
    kpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oA \
    DAMBAAIRAxEAPwDlqKKK8M/VAooooAKKKKACiiigAooooAKKKKACiiigAooooAKKKKACiiigAooooAKKKKAP/9k=
    """)

  /// A JPEG of 64 by 48 pixels, all blue.
  static let blue = decoded(
    """
    /9j/2wBDAAgGBgcGBQgHBwcJCQgKDBQNDAsLDBkSEw8UHRofHh0aHBwgJC4nICIsIxwcKDcpLDAxNDQ0Hyc5PTgy \
    PC4zNDL/2wBDAQkJCQwLDBgNDRgyIRwhMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIy \
    MjIyMjIyMjL/wAARCAAwAEADASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAA \
    AgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0 \
    NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKz \
    tLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAA \
    AAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAV \
    YnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImK \
    kpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oA \
    DAMBAAIRAxEAPwDzOiiiv1Q4gooooAKKKKACiiigAooooAKKKKACiiigAooooAKKKKACiiigAooooAKKKKAP/9k=
    """)

  /// A PNG of 64 by 48 pixels, red above and blue below.
  static let png = decoded(
    """
    iVBORw0KGgoAAAANSUhEUgAAAEAAAAAwCAIAAAAuKetIAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAR0lEQVRo3u3P \
    QQ0AAAgDsSnBvyjE4IHfkiYn4JqdqS4AAAAAAAAAAAAAAAAAAAAAAC9A+f8CAAAAAAAAAAAAAAAAAAAAALw6Dzcg \
    xHvZKR0AAAAASUVORK5CYII=
    """)

  /// A WebP of 64 by 48 pixels, red above and blue below.
  static let webp = decoded(
    """
    UklGRv4AAABXRUJQVlA4WAoAAAAIAAAAPwAALwAAVlA4TB0AAAAvP8ALAA8wHvfwvRD3/EcLxIJJ/tIZ7I7of86P \
    DwBFWElGugAAAEV4aWYAAElJKgAIAAAABgASAQMAAQAAAAEAAAAaAQUAAQAAAFYAAAAbAQUAAQAAAF4AAAAoAQMA \
    AQAAAAIAAAATAgMAAQAAAAEAAABphwQAAQAAAGYAAAAAAAAAOGMAAOgDAAA4YwAA6AMAAAYAAJAHAAQAAAAwMjEw \
    AZEHAAQAAAABAgMAAKAHAAQAAAAwMTAwAaADAAEAAAD//wAAAqAEAAEAAABAAAAAA6AEAAEAAAAwAAAAAAAAAA==
    """)

  /// A HEIF of 64 by 48 pixels, red above and blue below.
  static let heif = decoded(
    """
    AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAa1tZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAA \
    AAAAAAAAAAAAAA5waXRtAAAAAAACAAAAEGlkYXQAAAAAAEAAMAAAADhpbG9jAQAAAERAAAIAAQAAAAAAAAHRAAEA \
    AAAAAAAAKgACAAEAAAAAAAAAAQAAAAAAAAAIAAAAOGlpbmYAAAAAAAIAAAAVaW5mZQIAAAEAAQAAaHZjMQAAAAAV \
    aW5mZQIAAAAAAgAAZ3JpZAAAAADYaXBycAAAALZpcGNvAAAAdmh2Y0MBA3AAAAAAAAAAAAAe8AD8/fj4AAAPAyAA \
    AQAYQAEMAf//A3AAAAMAkAAAAwAAAwAeugJAIQABACpCAQEDcAAAAwCQAAADAAADAB6gIIEFlurkprm4EBAwIAAA \
    AwAgAAADACEiAAEABkQBwXPAiQAAABRpc3BlAAAAAAAAAEAAAABAAAAAFGlzcGUAAAAAAAAAQAAAADAAAAAQcGl4 \
    aQAAAAADCAgIAAAAGmlwbWEAAAAAAAAAAgABAoECAAICA4QAAAAaaXJlZgAAAAAAAAAOZGltZwACAAEAAQAAADJt \
    ZGF0AAAAJigBrxOA5TH3/7f5P9+jP8kyZk6gxC/7oD7qxL+h9LEG92bfiw38
    """)

  /// The red one with a segment that names its photographer and position.
  static let laden: [UInt8] = {
    let words = Array("Exif\0\0SECRET place".utf8)
    return red.prefix(2) + [0xFF, 0xE1, 0, UInt8(words.count + 2)] + words + red.dropFirst(2)
  }()

  private static func decoded(_ text: String) -> [UInt8] {
    Data(base64Encoded: text, options: .ignoreUnknownCharacters).map(Array.init) ?? []
  }
}

/// The paths of photos.
extension Path {
  static func photos(_ device: String) -> String { item(device) + "/photos" }
  static func photo(_ id: String) -> String { "/api/photos/\(id)" }
}

extension TestApp {
  /// The folder of the pictures. They are in the database on PostgreSQL.
  var media: MediaFolder { MediaFolder(path: app.instance.folders.media.path, logger: app.logger) }

  /// Sends a form with these fields, as a browser does.
  func form(
    _ method: WebServer.Method, _ path: String, _ fields: [(name: String, content: [UInt8])],
    headers: Headers = [:], boundary: String = "----WebKitFormBoundaryx", as identity: Identity
  ) -> TestAnswer {
    var body: [UInt8] = []
    for field in fields {
      let file = field.name == "image" ? "; filename=\"C:\\photo.php\"" : ""
      body += Array("--\(boundary)\r\n".utf8)
      body += Array("Content-Disposition: form-data; name=\"\(field.name)\"\(file)\r\n\r\n".utf8)
      body += field.content + Array("\r\n".utf8)
    }
    body += Array("--\(boundary)--\r\n".utf8)
    var headers = headers
    headers.setDefault("Content-Type", "multipart/form-data; boundary=\(boundary)")
    return send(method, target: path, headers: headers, body: body, as: identity)
  }

  /// `POST …/items/{id}/photos`.
  func sendPhoto(
    _ picture: [UInt8] = TestPicture.red, alt: String? = nil, to device: String,
    key: String? = nil, boundary: String = "----WebKitFormBoundaryx", as identity: Identity
  ) -> TestAnswer {
    var fields = [(name: "image", content: picture)]
    if let alt { fields.append(("alt", Array(alt.utf8))) }
    return form(
      .post, Path.photos(device), fields, headers: key.map { ["Idempotency-Key": $0] } ?? [:],
      boundary: boundary, as: identity)
  }

  /// Adds a photo for an account and returns its id.
  func photo(
    _ picture: [UInt8] = TestPicture.red, alt: String = "A door", of device: String,
    as account: TestAccount
  ) throws -> String {
    let answer = sendPhoto(picture, alt: alt, to: device, as: account.identity)
    try #require(answer.status == .created, "\(answer.text)")
    return try #require(try answer.json["id"]?.stringValue)
  }

  /// The photos in the response for a device.
  func shownPhotos(_ device: String) throws -> [JSONValue] {
    try #require(try get(Path.item(device)).property("photos")?.arrayValue)
  }

  /// The names of the stored pictures.
  var pictureFiles: Set<String> {
    guard database.holdsFiles else { return Set(media.names().keys) }
    let names = try? database.read { connection in
      try connection.rows("SELECT file FROM media_content WHERE size = 'large'") { $0.text(0) }
    }
    return Set(names ?? [])
  }

  /// Loses the content of all pictures, but not their rows.
  func losePictures() throws {
    for name in media.names().keys { media.erase(name) }
    try database.write { try $0.execute("DELETE FROM media_content") }
  }

  /// The status of a request for a photo's picture.
  func seeing(_ photo: String, as identity: Identity = .visitor) -> Status {
    get(Path.photo(photo), as: identity).status
  }
}
