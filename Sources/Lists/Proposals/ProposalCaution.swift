import Contributions
import Devices
import Import
import PrivacyMap
import SpatialDatabase

/// Marks the rows of a proposal that a moderator should check: likely duplicates of existing devices, and rows far from
/// the others.
struct ProposalCaution {
  /// A likely duplicate.
  struct Duplicate: Sendable {
    let id, name: String
    /// Metres between the public points.
    let distance: Double
  }

  /// The marks of one row, in addition to the flags of its mapping.
  struct Finding: Sendable {
    /// Whether it is far from the other rows.
    var isFar = false
    /// The nearest likely duplicates on the map.
    var duplicates: [Duplicate] = []

    var isEmpty: Bool { !isFar && duplicates.isEmpty }
  }

  let map: LiveMap

  /// Maximum number of duplicates listed for a row.
  private static let shown = 3
  /// A row is far from the others beyond this many metres from their middle…
  private static let farthest = 100_000.0
  /// … and this many times the median distance from it.
  private static let times = 10.0

  /// The findings about devices, in their order. A device is compared with the map by its public point.
  func findings(
    about devices: [ImportedDevice], _ connection: borrowing Connection
  ) throws -> [Finding] {
    let duplicates = LikelyDuplicates(index: map.index, vocabulary: map.vocabulary)
    let far = Self.far(devices.map(\.coordinate))
    var findings: [Finding] = []
    for (device, isFar) in zip(devices, far) {
      let placement = ImportRecord.placement(of: device, map.vocabulary)
      let near = try duplicates.candidates(for: device.fields, at: placement, connection)
      let shown = near.prefix(Self.shown).map {
        Duplicate(id: $0.id, name: $0.name, distance: $0.distance)
      }
      findings.append(Finding(isFar: isFar, duplicates: shown))
    }
    return findings
  }

  /// Whether each of these points is far from the middle of all.
  static func far(_ points: [Coordinate]) -> [Bool] {
    guard points.count > 2 else { return points.map { _ in false } }
    let middle = Coordinate.clamped(
      longitude: median(points.map(\.longitude)), latitude: median(points.map(\.latitude)))
    let distances = points.map { middle.distance(to: $0) }
    let limit = max(farthest, median(distances) * times)
    return distances.map { $0 > limit }
  }

  private static func median(_ numbers: [Double]) -> Double {
    let sorted = numbers.sorted()
    return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
  }
}
