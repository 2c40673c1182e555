/// A validator of one version of a resource (RFC 9110 §8.8.3).
///
/// The compressed form of a body is a different representation and has a different tag. The server
/// appends `-gz` to the opaque part, and removes it before comparing tags from a client.
package struct EntityTag: Hashable, Sendable {
  /// The text between the quotes.
  package var opaque: String
  /// A weak tag promises equivalent content, not identical bytes.
  package var isWeak: Bool

  /// Removes quotes and all characters other than visible ASCII from `opaque`.
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

  /// A strong tag computed from the bytes. It detects changes but is not cryptographic.
  package init(hashing bytes: [UInt8]) {
    self.init(ContentHash(bytes).text)
  }

  /// The header value: `"abc"` or `W/"abc"`.
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

  /// Weak comparison for If-None-Match: the same version, regardless of its encoding.
  package func weaklyMatches(_ other: EntityTag) -> Bool { plainOpaque == other.plainOpaque }

  /// Strong comparison for If-Match: neither tag is weak. The encoding that a client received is irrelevant for a
  /// version that it wants to change, or to read whole.
  package func stronglyMatches(_ other: EntityTag) -> Bool {
    !isWeak && !other.isWeak && plainOpaque == other.plainOpaque
  }

  /// The value of If-Match and If-None-Match.
  package enum List: Sendable, Equatable {
    case any
    case tags([EntityTag])

    /// Reads `*` or a comma-separated list. Invalid tags are skipped, because no tag matches them.
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

    /// Whether the list contains `tag`, the current version, by weak comparison.
    package func weaklyContains(_ tag: EntityTag) -> Bool {
      switch self {
      case .any: true
      case .tags(let tags): tags.contains { $0.weaklyMatches(tag) }
      }
    }

    /// Whether the list contains `tag`, the current version, by strong comparison.
    package func stronglyContains(_ tag: EntityTag) -> Bool {
      switch self {
      case .any: true
      case .tags(let tags): tags.contains { $0.stronglyMatches(tag) }
      }
    }
  }
}
