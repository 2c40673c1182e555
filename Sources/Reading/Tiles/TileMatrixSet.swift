import Filters
import PrivacyMap
import Service

/// The tiling scheme WebMercatorQuad as JSON, in two versions of the standard at once.
///
/// The names of version 2 (17-083r4) are `id`, `crs` and `tileMatrices`. GDAL up to 3.6 reads only the names of version
/// 1 (17-083r2): `identifier`, `supportedCRS`, `boundingBox` with corners, and `topLeftCorner`. Without them it takes
/// the document for the name of a tiling scheme and reports “Invalid tiling matrix set name”.
enum TileMatrixSet {
  static let shape = JSONShape<ClosedRange<Int>>(
    "tileMatrixSet", .text("id") { _ in name }, .text("title") { _ in title },
    .text("uri") { _ in TilesetDescription.matrixSetURI },
    .text("crs") { _ in CoordinateSystem.epsg3857.rawValue },
    .text("type") { _ in "TileMatrixSetType" }, .text("identifier") { _ in name },
    .text("supportedCRS") { _ in CoordinateSystem.epsg3857.rawValue }, box,
    .list("tileMatrices", of: matrix) { Array($0) })

  private static let name = "WebMercatorQuad"
  private static let title = "Google Maps Compatible for the World"

  /// The square of the projection: the members of version 2, then of version 1.
  private static let box = JSONShape<ClosedRange<Int>>.Member.group(
    "boundingBox", corner("lowerLeft", -halfWorld), corner("upperRight", halfWorld),
    .text("crs") { _ in CoordinateSystem.epsg3857.rawValue },
    .text("type") { _ in "BoundingBoxType" }, corner("lowerCorner", -halfWorld),
    corner("upperCorner", halfWorld))

  private static func corner(
    _ name: String, _ edge: Double
  ) -> JSONShape<ClosedRange<Int>>.Member {
    .init(name, .list(of: .number)) { _ in [edge, edge] }
  }

  /// One level of 17-083r4, annex D.1: 256-pixel tiles, 0.28 mm pixels.
  private static let matrix = JSONShape<Int>(
    nil, .text("id") { "\($0)" }, .number("scaleDenominator") { cellSize($0) / 0.000_28 },
    .number("cellSize", cellSize), origin("pointOfOrigin"),
    .count("tileWidth") { _ in 256 }, .count("tileHeight") { _ in 256 },
    .count("matrixWidth") { 1 << $0 }, .count("matrixHeight") { 1 << $0 },
    .text("type") { _ in "TileMatrixType" }, .text("identifier") { "\($0)" },
    origin("topLeftCorner"))

  private static func origin(_ name: String) -> JSONShape<Int>.Member {
    .init(name, .list(of: .number)) { _ in [-halfWorld, halfWorld] }
  }

  private static let halfWorld = Double.pi * Earth.mercatorRadius

  @Sendable private static func cellSize(_ zoom: Int) -> Double {
    2 * halfWorld / 256 / Double(1 << zoom)
  }
}
