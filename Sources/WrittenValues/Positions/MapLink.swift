/// The position in a link of a web map, or in a `geo:` address (RFC 5870).
enum MapLink {
  /// Parameters with a pair, latitude first, as the large maps name them. The first is the place that a link is about,
  /// the last the middle of the map.
  private static let pairs = [
    "q", "query", "destination", "daddr", "ll", "sll", "cp", "pt", "center", "marker", "viewpoint",
  ]
  /// Names of parameters with a number each.
  private static let apart = [
    ("mlat", "mlon"), ("lat", "lon"), ("lat", "lng"), ("latitude", "longitude"),
  ]

  /// Nil for a text that is no such link. The position has the latitude first.
  static func position(_ text: String) -> WrittenPosition? {
    guard text.utf8.count <= 4_000 else { return nil }
    let lower = text.prefix(8).lowercased()
    let found: (Double, Double)? =
      if lower.hasPrefix("geo:") {
        geo(text.dropFirst(4))
      } else if lower.hasPrefix("http://") || lower.hasPrefix("https://") {
        web(text[...])
      } else {
        nil
      }
    return found.map {
      WrittenPosition(first: $0.0, second: $0.1, order: .latitudeFirst, numbers: .degrees)
    }
  }

  /// Android's form `geo:0,0?q=46.2,6.1(Label)` has the place in the query.
  private static func geo(_ text: Substring) -> (Double, Double)? {
    let parts = text.split(separator: "?", maxSplits: 1)
    guard let path = parts.first?.split(separator: ";").first, let point = pair(path) else {
      return nil
    }
    if point == (0, 0), parts.count == 2 {
      return parameters(parts[1])["q"].flatMap { pair($0[...]) }
    }
    return point
  }

  private static func web(_ text: Substring) -> (Double, Double)? {
    // Google's link to a place, not the middle of the map: …!3d46.2!4d6.1
    if let place = text.range(of: "!3d", options: true) {
      let rest = text[place.upperBound...]
      if let end = rest.range(of: "!4d", options: false),
        let latitude = PlainNumber.read(rest[..<end.lowerBound]),
        let longitude = PlainNumber.read(
          rest[end.upperBound...].prefix { $0.isNumber || "-.".contains($0) })
      {
        return (latitude, longitude)
      }
    }
    let halves = text.split(separator: "#", maxSplits: 1)
    let address = halves[0].split(separator: "?", maxSplits: 1)
    let query = parameters(address.count == 2 ? address[1] : "")
    for name in pairs {
      if let found = query[name].flatMap({ pair($0[...]) }) { return found }
    }
    for (latitude, longitude) in apart {
      if let latitude = query[latitude].flatMap({ PlainNumber.read($0) }),
        let longitude = query[longitude].flatMap({ PlainNumber.read($0) })
      {
        return (latitude, longitude)
      }
    }
    // …/@46.2,6.1,17z
    if let at = address[0].firstIndex(of: "@"),
      let found = pair(address[0][address[0].index(after: at)...])
    {
      return found
    }
    // OpenStreetMap: #map=17/46.2/6.1
    guard halves.count == 2, let map = parameters(halves[1])["map"] else { return nil }
    let numbers = map.split(separator: "/").map { PlainNumber.read($0) }
    guard numbers.count >= 3, let latitude = numbers[1], let longitude = numbers[2] else {
      return nil
    }
    return (latitude, longitude)
  }

  /// The two numbers at the beginning of a text.
  private static func pair(_ text: Substring) -> (Double, Double)? {
    let text = text.hasPrefix("loc:") ? text.dropFirst(4) : text
    let parts = text.split(
      maxSplits: 2, omittingEmptySubsequences: false, whereSeparator: { ",~ +".contains($0) })
    guard parts.count >= 2, let latitude = PlainNumber.read(parts[0]) else { return nil }
    let rest = text.dropFirst(parts[0].count + 1).drop { $0 == " " || $0 == "+" }
    guard
      let longitude = PlainNumber.read(
        rest.prefix { $0.isASCII && $0.isNumber || "-.".contains($0) })
    else { return nil }
    return (latitude, longitude)
  }

  private static func parameters(_ text: Substring) -> [String: String] {
    var found: [String: String] = [:]
    for part in text.split(separator: "&") {
      let parts = part.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, let value = decoded(parts[1]) else { continue }
      if found[String(parts[0])] == nil { found[String(parts[0])] = value }
    }
    return found
  }

  /// The text without percent encoding (RFC 3986); nil if the result is not a text.
  private static func decoded(_ text: Substring) -> String? {
    guard text.contains("%") else { return String(text) }
    var bytes: [UInt8] = []
    var rest = text.utf8
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2, let code = UInt8(Substring(rest.prefix(2)), radix: 16) else {
        return nil
      }
      bytes.append(code)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}

extension Substring {
  /// The first or the last range of a short text.
  fileprivate func range(of text: String, options isLast: Bool) -> Range<Index>? {
    isLast ? ranges(of: text).last : firstRange(of: text)
  }
}
