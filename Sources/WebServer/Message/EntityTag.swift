/// A validator of one version of a resource (RFC 9110 §8.8.3).
///
/// The compressed form of a body is another representation and so has another tag: the server adds
/// `-gz` to the opaque part, and takes it off again before comparing what a client sends back.
package struct EntityTag: Hashable, Sendable {
  /// What stands between the quotes.
  package var opaque: String
  /// A weak tag promises equal meaning, not equal bytes.
  package var isWeak: Bool

  /// Characters other than visible ASCII, and the quote, are left out of `opaque`.
  package init(_ opaque: String, weak: Bool = false) {
    isWeak = weak
    guard !opaque.utf8.allSatisfy({ $0 > 32 && $0 < 127 && $0 != UInt8(ascii: "\"") }) else {
      self.opaque = opaque
      return
    }
    self.opaque = String(
      String.UnicodeScalarView(
        opaque.unicodeScalars.filter { $0.value > 32 && $0.value < 127 && $0 != "\"" }))
  }

  /// A strong tag made of the bytes themselves. It notices changes; it is no defence.
  package init(hashing bytes: [UInt8]) {
    self.init(ContentHash(bytes).text)
  }

  /// As in a header: `"abc"` or `W/"abc"`.
  package var headerValue: String { (isWeak ? "W/\"" : "\"") + opaque + "\"" }

  /// The tag of the gzip form.
  var compressed: EntityTag {
    var copy = self
    copy.opaque += Self.compressedMark
    return copy
  }

  private static let compressedMark = "-gz"

  private var plainOpaque: Substring {
    opaque.hasSuffix(Self.compressedMark)
      ? opaque.dropLast(Self.compressedMark.count) : opaque[...]
  }

  /// Weak comparison: the same version, whatever its encoding (If-None-Match).
  package func weaklyMatches(_ other: EntityTag) -> Bool { plainOpaque == other.plainOpaque }

  /// Strong comparison: neither is weak (If-Match, If-Range). The encoding a client once read does
  /// not matter for a version it wants to change.
  package func stronglyMatches(_ other: EntityTag) -> Bool {
    !isWeak && !other.isWeak && plainOpaque == other.plainOpaque
  }

  /// What If-Match and If-None-Match carry.
  package enum List: Sendable, Equatable {
    case any
    case tags([EntityTag])

    /// Reads `*` or a comma-separated list; what is not a tag is skipped, as no tag matches it.
    package init(_ text: String) {
      guard text.trimmed != "*" else {
        self = .any
        return
      }
      var tags: [EntityTag] = []
      var rest = text.utf8[...]
      while let quote = rest.firstIndex(of: UInt8(ascii: "\"")) {
        let weak = rest[..<quote].suffix(2).elementsEqual("W/".utf8)
        let body = rest[rest.index(after: quote)...]
        guard let end = body.firstIndex(of: UInt8(ascii: "\"")) else { break }
        tags.append(EntityTag(String(decoding: body[..<end], as: UTF8.self), weak: weak))
        rest = body[body.index(after: end)...]
      }
      self = .tags(tags)
    }

    /// Whether `tag`, the current version, is among them by weak comparison.
    package func weaklyContains(_ tag: EntityTag) -> Bool {
      switch self {
      case .any: true
      case .tags(let tags): tags.contains { $0.weaklyMatches(tag) }
      }
    }

    /// Whether `tag`, the current version, is among them by strong comparison.
    package func stronglyContains(_ tag: EntityTag) -> Bool {
      switch self {
      case .any: true
      case .tags(let tags): tags.contains { $0.stronglyMatches(tag) }
      }
    }
  }
}
