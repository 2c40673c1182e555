/// The reason why a filter is invalid, or not applicable to this data.
package struct InvalidFilter: Error, Equatable, Sendable {
  package enum Reason: Equatable, Sendable {
    /// Another token was expected here, described in the terms of the grammar.
    case expected(String, found: String)
    /// The filter ends prematurely.
    case ended(expected: String)
    /// A text or a quoted name is not closed.
    case unclosed
    /// Filters cannot use this property.
    case unknownProperty(String)
    /// An operator or a function that is not supported.
    case notOffered(String)
    /// An invalid date, timestamp, number or geometry.
    case literal(String)
    /// A day instead of a time, in `cql-text`.
    case dayOfTime(String)
    /// Types that cannot be compared: the left and the right side.
    case types(String, String)
    /// Exceeds a limit of length, depth or number of parts.
    case tooMuch(Limit)
    /// Not JSON, or JSON that is not a filter.
    case json(String)
  }

  package enum Limit: String, Sendable {
    case length, depth, parts, positions
  }

  package let reason: Reason
  /// Byte offset from the start of the text. Nil for a JSON filter.
  package let offset: Int?

  package init(_ reason: Reason, at offset: Int? = nil) {
    self.reason = reason
    self.offset = offset
  }
}

/// Limits for reading a filter, so that no filter can keep the server busy.
package struct FilterLimits: Sendable {
  /// Length of the text or JSON, in bytes of UTF-8. A request target has room for it even if each byte is
  /// percent-encoded.
  package var length = 8_192
  /// Nesting depth.
  package var depth = 24
  /// Total number of operators, properties and literals.
  package var parts = 500
  /// Total number of positions in all geometries.
  package var positions = 5_000

  package init() {}

  /// The limits for a filter in the body of a search: long enough for a polygon with as many positions as
  /// allowed.
  package static var ofSearch: FilterLimits {
    var limits = FilterLimits()
    limits.length = 131_072
    return limits
  }
}
