/// Evaluates Accept-Encoding (RFC 9110 §12.5.3).
package struct ContentCoding {
  /// Whether the client accepts gzip and does not prefer the uncompressed form.
  package static func acceptsGzip(_ asked: Headers) -> Bool {
    guard let field = asked["Accept-Encoding"] else { return false }
    var gzip: Double?
    var identity: Double?
    var any: Double?
    for weighted in WeightedValue.list(field) {
      switch weighted.value.lowercased() {
      case "gzip", "x-gzip": gzip = weighted.quality
      case "identity": identity = weighted.quality
      case "*": any = weighted.quality
      default: break
      }
    }
    let quality = gzip ?? any ?? 0
    return quality > 0 && quality >= identity ?? 0
  }

  /// Whether a media type benefits from compression. Images and archives are already compressed.
  static func isWorthwhile(_ mediaType: String) -> Bool {
    if compressible.contains(mediaType) { return true }
    let type = mediaType.prefix { $0 != ";" }.trimmed.lowercased()
    return type.hasPrefix("text/") || type.hasSuffix("+json") || type.hasSuffix("+xml")
      || type.hasSuffix("+json-seq") || compressible.contains(type)
  }

  private static let compressible: Set<String> = [
    "application/json", "application/geo+json", "application/javascript", "application/xml",
    "application/json-seq",
    "application/x-ndjson", "application/vnd.mapbox-vector-tile", "application/x-protobuf",
    "application/yaml", "application/wasm", "image/svg+xml", "image/bmp", "font/ttf", "font/otf",
  ]

  /// Minimum length in bytes. Shorter bodies fit into one packet uncompressed.
  static let minWorthwhileSize = 1_000

  /// For bodies created per request: level 4 is three times as fast as 6, and its output is some 5
  /// % larger.
  static let level = 4
}

/// One element of a list with weights: `text/html;level=1;q=0.7` (RFC 9110 §12.4.2).
struct WeightedValue {
  /// Without parameters and blanks.
  var value: String
  /// 0 to 1. The default is 1. An invalid weight counts as 0.
  var quality: Double

  /// The elements of a list, which commas separate.
  static func list(_ field: String) -> [WeightedValue] {
    field.utf8.split(separator: UInt8(ascii: ",")).map { WeightedValue(Substring($0)) }
  }

  private init(_ text: Substring) {
    let parts = text.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
    value = parts.first.map { Substring($0).trimmed } ?? ""
    quality = 1
    for part in parts.dropFirst() {
      let parameter = Substring(part).trimmed
      if parameter.hasPrefix("q=") || parameter.hasPrefix("Q=") {
        quality = Self.weight(parameter.dropFirst(2).utf8)
      }
    }
  }

  /// Reads `0`, `0.5` or `1.000`, with at most three decimals. Anything invalid counts as 0.
  private static func weight(_ digits: Substring.UTF8View) -> Double {
    var value = 0.0
    var scale = 1.0
    for (index, byte) in digits.enumerated() {
      if index == 1 {
        guard byte == UInt8(ascii: ".") else { return 0 }
        continue
      }
      guard byte >= 48, byte <= 57, index < 5 else { return 0 }
      value += Double(byte - 48) * scale
      scale /= 10
    }
    return value <= 1 ? value : 0
  }
}
