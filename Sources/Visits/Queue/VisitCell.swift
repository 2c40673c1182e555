import Foundation
package import PrivacyMap

/// A cell of a fixed grid over the world. A volunteer's area is a cell, and each cell has its queue of volunteers.
///
/// A row is 0.02° of latitude high (2.2 km) and is cut into equal columns that are at least as wide. Only polar rows
/// are one cell. A volunteer states a cell, never a position.
package struct VisitCell: Hashable, Sendable {
  package let row: Int
  package let column: Int

  /// Degrees of latitude.
  static let height = 0.02
  static let rows = 9_000

  /// The cell that contains a place.
  package init(_ place: Coordinate) {
    row = min(Self.rows - 1, max(0, Int((place.latitude + 90) / Self.height)))
    let columns = Self.columns(ofRow: row)
    column = min(columns - 1, max(0, Int((place.longitude + 180) / 360 * Double(columns))))
  }

  /// Reads `row-column`; nil if there is no such cell.
  package init?(text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, text.utf8.count <= 10,
      parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (48...57).contains($0) } }),
      let row = Int(parts[0]), let column = Int(parts[1]), "\(row)-\(column)" == text,
      (0..<Self.rows).contains(row), column < Self.columns(ofRow: row)
    else { return nil }
    (self.row, self.column) = (row, column)
  }

  package var text: String { "\(row)-\(column)" }

  private static func columns(ofRow row: Int) -> Int {
    let south = abs(Double(row) * height - 90)
    let north = abs(Double(row + 1) * height - 90)
    return max(1, Int(cos(max(south, north) * .pi / 180) * 360 / height))
  }

  private var width: Double { 360 / Double(Self.columns(ofRow: row)) }

  /// The middle of the cell. All distances are measured from it.
  package var middle: Coordinate {
    .clamped(
      longitude: (Double(column) + 0.5) * width - 180,
      latitude: (Double(row) + 0.5) * Self.height - 90)
  }

  /// West, south, east and north in degrees.
  package var edges: [Double] {
    let west = Double(column) * width - 180
    let south = Double(row) * Self.height - 90
    return [west, south, west + width, south + Self.height]
  }

  /// The rows of cells whose middle may be within a distance of this cell's.
  package func rows(within kilometres: Int) -> ClosedRange<Int> {
    let reach = kilometres / 2 + 2
    return max(0, row - reach)...min(Self.rows - 1, row + reach)
  }
}
