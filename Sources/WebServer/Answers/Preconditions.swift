/// The conditions of a request to read (RFC 9110 §13), for all representations.
///
/// They are evaluated in the order of §13.2.2: `If-Match` or otherwise `If-Unmodified-Since`, then `If-None-Match` or
/// otherwise `If-Modified-Since`, then `If-Range`. Conditions with dates are ignored if the representation has no date.
package struct Preconditions {
  /// The result of the conditions before `If-Range`.
  enum Outcome {
    case perform
    /// 304.
    case notModified
    /// 412, with the field that is not fulfilled.
    case failed(field: String)
  }

  private let headers: Headers

  package init(_ headers: Headers) { self.headers = headers }

  /// The result for a representation. With `isExact`, also its encoding must be the one that the client names: parts of
  /// different encodings cannot be combined.
  func outcome(_ tag: EntityTag?, _ changed: HTTPDate?, isExact: Bool) -> Outcome {
    if let known = list("If-Match") {
      guard Self.contains(known, tag, isExact: isExact) else { return .failed(field: "If-Match") }
    } else if let changed, let since = date("If-Unmodified-Since"), changed > since {
      return .failed(field: "If-Unmodified-Since")
    }
    if let known = list("If-None-Match") {
      if known == .any { return .notModified }
      guard let tag, known.weaklyContains(tag) else { return .perform }
      return .notModified
    }
    if let changed, let since = date("If-Modified-Since"), changed <= since { return .notModified }
    return .perform
  }

  /// Whether the response is 304 for a representation that exists and has no date, which is therefore not needed.
  package func isKnown(_ tag: EntityTag) -> Bool {
    if case .notModified = outcome(tag, nil, isExact: false) { true } else { false }
  }

  /// Whether a range may be sent: `If-Range` is absent or names exactly this representation.
  func permitRange(_ tag: EntityTag?, _ changed: HTTPDate?) -> Bool {
    guard headers.contains("If-Range") else { return true }
    let conditions = headers.values("If-Range")
    guard conditions.count == 1, let condition = conditions.first else { return false }
    if let date = HTTPDate(condition) { return changed == date }
    guard case .tags(let tags) = EntityTag.List(condition), tags.count == 1, let known = tags.first
    else { return false }
    return !known.isWeak && known == tag
  }

  private static func contains(
    _ known: EntityTag.List, _ tag: EntityTag?, isExact: Bool
  ) -> Bool {
    guard case .tags(let tags) = known else { return true }
    guard let tag else { return false }
    return isExact ? !tag.isWeak && tags.contains(tag) : known.stronglyContains(tag)
  }

  private func list(_ name: String) -> EntityTag.List? {
    guard headers.contains(name) else { return nil }
    return EntityTag.List(headers.values(name).joined(separator: ","))
  }

  /// Nil if the field is absent, repeated or no date: it is ignored then.
  private func date(_ name: String) -> HTTPDate? {
    guard headers.contains(name) else { return nil }
    let values = headers.values(name)
    return values.count == 1 ? values.first.flatMap(HTTPDate.init) : nil
  }
}
