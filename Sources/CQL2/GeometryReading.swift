package import JSON
package import PrivacyMap

// Standalone geometries in the two notations of filters.

extension Geometry {
  /// Reads a GeoJSON geometry (RFC 7946 §3.1) and ignores heights.
  ///
  /// - Throws: ``InvalidFilter`` if it is not a geometry.
  package init(geoJSON value: JSONValue) throws(InvalidFilter) {
    var parser = JSONFilterParser(.ofData)
    guard case .geometry(let geometry) = try parser.operand(value) else {
      throw .json("a geometry has no type")
    }
    self = geometry
  }

  /// Reads well-known text (OGC 06-103r4) and ignores heights.
  ///
  /// - Throws: ``InvalidFilter`` with the position of the error.
  package init(wellKnownText text: String) throws(InvalidFilter) {
    let limits = FilterLimits.ofData
    guard text.utf8.count <= limits.length else { throw InvalidFilter(.tooMuch(.length)) }
    var parser = TextParser(try Lexer.tokens(of: text), limits)
    self = try parser.onlyGeometry()
  }
}

extension FilterLimits {
  /// The limits for a feature in a file.
  fileprivate static var ofData: FilterLimits {
    var limits = FilterLimits()
    limits.length = 32 << 20
    limits.positions = 1_000_000
    limits.parts = 100_000
    return limits
  }
}
