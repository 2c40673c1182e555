/// Determines the media type of a file from its extension.
package enum MediaType {
  /// - Parameter name: a file name or path.
  /// - Returns: the whole Content-Type value. `application/octet-stream` for an unknown extension.
  package static func of(_ name: String) -> String {
    guard let dot = name.lastIndex(of: ".") else { return unknown }
    return types[name[name.index(after: dot)...].lowercased()] ?? unknown
  }

  private static let unknown = "application/octet-stream"

  private static let types: [String: String] = [
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "mjs": "text/javascript; charset=utf-8",
    "json": "application/json",
    "geojson": "application/geo+json",
    "map": "application/json",
    "webmanifest": "application/manifest+json",
    "svg": "image/svg+xml",
    "png": "image/png",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "webp": "image/webp",
    "webm": "video/webm",
    "vtt": "text/vtt; charset=utf-8",
    "ico": "image/x-icon",
    "woff2": "font/woff2",
    "woff": "font/woff",
    "ttf": "font/ttf",
    "txt": "text/plain; charset=utf-8",
    "md": "text/markdown; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
    "xml": "application/xml",
    "wasm": "application/wasm",
    "pdf": "application/pdf",
    "pbf": "application/x-protobuf",
    "mvt": "application/vnd.mapbox-vector-tile",
  ]
}
