internal import Foundation
import PrivacyMap
import Secrets

/// Numbers under which changes are filed, so that the changes that may concern a watch are found without reading all.
///
/// A change is filed under the cells around the public point, the country, the device and its operators. A watch reads
/// the changes of the keys of its area and compares each with the area itself, so a key may cover too much: two
/// operators whose names have the same hash share a key.
enum ChangeKey {
  /// The figures about requests to any operator.
  static let outcomes: Int64 = 0

  private enum Kind: Int64 {
    case cell = 1
    case country, device, `operator`

    /// The key of a number below 2^60.
    func key(_ number: Int64) -> Int64 { rawValue << 60 | number }
  }

  /// The grids of the cells. The cells of grid n are 180 / 2^n degrees wide: from half the world to 5 km.
  private static let grids = [0, 3, 6, 9, 12]
  /// The maximum number of cells of a box, so that few keys are read for it.
  private static let maxCells = 16

  /// The keys of the changes that may match a watch with this area and these events.
  static func keys(of area: WatchArea, _ events: some Sequence<WatchEvent>) -> [Int64] {
    keys(of: area) + (events.contains(.outcome) ? [outcomes] : [])
  }

  /// The keys of the changes of devices that may concern an area.
  static func keys(of area: WatchArea) -> [Int64] {
    switch area {
    case .country(let code): [country(IndexedPoint.packedCountry(code))]
    case .device(let id): [device(id)]
    case .operator(let name): [named(name)]
    case .queue: []
    case .box, .circle, .polygon, .place:
      Set((area.bounds ?? []).flatMap(cells)).sorted()
    }
  }

  /// The keys under which a change of a device is filed; `names` are the names of its operators.
  static func keys(of point: IndexedPoint, operators names: Set<String>) -> [Int64] {
    cells(around: point.coordinate) + [country(point.country), device(point.id)] + names.map(named)
  }

  /// The cells that contain a point, one of each grid.
  static func cells(around point: Coordinate) -> [Int64] {
    grids.map { cell($0, place(point.longitude, $0), place(point.latitude, $0)) }
  }

  private static func country(_ packed: UInt16) -> Int64 { Kind.country.key(Int64(packed)) }

  private static func device(_ id: DeviceID) -> Int64 { Kind.device.key(hash(id.text)) }

  private static func named(_ name: String) -> Int64 { Kind.operator.key(hash(name)) }

  /// 60 bits of SHA-256.
  private static func hash(_ text: String) -> Int64 {
    Digest.sha256(Array(text.utf8)).prefix(8).reduce(0) { $0 << 8 | Int64($1) } & (1 << 60 - 1)
  }

  private static func cells(of box: BoundingBox) -> [Int64] {
    for grid in grids.reversed() {
      let (columns, rows) = (
        place(box.west, grid)...place(box.east, grid),
        place(box.south, grid)...place(box.north, grid)
      )
      guard columns.count * rows.count <= maxCells else { continue }
      return columns.flatMap { column in rows.map { cell(grid, column, $0) } }
    }
    return []
  }

  private static func place(_ degrees: Double, _ grid: Int) -> Int {
    Int((degrees * Double(1 << grid) / 180).rounded(.down))
  }

  private static func cell(_ grid: Int, _ column: Int, _ row: Int) -> Int64 {
    // Columns and rows are between -4,096 and 4,096.
    let (column, row) = (Int64(column) + 8_192, Int64(row) + 8_192)
    return Kind.cell.key(Int64(grid) << 40 | column << 20 | row)
  }
}

extension IndexedPoint {
  /// The public point.
  var coordinate: Coordinate {
    .clamped(longitude: position.longitudeDegrees, latitude: position.latitudeDegrees)
  }
}
