#if canImport(Glibc)
  private import Glibc
#elseif canImport(Darwin)
  private import Darwin
#endif

/// How closely the public may know where a device stands; its author chooses.
package enum Precision: String, CaseIterable, Sendable {
  case exact
  case hundredMetres = "100m"
  case kilometre = "1km"
  case area

  /// The side of the grid cell whose centre the public sees, in metres; nil where it sees the
  /// point itself.
  package var cellSize: Double? {
    switch self {
    case .exact: nil
    case .hundredMetres: 100
    case .kilometre: 1_000
    case .area: 10_000
    }
  }

  /// The one point that the public sees of a device that truly stands at `place`.
  ///
  /// The grid is fixed and global: rows of `cellSize` metres from the south pole, each row cut into
  /// as many equal cells as fit at its middle latitude. The point depends on nothing but the cell,
  /// so asking again, editing or comparing neighbours tells no more than the first answer. An exact
  /// place is rounded to seven decimals, about one centimetre, which is all that is published.
  package func publicPoint(for place: Coordinate) -> Coordinate {
    guard let cellSize else {
      return Self.rounded(longitude: place.longitude, latitude: place.latitude) ?? place
    }
    let metresPerDegree = Earth.meanRadius * .pi / 180
    let rowCount = (180 * metresPerDegree / cellSize).rounded(.up)
    let rowHeight = 180 / rowCount
    let row = min(((place.latitude + 90) / rowHeight).rounded(.down), rowCount - 1)
    let latitude = -90 + (row + 0.5) * rowHeight
    let circle = 360 * metresPerDegree * cos(latitude * .pi / 180)
    let columnCount = max(1, (circle / cellSize).rounded(.down))
    let columnWidth = 360 / columnCount
    let column = min(((place.longitude + 180) / columnWidth).rounded(.down), columnCount - 1)
    let longitude = -180 + (column + 0.5) * columnWidth
    return Self.rounded(longitude: longitude, latitude: latitude) ?? place
  }

  private static func rounded(longitude: Double, latitude: Double) -> Coordinate? {
    try? Coordinate(
      longitude: (longitude * 1e7).rounded() / 1e7, latitude: (latitude * 1e7).rounded() / 1e7)
  }
}
