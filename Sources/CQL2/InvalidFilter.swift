/// Why a filter cannot be read, or cannot be asked of these data.
package struct InvalidFilter: Error, Equatable, Sendable {
  package enum Reason: Equatable, Sendable {
    /// Something else was expected here: what, in the words of the grammar.
    case expected(String, found: String)
    /// The filter ends too soon.
    case ended(expected: String)
    /// A text or a name in quotes has no end.
    case unclosed
    /// Nobody can filter by it.
    case unknownProperty(String)
    /// An operator or a function that is not offered.
    case notOffered(String)
    /// A date, timestamp, number or geometry that there is none of.
    case literal(String)
    /// Things that cannot be compared: what stands on either side.
    case types(String, String)
    /// Longer, deeper or with more parts than are read.
    case tooMuch(Limit)
    /// Not JSON, or JSON that is no filter.
    case json(String)
  }

  package enum Limit: String, Sendable {
    case length, depth, parts, positions
  }

  package let reason: Reason
  /// Bytes from the beginning of the text; nil where the filter is JSON.
  package let offset: Int?

  package init(_ reason: Reason, at offset: Int? = nil) {
    self.reason = reason
    self.offset = offset
  }
}

/// How much of a filter is read, so that none can keep the server busy.
package struct FilterLimits: Sendable {
  /// Bytes of the text or the JSON.
  package var length = 16_384
  /// Levels of what stands within something else.
  package var depth = 24
  /// Operators, properties and literals.
  package var parts = 500
  /// Positions of all geometries.
  package var positions = 5_000

  package init() {}
}
