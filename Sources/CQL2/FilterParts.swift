package import PrivacyMap

extension Filter {
  /// The same filter with every geometry transformed, for literals in another reference system.
  package func mapGeometries<Failure: Error>(
    _ move: (Geometry) throws(Failure) -> Geometry
  ) throws(Failure) -> Filter {
    func operand(_ operand: Operand) throws(Failure) -> Operand {
      guard case .geometry(let shape) = operand else { return operand }
      return .geometry(try move(shape))
    }
    func all(_ parts: [Filter]) throws(Failure) -> [Filter] {
      var moved: [Filter] = []
      for part in parts { moved.append(try part.mapGeometries(move)) }
      return moved
    }
    switch self {
    case .and(let parts): return .and(try all(parts))
    case .or(let parts): return .or(try all(parts))
    case .not(let inner): return .not(try inner.mapGeometries(move))
    case .spatial(let relation, let left, let right):
      return .spatial(relation, try operand(left), try operand(right))
    default: return self
    }
  }

  /// The same filter with every comparison replaced.
  package func mapComparisons(
    _ change: (Comparison, Operand, Operand) throws(InvalidFilter) -> Filter
  ) throws(InvalidFilter) -> Filter {
    func all(_ parts: [Filter]) throws(InvalidFilter) -> [Filter] {
      var changed: [Filter] = []
      for part in parts { changed.append(try part.mapComparisons(change)) }
      return changed
    }
    switch self {
    case .and(let parts): return .and(try all(parts))
    case .or(let parts): return .or(try all(parts))
    case .not(let inner): return .not(try inner.mapComparisons(change))
    case .comparison(let comparison, let left, let right):
      return try change(comparison, left, right)
    default: return self
    }
  }

  /// Whether the filter compares a property with a text, also in a list or with a pattern that the text
  /// matches.
  package func compares(_ property: String, with text: String) -> Bool {
    switch self {
    case .constant, .isNull, .spatial, .temporal: return false
    case .and(let parts), .or(let parts):
      return parts.contains { $0.compares(property, with: text) }
    case .not(let inner): return inner.compares(property, with: text)
    case .comparison(_, let left, let right), .array(_, let left, let right):
      return left.names(property) && right.says(text) || right.names(property) && left.says(text)
    case .between(let subject, let low, let high):
      return subject.names(property) && (low.says(text) || high.says(text))
    case .oneOf(let subject, let values):
      return subject.names(property) && values.contains { $0.says(text) }
    case .like(let subject, let pattern):
      guard subject.names(property) else { return false }
      switch pattern {
      case .text(let pattern): return LikePattern(pattern).matches(text)
      case .caseFolded(.text(let pattern)):
        return LikePattern(pattern.lowercased()).matches(text.lowercased())
      default: return false
      }
    }
  }

  /// Whether the filter contains a property.
  package func names(_ property: String) -> Bool {
    switch self {
    case .constant: false
    case .and(let parts), .or(let parts): parts.contains { $0.names(property) }
    case .not(let inner): inner.names(property)
    case .comparison(_, let left, let right), .like(let left, let right),
      .spatial(_, let left, let right), .temporal(_, let left, let right),
      .array(_, let left, let right):
      left.names(property) || right.names(property)
    case .between(let subject, let low, let high):
      [subject, low, high].contains { $0.names(property) }
    case .oneOf(let subject, let values): ([subject] + values).contains { $0.names(property) }
    case .isNull(let subject): subject.names(property)
    }
  }
}

/// A pattern of LIKE: `%` is any text, `_` one character, and `\` escapes the next character.
private struct LikePattern {
  private enum Piece: Equatable {
    case any, one
    case letter(Character)
  }

  private var pieces: [Piece] = []

  init(_ text: String) {
    var isEscaped = false
    for letter in text {
      if !isEscaped, letter == "\\" {
        isEscaped = true
        continue
      }
      pieces.append(
        !isEscaped && letter == "%" ? .any : !isEscaped && letter == "_" ? .one : .letter(letter))
      isEscaped = false
    }
  }

  func matches(_ text: String) -> Bool {
    // The ends of the text that the pieces so far can match.
    let letters = Array(text)
    var ends: Set<Int> = [0]
    for piece in pieces {
      switch piece {
      case .any: if let first = ends.min() { ends = Set(first...letters.count) }
      case .one: ends = Set(ends.map { $0 + 1 }.filter { $0 <= letters.count })
      case .letter(let letter):
        ends = Set(ends.filter { $0 < letters.count && letters[$0] == letter }.map { $0 + 1 })
      }
    }
    return ends.contains(letters.count)
  }
}

extension Operand {
  /// Whether it is this text, or compares like it without regard to case.
  fileprivate func says(_ text: String) -> Bool {
    switch self {
    case .text(let own): own == text
    case .caseFolded(.text(let own)): own.lowercased() == text.lowercased()
    case .list(let values): values.contains { $0.says(text) }
    default: false
    }
  }

  fileprivate func names(_ property: String) -> Bool {
    switch self {
    case .property(let name): name == property
    case .interval(let start, let end):
      start?.names(property) == true || end?.names(property) == true
    case .list(let values): values.contains { $0.names(property) }
    case .caseFolded(let inner): inner.names(property)
    case .arithmetic(_, let left, let right): left.names(property) || right.names(property)
    default: false
    }
  }
}
