package import CQL2
import Foundation
import PrivacyMap
package import Service
package import WebServer

/// `filter`, `filter-lang` and `filter-crs` (OGC API – Features Part 3, 19-079r2).
package enum FilterParameters {
  /// The languages of filters.
  enum Language: String, CaseIterable {
    case text = "cql2-text"
    case json = "cql2-json"
    /// The language of the drafts of Part 3. GDAL's driver OAPIF knows no other; without it, it would send each
    /// comparison of a time as `datetime`.
    case draft = "cql-text"
  }

  package static let declared: [Parameter] =
    [
      .query(
        "filter", .text(maxLength: FilterLimits().length),
        "A condition in CQL2 (OGC 21-065r2) on the properties of `…/queryables`, in addition to "
          + "all other parameters, of at most \(FilterLimits().length) bytes of UTF-8. "
          + "`…/search` takes longer ones."),
      .query(
        "filter-lang", .oneOf(Language.allCases.map(\.rawValue), byDefault: Language.text.rawValue),
        "The language of `filter`. `cql-text` is for GDAL."),
      CoordinateSystem.parameter(
        "filter-crs", "The coordinate reference system of positions in `filter`."),
    ]

  /// Reads a filter and checks it against the available fields, so that an invalid filter is refused
  /// before any database query.
  ///
  /// - Throws: ``InvalidInput`` with the name of the invalid parameter.
  package static func filter(
    _ query: Query, fields: [String: FilterField], limits: FilterLimits = FilterLimits()
  ) throws -> Filter? {
    let system = try CoordinateSystem(parameter: "filter-crs", query["filter-crs"])
    var language = Language.text
    if let name = query["filter-lang"] {
      guard let known = Language(rawValue: name) else {
        throw InvalidInput.unknownCode("filter-lang", name)
      }
      language = known
    }
    guard let text = query["filter"] else { return nil }
    do throws(InvalidFilter) {
      let read =
        switch language {
        case .text: try Filter(cql2Text: text, limits: limits)
        case .json: try Filter(cql2JSON: text, limits: limits)
        case .draft: try Filter(cqlText: text, limits: limits).fromDraft(fields)
        }
      let filter = try read.mapGeometries { shape throws(InvalidFilter) in
        try system.onEarth(shape)
      }
      _ = try FilterSQL.condition(filter, fields: fields)
      return filter
    } catch { throw InvalidInput("filter", error.message) }
  }
}

extension CoordinateSystem {
  /// Converts a geometry in this system to degrees.
  ///
  /// - Throws: ``InvalidFilter`` if a position is not on the Earth.
  fileprivate func onEarth(_ shape: Geometry) throws(InvalidFilter) -> Geometry {
    let moved = shape.map { position in
      switch self {
      case .crs84: position
      case .epsg4326: Geometry.Position(position.y, position.x)
      case .epsg3857:
        Geometry.Position(
          position.x / Earth.mercatorRadius * 180 / .pi,
          atan(sinh(position.y / Earth.mercatorRadius)) * 180 / .pi)
      }
    }
    for position in moved.positions where !(abs(position.x) <= 180 && abs(position.y) <= 90) {
      throw InvalidFilter(.literal("\(position.x) \(position.y)"))
    }
    return moved
  }
}

extension InvalidFilter {
  /// A sentence with the error and its position.
  package var message: Message {
    let at = offset.map { "\($0 + 1)" } ?? ""
    switch reason {
    case .expected(let expected, let found):
      return Message(
        "error.filter.expected", ["expected": expected, "found": found, "at": at])
    case .ended(let expected): return Message("error.filter.ended", ["expected": expected])
    case .unclosed: return Message("error.filter.unclosed", ["at": at])
    case .unknownProperty(let name):
      return Message("error.filter.unknown_property", ["name": name])
    case .notOffered(let name): return Message("error.filter.not_offered", ["name": name])
    case .literal(let text): return Message("error.filter.literal", ["value": text])
    case .dayOfTime(let text): return Message("error.filter.day_of_time", ["value": text])
    case .types(let left, let right):
      return Message("error.filter.types", ["left": left, "right": right])
    case .tooMuch(.length): return Message("error.filter.too_long")
    case .tooMuch(.depth): return Message("error.filter.too_deep")
    case .tooMuch(.parts): return Message("error.filter.too_many_parts")
    case .tooMuch(.positions): return Message("error.filter.too_many_positions")
    case .json(let fault): return Message("error.filter.json", ["fault": fault])
    }
  }
}
